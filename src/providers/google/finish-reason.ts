// The reasons for which a response ended, or never began.

import { ProviderError } from "../../contracts/errors.js";
import type { FinishReason } from "../../contracts/usage.js";
import type { Fields } from "../../json/is-object.js";

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

/** The request lacks what the server wants back. */
const MISSING_SIGNATURE = "MISSING_THOUGHT_SIGNATURE";

/** The finish reason in our terms. Google says `STOP` also when the model called tools. */
export function finishReasonOfCandidate(reason: string, hasCalls: boolean): FinishReason {
  const meaning = Object.hasOwn(MEANINGS, reason) ? MEANINGS[reason]! : "other";
  return meaning === "stop" && hasCalls ? "tool-calls" : meaning;
}

/** The error for a response without calls that ended like this; `undefined` when it is one. */
export function failureOfFinish(provider: string, reason: string, said: unknown): ProviderError | undefined {
  const isBroken = BROKEN_CALLS.has(reason);
  if (!isBroken && reason !== MISSING_SIGNATURE) return undefined;
  const why = typeof said === "string" && said !== "" ? `: ${said.slice(0, 300)}` : "";
  const what = isBroken
    ? "The model's tool call could not be read."
    : "The calls of the history need the signatures they came with.";
  return new ProviderError(isBroken ? "SERVER" : "BAD_REQUEST", {
    message: `Provider "${provider}" ended its answer with finish reason "${reason}"${why}. ${what}`,
    retryable: isBroken,
    details: { finishReason: reason },
  });
}

/** The error for a prompt that was not answered; `undefined` when its feedback does not say so. */
export function failureOfPrompt(
  provider: string,
  { blockReason, blockReasonMessage }: Fields,
): ProviderError | undefined {
  const said = [blockReason, blockReasonMessage].filter((part) => typeof part === "string" && part !== "");
  if (said.length === 0) return undefined;
  return new ProviderError("CONTENT_FILTERED", {
    message: `Provider "${provider}" blocked the prompt: ${said.join(": ")}. Change what is sent; the same prompt is blocked again.`,
    details: { blockReason: String(said[0]) },
  });
}
