// An error that a provider or its stream threw, as an error of this library. An adapter of the host may throw whatever its client throws: that the
// request is too long is recognised in any of it, so that compaction can recover.
import { type HarnessError, isHarnessError, ProviderError } from "../../contracts/errors.js";
import { isContextOverflow } from "../../text/context-overflow.js";
import { describeThrown } from "../../text/describe-thrown.js";

/** Errors of this library keep their code, also those of another copy of the package, unless it says too little. */
export function asProviderFailure(thrown: unknown, provider: string): HarnessError {
  if (isHarnessError(thrown) && !VAGUE_CODES.has(thrown.code)) return thrown;
  const isTooLong = saysTooLong(thrown);
  if (isHarnessError(thrown) && !isTooLong) return thrown;
  const message = `Provider "${provider}" failed: ${describeThrown(thrown)}`;
  return new ProviderError(isTooLong ? "CONTEXT_TOO_LONG" : "PROVIDER_FAILED", { message, cause: thrown });
}

/** Codes an adapter uses for a refusal that it does not understand. */
const VAGUE_CODES: ReadonlySet<string> = new Set(["PROVIDER_FAILED", "BAD_REQUEST"]);
/** HTTP statuses: the request is too large; it came too soon. */
const PAYLOAD_TOO_LARGE = "413";
const TOO_MANY_REQUESTS = "429";
/** The members in which clients keep the server's answer. */
const NESTED = ["error", "cause", "data", "body", "response", "responseBody", "lastError"] as const;
const NAMES = ["code", "type", "name", "status", "statusCode"] as const;
const TEXTS = ["message", "detail", "error", "responseBody", "body"] as const;
/** Deeper, and longer, nobody nests an error. Unit: characters. */
const MAX_DEPTH = 4;
const MAX_TEXT_CHARS = 20_000;

function saysTooLong(thrown: unknown): boolean {
  const found = { names: new Set<string>(), text: "" };
  try {
    collect(thrown, found, 0);
  } catch {
    return false; // An error that throws when it is read says nothing.
  }
  // A refusal for its rate uses the same words.
  if (isContextOverflow([...found.names], found.names.has(TOO_MANY_REQUESTS) ? "" : found.text)) return true;
  return found.names.has(PAYLOAD_TOO_LARGE) && !/per (?:minute|day|hour)|rate.?limit/i.test(found.text);
}

function collect(value: unknown, found: { readonly names: Set<string>; text: string }, depth: number): void {
  if (typeof value === "string") found.text += `${value.slice(0, MAX_TEXT_CHARS)}\n`;
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH || found.text.length > MAX_TEXT_CHARS) return;
  for (const name of NAMES) {
    const given: unknown = Reflect.get(value, name);
    if (typeof given === "string" || typeof given === "number") found.names.add(String(given));
  }
  for (const name of TEXTS) {
    const given: unknown = Reflect.get(value, name);
    if (typeof given === "string") found.text += `${given.slice(0, MAX_TEXT_CHARS)}\n`;
  }
  for (const name of NESTED) {
    const given: unknown = Reflect.get(value, name);
    if (typeof given === "object") collect(given, found, depth + 1);
  }
}

/** A stream that ended without the end of its message. */
export function brokenStream(provider: string): ProviderError {
  const message = `The stream of provider "${provider}" ended in the middle of a message.`;
  return new ProviderError("STREAM_BROKEN", { message, retryable: true });
}

export function responseTooLarge(provider: string, maxBytes: number): ProviderError {
  const message = `Provider "${provider}" sent more than ${maxBytes} bytes in one response; it was cut off. Raise limits.maxResponseBytes if that is expected.`;
  return new ProviderError("RESPONSE_TOO_LARGE", { message });
}
