// The messages a new session begins with, when they come from the host.
import type { Message } from "../../contracts/message.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { optionError } from "../../json/check-options.js";
import { copyJson } from "../../json/copy.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { HistoryMessage } from "../options/options.js";
import type { RunState } from "../run/run-state.js";
import { isMessage } from "../transcript/message-shape.js";
import { validateTranscript } from "../transcript/validate-transcript.js";

/** The session's own copy. @throws ConfigurationError `OPTION_INVALID`, also for a session that has a history already */
export function readHistory(run: RunState, given: readonly HistoryMessage[]): readonly Message[] {
  if (given.length === 0) return [];
  const history = given.map(inFull);
  if (run.transcript.lastEntryId !== null) {
    throw optionError(
      "engine.run()",
      "history",
      history,
      `nothing: session "${run.transcriptId}" exists and has its own history`,
    );
  }
  const wrong = history.findIndex((message) => !isMessage(message));
  if (wrong >= 0)
    throw optionError(
      "engine.run()",
      "history",
      history,
      `messages with role and content parts (message ${wrong} is not one)`,
    );
  const problem = validateTranscript(history)[0];
  if (!problem) return copyHistory(history);
  const at = `messages in which every tool call has its result (message ${problem.index}: ${problem.message}); see repairTranscript()`;
  throw optionError("engine.run()", "history", history, at);
}

/** A string is one text part; who wrote an assistant's message may be left out. */
function inFull(message: HistoryMessage): Message {
  if (typeof message !== "object" || message === null) return message;
  const { role } = message;
  // What is whole stays as it is, to the order of its keys: a fork's request begins with its parent's bytes.
  if (typeof message.content !== "string" && (role !== "assistant" || "provider" in message)) return message as Message;
  const content =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  if (role !== "assistant") return { ...message, content } as Message;
  const missing = Object.entries(UNKNOWN_AUTHOR).filter(([key]) => Reflect.get(message, key) === undefined);
  // What is there keeps its order: a fork's request is its parent's, byte for byte.
  return { ...message, content, ...Object.fromEntries(missing) } as Message;
}

const UNKNOWN_AUTHOR = { finishReason: "stop", provider: "history", model: "unknown" } as const;

function copyHistory(history: readonly Message[]): readonly Message[] {
  try {
    return history.map((message) => copyJson(message, true) as unknown as Message);
  } catch (error) {
    throw optionError("engine.run()", "history", history, `messages that are JSON (${describeThrown(error)})`);
  }
}

export function recordHistory(run: RunState, history: readonly Message[]): void {
  for (const message of history) {
    if (message.role !== "tool") run.recorder.record({ type: "message", message });
    else for (const part of message.content) run.recorder.record({ type: "tool-result", result: resultOfPart(part) });
  }
}

function resultOfPart({ toolCallId, name, output, isError }: Extract<Message, { role: "tool" }>["content"][number]) {
  const status = isError ? "failure" : "success";
  const details = isError ? { code: "TOOL_FAILED" } : undefined;
  const result: ToolResult = { toolCallId, name, output, isError, status, durationMs: 0, ...(details && { details }) };
  return Object.freeze(result);
}
