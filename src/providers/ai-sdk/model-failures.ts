import { isHarnessError, ProviderError, type ProviderErrorCode } from "../../contracts/errors.js";
import { isObject } from "../../json/is-object.js";
import { parseJson } from "../../json/parse-json.js";
import { isContextOverflow } from "../../text/context-overflow.js";
import type { Failures } from "../shared/failures/failures.js";

/** Errors of the AI SDK that say by their name what is wrong. */
const BY_NAME: Readonly<Record<string, ProviderErrorCode>> = {
  AI_LoadAPIKeyError: "AUTH",
  AI_LoadSettingError: "AUTH",
  AI_NoSuchModelError: "BAD_REQUEST",
  AI_InvalidArgumentError: "BAD_REQUEST",
  AI_InvalidPromptError: "BAD_REQUEST",
  AI_UnsupportedFunctionalityError: "BAD_REQUEST",
  AI_TooManyEmbeddingValuesForCallError: "BAD_REQUEST",
};

/** Names of errors about an answer that is not whole, or not in the form it should have. */
const BROKEN = new Set([
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
]);

interface CallError {
  readonly name: string;
  readonly message: string;
  readonly statusCode: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
  readonly data: unknown;
  readonly isRetryable: boolean;
  readonly cause: unknown;
}

/** An error of the AI SDK or of its provider as ours. Itself it is not kept as a cause: it may quote what was sent. */
export function aiSdkFailure(thrown: unknown, failures: Failures, isStreaming: boolean): Error {
  if (isHarnessError(thrown)) return thrown;
  const isReferable = typeof thrown === "object" && thrown !== null;
  const error = (isReferable ? thrown : {}) as Partial<CallError>;
  if (typeof error.statusCode === "number" && error.statusCode >= 300) {
    const { responseHeaders = {}, statusCode } = error;
    const header = (name: string) => headerOf(responseHeaders, name);
    return failures.refusal(saidBy(error), statusCode, header);
  }
  const { name = "" } = error;
  const code = Object.hasOwn(BY_NAME, name) ? BY_NAME[name]! : undefined;
  if (code !== undefined) return named(code, String(error.message), failures);
  if (typeof error.statusCode === "number") {
    // A status of success: the vendor has failed all the same, or the provider could not read what came.
    const said = saidBy(error);
    if (isObject(said) && said.error) return failures.refusal(said);
  }
  if (BROKEN.has(name) || typeof error.statusCode === "number") {
    return failures.streaming(new SyntaxError(String(error.message)));
  }
  // The part `error` of a stream holds what the vendor has sent: an object, a string, or an error made of it.
  if (isStreaming && (isVendorError(thrown) || isOverflow(error))) {
    return failures.refusal(thrown instanceof Error ? error.message : thrown);
  }
  if (isStreaming) return failures.streaming(thrown);
  const isConnection =
    error.isRetryable === true || (isReferable && /fetch failed|network|connect/i.test(String(error.message)));
  return isConnection ? failures.connection(thrown) : failures.client(thrown, false);
}

/** The type of file that a provider has refused to send; `undefined` for every other failure. */
export function refusedMediaType(thrown: unknown): string | undefined {
  const { name, message } = (typeof thrown === "object" && thrown !== null ? thrown : {}) as Partial<CallError>;
  if (name !== "AI_UnsupportedFunctionalityError" && name !== "UnsupportedFunctionalityError") return undefined;
  return /\b((?:application|audio|video|image|text)\/[\w.+*-]+)/.exec(String(message))?.[1];
}

function named(code: ProviderErrorCode, message: string, { scene }: Failures): ProviderError {
  return new ProviderError(code, {
    message: `Provider "${scene.provider}" cannot do this: ${scene.scrub(message).slice(0, 500)}`,
  });
}

function saidBy({ responseBody, data, message }: Partial<CallError>): unknown {
  const isText = typeof responseBody === "string" && responseBody.trim() !== "";
  return isText ? (parseJson(responseBody) ?? responseBody) : (data ?? message);
}

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  for (const [name, value] of Object.entries(headers)) if (name.toLowerCase() === wanted) return value;
  return undefined;
}

function isVendorError(thrown: unknown): boolean {
  return typeof thrown === "string" || (isObject(thrown) && !(thrown instanceof Error));
}

/** Providers make an error of their own of what the vendor has sent; one about the length is no broken stream. */
function isOverflow({ message }: Partial<CallError>): boolean {
  return typeof message === "string" && isContextOverflow([], message.slice(0, 20_000));
}
