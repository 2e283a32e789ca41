import { isHarnessError, ProviderError, type ProviderErrorCode } from "../../contracts/errors.js";
import { type Fields, isObject } from "../../json/is-object.js";
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
  UnsupportedFunctionalityError: "BAD_REQUEST",
  AI_TooManyEmbeddingValuesForCallError: "BAD_REQUEST",
};

/** A failure by name that is about a type of file, in lower case. */
export const UNSUPPORTED_TYPE = /cannot do this: .*?\b((?:application|audio|video|image|text)\/[\w.+*-]+)/;

/** Names of errors about an answer that is not whole, or not in the form it should have. */
const BROKEN = new Set([
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
]);

/** An error of the AI SDK or of its provider as ours. Itself it is not kept as a cause: it may quote what was sent. */
export function aiSdkFailure(thrown: unknown, failures: Failures, isStreaming: boolean): Error {
  if (isHarnessError(thrown)) return thrown;
  const error: Fields = isObject(thrown) ? thrown : {};
  const { statusCode } = error;
  const name = String(error.name);
  if (typeof statusCode === "number" && statusCode >= 300) {
    return failures.refusal(saidBy(error), statusCode, (header) => headerOf(error.responseHeaders, header));
  }
  const code = Object.hasOwn(BY_NAME, name) ? BY_NAME[name]! : undefined;
  if (code !== undefined) return named(code, String(error.message), failures);
  if (typeof statusCode === "number") {
    // A status of success: the vendor has failed all the same, or the provider could not read what came.
    const said = saidBy(error);
    if (isObject(said) && said.error) return failures.refusal(said);
  }
  if (BROKEN.has(name) || typeof statusCode === "number") {
    return failures.streaming(new SyntaxError(String(error.message)));
  }
  // The part `error` of a stream holds what the vendor has sent: an object, a string, or an error made of it.
  if (isStreaming && (isVendorError(thrown) || isOverflow(error))) {
    return failures.refusal(thrown instanceof Error ? thrown.message : thrown);
  }
  if (isStreaming) return failures.streaming(thrown);
  const isConnection = error.isRetryable === true || /fetch failed|network|connect/i.test(String(error.message));
  return isConnection ? failures.connection(thrown) : failures.client(thrown, false);
}

function named(code: ProviderErrorCode, message: string, { scene }: Failures): ProviderError {
  return new ProviderError(code, {
    message: `Provider "${scene.provider}" cannot do this: ${scene.scrub(message).slice(0, 500)}`,
  });
}

function saidBy({ responseBody, data, message }: Fields): unknown {
  const isText = typeof responseBody === "string" && responseBody.trim() !== "";
  return isText ? (parseJson(responseBody) ?? responseBody) : (data ?? message);
}

function headerOf(headers: unknown, wanted: string): string | undefined {
  const named = Object.entries(Object(headers)).find(([name]) => name.toLowerCase() === wanted);
  return named && String(named[1]);
}

function isVendorError(thrown: unknown): boolean {
  return typeof thrown === "string" || (isObject(thrown) && !(thrown instanceof Error));
}

/** Providers make an error of their own of what the vendor has sent; one about the length is no broken stream. */
function isOverflow({ message }: Fields): boolean {
  return typeof message === "string" && isContextOverflow([], message.slice(0, 20_000));
}
