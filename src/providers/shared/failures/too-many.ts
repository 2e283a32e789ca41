import { ProviderError } from "../../../contracts/errors.js";

/** Most calls or items of one answer: a model in a loop, or a hostile server, would fill the memory with more. */
export const MAX_PARTS = 10_000;

/** Longest part of an answer that is kept unread, to go back; longer ones, such as whole web pages, are dropped. Unit: characters. */
export const MAX_KEPT_CHARS = 4 * 1024 * 1024;

/** The error for an answer of more. `what` they are: `"tool calls"`. */
export function tooMany(provider: string, what: string): ProviderError {
  const message = `Provider "${provider}" sent more than ${MAX_PARTS} ${what} in one answer; the response was closed. Ask the model for fewer at a time.`;
  return new ProviderError("RESPONSE_TOO_LARGE", { message });
}
