// The model has called no tool: is this the end?
import { type HarnessError, RunError } from "../contracts/errors.js";
import type { HookPayloads } from "../contracts/hook.js";
import type { JsonValue } from "../contracts/json.js";
import type { AssistantMessage } from "../contracts/message.js";
import type { IncompleteReason, RunResult, RunStatus, Transition } from "../contracts/run.js";
import { clip } from "../text/cut.js";
import { submitPrompt } from "./context/model-input.js";
import { withOrThrow } from "./run/run-lifetime.js";
import type { RunState } from "./run/run-state.js";
import { shortId } from "./transcript/background-records.js";
import { isMediaPart, textOfMessage } from "./transcript/message-shape.js";
import { waitingQuestions } from "./transcript/transcript.js";

/** Records a message without tool calls and says what follows it. */
export async function finishAnswer(run: RunState, message: AssistantMessage): Promise<Transition> {
  const { answer, retries } = run;
  const text = textOfMessage(message);
  const hasMedia = message.content.some(isMediaPart);
  const isEmpty = text.trim() === "" && !hasMedia && !isPaused(message) && !isServerWork(message);
  if (message.content.length > 0 && !isEmpty) run.recorder.record({ type: "message", message });
  if (isEmpty || message.finishReason === "tool-calls") return retryEmpty(run, message, isEmpty);
  if (text !== "" || hasMedia) retries.reset("empty-response-retry");
  answer.text = answer.before + text;
  for (const context of run.inbox.takeHookContext()) run.appendReminder(context, "hook");
  if (!(await run.commit())) return "failed";
  const isCut = message.finishReason === "length" || message.finishReason === "pause";
  if (isCut && retries.take("output-limit-continuation")) return continueText(run, message);
  if (answer.text === "" && !hasMedia && !isServerWork(message)) return retryEmpty(run, message);
  retries.reset("output-limit-continuation");
  answer.before = "";
  return decideEnd(run);
}

/** Whether the model has stopped within work of its server, which only the provider understands, to go on with it. */
function isPaused({ content, finishReason }: AssistantMessage): boolean {
  if (finishReason !== "length" && finishReason !== "pause") return false;
  return content.some((part) => part.type === "reasoning" && part.text === "" && part.providerData !== undefined);
}

/** Whether the model has ended with work of its server's tools, which only the provider understands. */
function isServerWork({ content, finishReason }: AssistantMessage): boolean {
  if (finishReason !== "stop") return false;
  return content.some((part) => part.type === "reasoning" && isMarked(part.providerData));
}

function isMarked(data: JsonValue | undefined): boolean {
  return (data as { readonly serverWork?: unknown } | null | undefined)?.serverWork === true;
}

/** Whether the run is over, or something asks for another turn. */
export async function decideEnd(run: RunState): Promise<Transition> {
  const { inbox } = run;
  if (inbox.hasNews) return "steering";
  await run.backgroundOrNull?.nextNews();
  if (run.lifetime.ending) return run.lifetime.ending.status;
  if (inbox.hasNews) return "steering";
  if (run.stopAfterTurn) return "hook-stopped";
  if (isBudgetLeft(run)) return continueWork(run);
  if (run.setup.output && !(await hasValidOutput(run))) return run.endedAs() ?? retryOutput(run);
  if (await isStopBlocked(run)) return "stop-hook";
  if (run.stopAfterTurn) return "hook-stopped";
  if (inbox.hasNews) return "steering";
  while (inbox.followUps.length > 0) {
    if (await submitPrompt(run, inbox.followUps.shift()!, "follow-up")) return "follow-up";
  }
  return run.endedAs() ?? (run.transcript.background.waiting.length > 0 ? "needs-approval" : "completed");
}

/** A limit that ends the run would turn a finished answer into an unfinished one. */
function isBudgetLeft(run: RunState): boolean {
  if (!run.tokenBudget || run.lifetime.ending || run.turn >= run.limits.maxTurns) return false;
  return (run.meter.mostUsed()?.share ?? 0) < 1 && run.tokenBudget.takeContinuation();
}

function continueWork(run: RunState): Transition {
  const used = `You have used ${run.tokenBudget!.usedPercent}% of the tokens planned for this task.`;
  run.appendReminder(`${used} Continue with what is missing or could be better; do not summarize.`, "reminder");
  return "token-budget-continuation";
}

function retryEmpty(run: RunState, { finishReason, content }: AssistantMessage, isEmpty = true): Transition {
  const missing = isEmpty ? "neither text nor a tool call" : "text that announces a tool call, but no call";
  if (!run.retries.take("empty-response-retry")) {
    const message = `The model replied twice with ${missing} (finish reason "${finishReason}").`;
    run.stop("failed", new RunError("EMPTY_RESPONSE", { message, details: { finishReason }, retryable: true }));
    return "failed";
  }
  const isThought = content.some((part) => part.type === "reasoning" && part.text !== "");
  const empty = isThought ? "held reasoning alone, and no answer" : "was empty";
  const problem = isEmpty ? empty : "ended as if a tool call followed, but holds no call";
  run.appendReminder(`Your last message ${problem}. Reply with text, or call a tool.`, "reminder");
  return "empty-response-retry";
}

/** A message that its server has paused goes back as it is: there is nothing to tell the model. */
function continueText(run: RunState, { finishReason }: AssistantMessage): Transition {
  run.answer.before = run.answer.text;
  if (finishReason === "pause") return "output-limit-continuation";
  run.appendReminder(
    "Your message was cut off by the output limit. Continue exactly where it stopped, without repeating anything.",
    "reminder",
  );
  return "output-limit-continuation";
}

async function hasValidOutput(run: RunState): Promise<boolean> {
  const { answer, lifetime } = run;
  const reading = run.setup.output!.read(answer.text);
  const read = await lifetime.unlessStopped(reading, "The check of the structured output");
  if (!read) return false;
  answer.output = "value" in read ? read : null;
  answer.problem = "problem" in read ? read.problem : "";
  return answer.output !== null;
}

function retryOutput(run: RunState): Transition {
  const { problem } = run.answer;
  if (!run.retries.take("output-retry")) {
    const message = `The final answer did not fit the output schema after ${run.retries.used("output-retry")} retries. ${problem}`;
    run.stop("output-invalid", new RunError("OUTPUT_INVALID", { message }));
    return "output-invalid";
  }
  const request = `Your message does not fit the required JSON schema:\n${problem}\nReply again with the JSON only.`;
  run.appendReminder(request, "reminder");
  return "output-retry";
}

function tasksOf({ transcript }: RunState): HookPayloads["Stop"]["backgroundTasks"] {
  return transcript.background.open.map(({ id, name, prompt }) => {
    const description = prompt.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
    return {
      id: shortId(id),
      type: "subagent",
      status: "running",
      description: clip(description, 1000),
      agentType: name,
    };
  });
}

async function isStopBlocked(run: RunState): Promise<boolean> {
  if (!run.config.hooks) return false;
  // The session that these hooks read ends with the answer they are about.
  if (run.config.hooks.has(run.agentPath.length > 0 ? "SubagentStop" : "Stop")) await run.commit();
  const { retries } = run;
  const about = {
    stopHookActive: retries.used("stop-hook") > 0,
    lastAssistantMessage: run.answer.text,
    backgroundTasks: tasksOf(run),
  };
  const agentId = run.transcriptId;
  const outcome =
    run.agentPath.length > 0
      ? await run.hooks.fire("SubagentStop", { ...about, agentId }, run.agentPath.at(-1))
      : await run.hooks.fire("Stop", about);
  if (!outcome?.blocked || run.lifetime.ending || run.stopAfterTurn) return false;
  if (!retries.take("stop-hook")) {
    const limit = retries.limit("stop-hook");
    run.notice("STOP_HOOK_LIMIT", `Stop hooks asked for more than ${limit} further turns; the run ends anyway.`);
    return false;
  }
  run.appendReminder(outcome.reason ?? "A Stop hook asks you to continue.", "hook");
  return true;
}

// ── the result of a run ──────────────────────────────────────────────────────────────────────────────────────────────

/** The reason why a final answer is not whole; ends the sentence "The final answer …". */
export const HOW_INCOMPLETE: { readonly [Reason in IncompleteReason]: string } = {
  length: "was cut off by the output limit",
  "content-filter": "was cut off by the provider's content filter",
  error: "was cut off by an error of the provider",
  pause: "was still paused by the provider after every continuation",
  other: "ended for a reason that is not known, and may not be whole",
};

/** The result of a run. */
export function resultOfRun(run: RunState, status: RunStatus): RunResult {
  const { transcript, meter, answer } = run;
  const error = errorOf(run, status);
  const finishReason = transcript.lastAssistant?.finishReason ?? "stop";
  const result = {
    text: answer.text,
    messages: () => [...transcript.messages],
    usage: meter.usage,
    costUsd: meter.hasPrices ? meter.costUsd : null,
    turns: run.turn,
    sessionId: run.transcriptId,
    runId: run.id,
    pending: waitingQuestions(transcript),
    ...(Object.hasOwn(HOW_INCOMPLETE, finishReason) && { finishReason }),
    status,
    ...(status === "completed" && answer.output && { output: answer.output.value }),
    ...(error && { error }),
  };
  return withOrThrow(result as unknown as RunResult);
}

function errorOf(run: RunState, status: RunStatus): HarnessError | undefined {
  if (status === "completed") return undefined;
  if (run.lifetime.ending?.error) return run.lifetime.ending.error;
  if (status === "failed" || status === "output-invalid") return unexplained(status);
  if (status !== "hook-stopped" || !run.stopAfterTurn) return undefined;
  return hookStopped(run.stopAfterTurn);
}

export function hookStopped({ reason }: { readonly reason: string }): RunError {
  return new RunError("HOOK_STOPPED", { message: reason });
}

function unexplained(status: RunStatus): HarnessError {
  return new RunError("INTERNAL", { message: `The run ended as "${status}" without a reason. Please report this.` });
}
