// The model has called no tool: is this the end?
import { RunError } from "../contracts/errors.js";
import type { AssistantMessage } from "../contracts/message.js";
import type { Transition } from "../contracts/run.js";
import { submitPrompt } from "./context/user-input.js";
import type { RunState } from "./run/run-state.js";

/** How often a text that was cut off by the output limit is continued. */
const MAX_OUTPUT_CONTINUATIONS = 3;

/** Records a message without tool calls and says what follows it. */
export async function finishAnswer(run: RunState, message: AssistantMessage): Promise<Transition> {
  const text = textOf(message);
  const isEmpty = text.trim() === "";
  if (message.content.length > 0 && !isEmpty) run.recorder.record({ type: "message", message });
  if (isEmpty || message.finishReason === "tool-calls") return retryEmpty(run, message);
  run.emptyRetried = false;
  run.answerText = run.answerSoFar + text;
  for (const context of run.contexts.splice(0)) run.tell(context, "hook");
  if (!(await run.commit())) return "failed";
  if (message.finishReason === "length" && run.outputContinuations < MAX_OUTPUT_CONTINUATIONS) return continueText(run);
  run.outputContinuations = 0;
  run.answerSoFar = "";
  return decideEnd(run);
}

/** Whether the run is over, or something asks for another turn. */
export async function decideEnd(run: RunState): Promise<Transition> {
  if (run.steering.length > 0) return "steering";
  if (run.stopAfterTurn) return "hook-stopped";
  if (run.setup.output && !(await hasValidOutput(run))) return run.endedAs() ?? retryOutput(run);
  if (await stopIsBlocked(run)) return "stop-hook";
  if (run.stopAfterTurn) return "hook-stopped";
  if (run.steering.length > 0) return "steering";
  while (run.followUps.length > 0) {
    if (await submitPrompt(run, run.followUps.shift()!, "follow-up")) return "follow-up";
  }
  return run.endedAs() ?? "completed";
}

function retryEmpty(run: RunState, message: AssistantMessage): Transition {
  const { finishReason } = message;
  if (run.emptyRetried) {
    const text = `The model answered twice without text and without a tool call (finish reason "${finishReason}").`;
    run.stop("failed", new RunError("EMPTY_RESPONSE", { message: text, details: { finishReason }, retryable: true }));
    return "failed";
  }
  run.emptyRetried = true;
  run.tell("Your last answer was empty. Answer in text, or call a tool.", "reminder");
  return "empty-response-retry";
}

function continueText(run: RunState): Transition {
  run.outputContinuations++;
  run.answerSoFar = run.answerText;
  run.tell(
    "Your answer was cut off by the output limit. Go on exactly where it stopped, without repeating anything.",
    "reminder",
  );
  return "output-limit-continuation";
}

async function hasValidOutput(run: RunState): Promise<boolean> {
  const reading = run.setup.output!.read(run.answerText);
  const read = await run.unlessStopped(reading, "The check of the structured answer");
  if (!read) return false;
  run.output = "value" in read ? read : null;
  run.outputProblem = "problem" in read ? read.problem : "";
  return run.output !== null;
}

function retryOutput(run: RunState): Transition {
  const problem = run.outputProblem;
  if (run.outputRetries >= run.limits.maxOutputRetries) {
    const message = `The answer did not fit the output schema after ${run.outputRetries} retries. ${problem}`;
    run.stop("output-invalid", new RunError("OUTPUT_INVALID", { message }));
    return "output-invalid";
  }
  run.outputRetries++;
  run.tell(
    `Your answer does not fit the required JSON schema:\n${problem}\nAnswer again, with the JSON alone.`,
    "reminder",
  );
  return "output-retry";
}

async function stopIsBlocked(run: RunState): Promise<boolean> {
  const about = { stopHookActive: run.stopContinuations > 0, lastAssistantMessage: run.answerText };
  const agentId = run.transcriptId;
  const outcome =
    run.agentPath.length > 0
      ? await run.hooks.fire("SubagentStop", { ...about, agentId }, run.agentPath.at(-1))
      : await run.hooks.fire("Stop", about);
  if (!outcome?.blocked || run.ending || run.stopAfterTurn) return false;
  if (run.stopContinuations >= run.limits.maxStopContinuations) {
    const limit = run.limits.maxStopContinuations;
    run.notice("STOP_HOOK_LIMIT", `Stop hooks asked for more than ${limit} further turns; the run ends all the same.`);
    return false;
  }
  run.stopContinuations++;
  run.tell(outcome.reason ?? "A Stop hook asks you to go on.", "hook");
  return true;
}

/** The text parts of a message, joined. */
export function textOf(message: AssistantMessage): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
