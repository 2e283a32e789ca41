import type { FinishReason } from "../../contracts/usage.js";

const MEANINGS: Readonly<Record<string, FinishReason>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  CONTINUATION: "length",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  LANGUAGE: "content-filter",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  MODEL_ARMOR: "content-filter",
  IMAGE_SAFETY: "content-filter",
  IMAGE_PROHIBITED_CONTENT: "content-filter",
  IMAGE_RECITATION: "content-filter",
};

/** The model wrote something that the server could not read as a call. Asked again, it most often gets it right. */
const BROKEN_CALLS = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MALFORMED_RESPONSE",
]);

/** Whether the response holds no answer, since the model's call could not be read. */
export function isBrokenCall(reason: string): boolean {
  return BROKEN_CALLS.has(reason);
}

/** Why the model stopped, in our terms. Google says `STOP` also when the model called tools. */
export function finishReasonOfCandidate(reason: string, hasCalls: boolean): FinishReason {
  const meaning = Object.hasOwn(MEANINGS, reason) ? MEANINGS[reason]! : "other";
  return meaning === "stop" && hasCalls ? "tool-calls" : meaning;
}
