// One turn: deliver what waits for the model, fit the view, ask the model, run the tools it calls, record.
import { isHarnessError, type ProviderError, RunError } from "../contracts/errors.js";
import type { AssistantMessage, ToolMessage } from "../contracts/message.js";
import type { Transition } from "../contracts/run.js";
import type { BaseTool } from "../contracts/tool.js";
import type { ToolCall } from "../contracts/tool-call.js";
import type { MessageCalls } from "./calls/message-calls.js";
import { offerServerTools } from "./calls/permission/offered-server-tools.js";
import { prepareView, recoverView } from "./context/compaction.js";
import { beginEpoch, deliverInbox, hasDelivery } from "./context/model-input.js";
import { finishAnswer } from "./final-answer.js";
import { callModel, compactorOf, type ModelReply } from "./model/model-call.js";
import { tellUnknown } from "./model/unknown-model.js";
import type { RunState } from "./run/run-state.js";
import type { BudgetShare } from "./run/usage-meter.js";
import { messageRecord } from "./transcript/describe-call.js";
import { textOfMessage } from "./transcript/message-shape.js";
import type { HeldMessage } from "./transcript/open-turn.js";
import { heldRecord } from "./transcript/transcript.js";

/** Runs one turn, and says what follows it. */
export async function runTurn(run: RunState): Promise<Transition> {
  run.turn++;
  run.recorder.turn = run.turn;
  run.isTurnOpen = true;
  run.emit("turn-start", {});
  if (hasDelivery(run)) await deliverInbox(run);
  if (run.turn === 1 && run.provider.unknown !== undefined) tellUnknown(run);
  if (run.provider.serverTools && (await offerServerTools(run))) beginEpoch(run, "tools");
  if (run.config.compaction) await prepareView(run, compactorOf(run));
  if (run.config.hooks) await beforeModelCall(run);
  if (run.lifetime.ending) return run.lifetime.ending.status;
  if (run.stopAfterTurn) return "hook-stopped";
  if (run.transcript.view.length === 0) return endWithoutMessages(run);
  const reply = await callModel(run);
  if (reply.kind === "failed") return afterFailure(run, reply);
  run.retries.reset("overflow-recovery");
  if (run.config.hooks?.has("MessageDisplay") && reply.message) await displayText(run, textOfMessage(reply.message));
  if (reply.kind === "message" && run.config.hooks) await afterModelCall(run, reply);
  if (reply.kind === "interrupted" || run.endedAs()) return afterInterruption(run, reply);
  if (reply.calls.calls.length === 0) return finishAnswer(run, reply.message);
  const toolCalls = recordCalls(run, reply.message);
  await reply.calls.finish();
  if (run.config.hooks) await afterBatch(run, toolCalls);
  return afterCalls(run, toolCalls, reply.calls);
}

/** No request without messages: there is nothing that a model could answer. */
function endWithoutMessages(run: RunState): Transition {
  const message = `Session "${run.transcriptId}" holds no message that the model could answer: its prompt was blocked, was never recorded, or was left out by the context policy. Go on with run() and a prompt.`;
  run.stop("failed", new RunError("NOTHING_TO_SEND", { message }));
  return "failed";
}

/** Reports the end of a turn that another one follows. */
export function endTurn(run: RunState, next: Transition): Transition {
  const ended = run.endedAs();
  if (ended) return ended;
  if (next === "next-turn") remindOfBudget(run);
  run.transition = next;
  run.isTurnOpen = false;
  run.emit("turn-end", { transition: next });
  return run.endedAs() ?? next;
}

async function beforeModelCall(run: RunState): Promise<void> {
  const outcome = await run.hooks.fire("PreModelCall", { model: run.provider.model, turn: run.turn });
  for (const context of outcome?.additionalContext ?? []) run.appendReminder(context, "hook");
}

async function afterModelCall(run: RunState, reply: Extract<ModelReply, { kind: "message" }>): Promise<void> {
  const { finishReason } = reply.message;
  const { model } = run.provider;
  const outcome = await run.hooks.fire("PostModelCall", { model, turn: run.turn, finishReason, usage: reply.usage });
  run.inbox.hookContext.push(...(outcome?.additionalContext ?? []));
}

/** Observers get the text once the hooks have seen it; an interrupted run waits for none. */
async function displayText(run: RunState, text: string): Promise<void> {
  if (text === "") return;
  const turnId = `${run.id}/${run.turn}`;
  const about = { turnId, messageId: `${turnId}/message`, index: 0, final: true, delta: text };
  const outcome = await run.hooks.fire("MessageDisplay", about);
  run.emitText("text-delta", outcome?.displayContent ?? text);
}

async function afterFailure(run: RunState, { error }: Extract<ModelReply, { kind: "failed" }>): Promise<Transition> {
  if (isHarnessError(error, "CONTEXT_TOO_LONG") && (await recoverView(run, error as ProviderError, compactorOf(run))))
    return "overflow-recovery";
  run.stop("failed", error);
  return "failed";
}

/** The rest of the message, and of its calls, stays in the session. */
async function afterInterruption(
  run: RunState,
  { message, calls }: { readonly message: AssistantMessage | null; readonly calls: MessageCalls },
): Promise<Transition> {
  if (message) {
    run.recorder.record(messageRecord(message, run.registry));
    run.answer.text = run.answer.before + textOfMessage(message);
    await calls.finish();
  }
  return run.lifetime.ending!.status;
}

/** The message is on record before what is left of its calls runs. */
function recordCalls(run: RunState, message: AssistantMessage): readonly ToolCall[] {
  run.retries.reset("empty-response-retry");
  run.answer.text = textOfMessage(message) || run.answer.text;
  run.recorder.record(messageRecord(message, run.registry));
  return run.transcript.open!.calls;
}

/** Runs the calls of an earlier run's message that are still open, and says what follows them. */
export async function finishOpenCalls(
  run: RunState,
  toolCalls: readonly ToolCall[],
  calls: MessageCalls,
  held: readonly HeldMessage[],
): Promise<Transition> {
  await calls.finish();
  if (held.length > 0 && !run.transcript.open) run.inbox.restore(held);
  if (run.config.hooks) await afterBatch(run, toolCalls);
  return afterCalls(run, toolCalls, calls);
}

/** Runs the hooks for a whole batch, once all of it is settled. */
async function afterBatch(run: RunState, toolCalls: readonly ToolCall[]): Promise<void> {
  if (run.lifetime.ending || run.transcript.open || !run.config.hooks?.has("PostToolBatch")) return;
  const results = resultsOf(run);
  const about = toolCalls.map((call, index) => ({
    toolName: call.name,
    toolInput: call.arguments,
    toolUseId: call.id,
    toolResponse: (results[index]?.output ?? null) as never,
  }));
  const outcome = await run.hooks.fire("PostToolBatch", { toolCalls: about });
  const { hookContext } = run.inbox;
  hookContext.push(...(outcome?.additionalContext ?? []));
  if (outcome?.blocked && outcome.reason) hookContext.push(outcome.reason);
}

/** The turn's results are in, except for those that wait for the host. */
function afterCalls(run: RunState, toolCalls: readonly ToolCall[], calls: MessageCalls): Transition {
  if (run.transcript.open) run.lastCalls = calls;
  if (run.lifetime.ending) return run.lifetime.ending.status;
  if (run.transcript.open) {
    for (const held of run.inbox.takeHeld()) run.recorder.record(heldRecord(held));
    return "needs-approval";
  }
  for (const context of run.inbox.takeHookContext()) run.appendReminder(context, "hook");
  stopLoops(run, toolCalls, resultsOf(run));
  return run.endedAs() ?? (run.stopAfterTurn ? "hook-stopped" : "next-turn");
}

function resultsOf(run: RunState): ToolMessage["content"] {
  return (run.transcript.messages.at(-1) as ToolMessage).content;
}

function kindOf(tool: BaseTool | undefined): "polls" | "looks" | "acts" {
  if (tool?.polls === true) return "polls";
  return tool?.permission === "read_only" || tool?.permission === "none" ? "looks" : "acts";
}

function stopLoops(run: RunState, toolCalls: readonly ToolCall[], results: ToolMessage["content"]): void {
  const verdict = run.loops.observe(toolCalls, results, {
    now: run.config.runtime.now(),
    kindOf: (name) => kindOf(run.registry.get(name)),
  });
  if (verdict.kind === "fine") return;
  const { call: tool, times } = verdict;
  const what = `"${tool}" was called ${times} times in a row with the same arguments and the same result`;
  if (verdict.kind === "remind") {
    run.notice("LOOP_SUSPECTED", `${what}.`);
    const advice = "Try something different, or give your final answer with what you know.";
    run.appendReminder(`You are repeating yourself: ${what}. ${advice}`, "reminder");
    return;
  }
  const message = `The run was ended: ${what}. Give the model other tools or another task, or raise runaway.stopAfter.`;
  run.stop("failed", new RunError("LOOP_DETECTED", { message, details: { tool, times } }));
}

/** From here on the model knows that a budget is nearly used up. */
const NEARLY = 0.9;

/** Reminds the model, once, to wrap up because a budget is nearly used up. */
export function remindOfBudget(run: RunState): void {
  if (run.meter.hasReminded) return;
  const near = nearest(run);
  if (near.share < NEARLY || near.share >= 1) return;
  run.meter.hasReminded = true;
  const percent = Math.floor(near.share * 100);
  const message = `${percent}% of the ${near.name} budget of this run is used up.`;
  run.notice("BUDGET_NEAR", message, { budget: near.name, percent });
  run.appendReminder(`${message} Wrap up: finish the most important work and give your final answer.`, "reminder");
}

function nearest(run: RunState): BudgetShare {
  let most: BudgetShare = { name: "turn", share: run.turn / run.limits.maxTurns };
  const elapsed = run.lifetime.elapsedShare();
  if (elapsed > most.share) most = { name: "time", share: elapsed };
  const used = run.meter.mostUsed();
  return used && used.share > most.share ? used : most;
}
