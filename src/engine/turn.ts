// One turn: prepare what the model sees, ask it, run the tools it calls, record.
import { isHarnessError, type ProviderError, RunError } from "../contracts/errors.js";
import type { AssistantMessage, ToolMessage } from "../contracts/message.js";
import type { Transition } from "../contracts/run.js";
import type { ToolCall } from "../contracts/tool-call.js";
import { describeThrown } from "../text/describe-thrown.js";
import type { CallBatch } from "./calls/message-calls.js";
import { prepareView, recoverView } from "./context/compaction.js";
import { refreshTools } from "./context/system-prompt.js";
import { deliverSteering } from "./context/user-input.js";
import { finishAnswer, textOf } from "./final-answer.js";
import { callModel, type ModelReply } from "./model/model-call.js";
import { tellOfBudget } from "./run/budget-reminder.js";
import type { RunState } from "./run/run-state.js";
import { HELD_CONTEXT } from "./transcript/transcript.js";

/** Runs one turn and says what follows it. */
export async function runTurn(run: RunState): Promise<Transition> {
  run.turn++;
  run.recorder.turn = run.turn;
  run.emit("turn-start", {});
  if (run.steering.length > 0) await deliverSteering(run);
  if (run.registry.definitions() !== run.tools) await refreshTools(run);
  if (run.contexts.length > 0) tellContexts(run);
  if (run.remindingTools.length > 0) remind(run);
  if (run.config.compaction) await prepareView(run);
  if (run.config.hooks) await beforeModelCall(run);
  if (run.ending) return run.ending.status;
  if (run.stopAfterTurn) return "hook-stopped";
  const reply = await callModel(run);
  if (reply.kind === "failed") return afterFailure(run, reply);
  run.recoveries = 0;
  if (reply.kind === "interrupted") return afterInterruption(run, reply);
  if (run.config.hooks) await afterModelCall(run, reply);
  if (run.endedAs()) return afterInterruption(run, reply);
  if (reply.batch.calls.length === 0) return finishAnswer(run, reply.message);
  run.emptyRetried = false;
  run.answerText = textOf(reply.message) || run.answerText;
  run.recorder.record({ type: "message", message: reply.message });
  const { calls } = run.transcript.open!;
  await reply.batch.finish();
  if (run.config.hooks) await afterBatch(run, calls);
  return afterTools(run, calls, reply.batch);
}

/** Tells what follows a turn, also of its budget. Called once for each turn that was run. */
export function endTurn(run: RunState, next: Transition): Transition {
  const isTold = !run.ending && next === "next-turn" && tellOfBudget(run);
  run.transition = run.ending?.status ?? (isTold ? "token-budget-continuation" : next);
  run.emit("turn-end", { transition: run.transition });
  return run.transition;
}

/** What hooks want the model to know, also those nobody waited for. */
function tellContexts(run: RunState): void {
  for (const context of run.contexts.splice(0)) run.tell(context, "hook");
}

/** A tool whose reminder fails has none. */
function remind(run: RunState): void {
  const { sessionId, transcriptId, turn } = run;
  for (const tool of run.remindingTools) {
    try {
      const text = tool.reminder?.({ sessionId, transcriptId, turn });
      if (typeof text === "string" && text !== "") run.tell(text, "reminder");
    } catch (error) {
      run.notice("TOOL_REMINDER_FAILED", `The reminder of tool "${tool.name}" failed: ${describeThrown(error)}`);
    }
  }
}

/** What is left of the message, and of its calls, stays in the session. */
async function afterInterruption(
  run: RunState,
  { message, batch }: { readonly message: AssistantMessage | null; readonly batch: CallBatch },
): Promise<Transition> {
  if (message) {
    run.recorder.record({ type: "message", message });
    run.answerText = run.answerSoFar + textOf(message);
    await batch.finish();
  }
  return run.ending!.status;
}

async function afterFailure(run: RunState, { error }: Extract<ModelReply, { kind: "failed" }>): Promise<Transition> {
  if (isHarnessError(error, "CONTEXT_TOO_LONG") && (await recoverView(run, error as ProviderError)))
    return "overflow-recovery";
  run.stop("failed", error);
  return "failed";
}

/** The turn's results are in, but for those that wait for the host: says what follows. */
export function afterTools(run: RunState, calls: readonly ToolCall[], batch: CallBatch): Transition {
  run.lastBatch = batch;
  if (run.ending) return run.ending.status;
  if (run.transcript.open) {
    for (const data of run.contexts.splice(0)) run.recorder.record({ type: "custom", name: HELD_CONTEXT, data });
    return "needs-approval";
  }
  if (run.contexts.length > 0) for (const context of run.contexts.splice(0)) run.tell(context, "hook");
  watchForLoops(run, calls, resultsOf(run));
  return run.endedAs() ?? (run.stopAfterTurn ? "hook-stopped" : "next-turn");
}

/** Runs the hooks for a whole batch, once all of it is answered. */
export async function afterBatch(run: RunState, calls: readonly ToolCall[]): Promise<void> {
  if (run.ending || run.transcript.open || !run.config.hooks?.has("PostToolBatch")) return;
  const results = resultsOf(run);
  const toolCalls = calls.map((call, index) => ({
    toolName: call.name,
    toolInput: call.arguments,
    toolUseId: call.id,
    toolResponse: (results[index]?.output ?? null) as never,
  }));
  const outcome = await run.hooks.fire("PostToolBatch", { toolCalls });
  run.contexts.push(...(outcome?.additionalContext ?? []));
  if (outcome?.blocked && outcome.reason) run.contexts.push(outcome.reason);
}

function resultsOf(run: RunState): ToolMessage["content"] {
  return (run.transcript.messages.at(-1) as ToolMessage).content;
}

function watchForLoops(run: RunState, calls: readonly ToolCall[], results: ToolMessage["content"]): void {
  const verdict = run.watch.observe(calls, results);
  if (verdict.kind === "fine") return;
  const what = `"${verdict.call}" was called ${verdict.times} times in a row with the same arguments and the same result`;
  if (verdict.kind === "stop") {
    const message = `The run was ended: ${what}. Give the model other tools or another task, or raise runaway.stopAfter.`;
    run.stop(
      "failed",
      new RunError("LOOP_DETECTED", { message, details: { tool: verdict.call, times: verdict.times } }),
    );
    return;
  }
  run.notice("LOOP_SUSPECTED", `${what}.`);
  run.tell(`You repeat yourself: ${what}. Do something else, or answer with what you know.`, "reminder");
}

async function beforeModelCall(run: RunState): Promise<void> {
  const outcome = await run.hooks.fire("PreModelCall", { model: run.provider.model, turn: run.turn });
  for (const context of outcome?.additionalContext ?? []) run.tell(context, "hook");
}

async function afterModelCall(run: RunState, reply: Extract<ModelReply, { kind: "message" }>): Promise<void> {
  const { finishReason } = reply.message;
  const { model } = run.provider;
  const outcome = await run.hooks.fire("PostModelCall", { model, turn: run.turn, finishReason, usage: reply.usage });
  run.contexts.push(...(outcome?.additionalContext ?? []));
}
