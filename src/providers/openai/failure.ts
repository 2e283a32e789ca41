import { isHarnessError, ProviderError } from "../../contracts/errors.js";
import { toProviderError } from "../shared/provider-error.js";
import { readableText } from "../shared/readable-text.js";
import type { HeaderReader } from "../shared/retry-after.js";
import type { Scrub } from "../shared/secrets.js";
import { isRecord } from "./wire.js";

/** Who failed, and how far it had come. */
export interface FailureScene {
  readonly id: string;
  readonly model: string;
  readonly scrub: Scrub;
  /** Whether the response had begun. */
  readonly isStreaming: boolean;
}

/** The vendor SDK's error as ours. Its own error is not kept as a cause: it may quote keys that were sent. */
export function asFailure(thrown: unknown, scene: FailureScene): Error {
  if (isHarnessError(thrown)) return thrown;
  const { id, scrub, isStreaming } = scene;
  const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as Partial<SdkError>;
  const said = readableText(error.message ?? String(thrown), scrub);
  if (typeof error.status === "number" || error.error !== undefined) return refusalOf(error, scene);
  if (thrown instanceof SyntaxError) {
    return broken(`Provider "${id}" sent something in its stream that is not JSON.`);
  }
  const cause = causeOf(thrown, scrub);
  // Node's fetch waits 300 s for the head of a response.
  if (/timed? ?out/i.test(said) || /HEADERS_TIMEOUT/.test(cause)) {
    return new ProviderError("TIMEOUT", {
      message: `Provider "${id}" did not answer in time: ${cause}.`,
      retryable: true,
    });
  }
  if (isStreaming) return broken(`The stream of provider "${id}" broke off: ${cause}.`);
  // The SDK's connection errors have a status field without a value; anything else is a mistake, not the network.
  if ("status" in error) {
    const message = `Provider "${id}" could not be reached: ${cause}. Check baseURL and the network.`;
    return new ProviderError("CONNECTION", { message, retryable: true });
  }
  return new ProviderError("PROVIDER_FAILED", {
    message: `Provider "${id}" failed before it sent its request: ${said}`,
  });
}

/**
 * What a chunk says has gone wrong; `undefined` when it does not. Servers put it under `error`, into the choice, or send
 * it in place of a chunk.
 */
export function errorIn(chunk: unknown): unknown {
  if (!isRecord(chunk)) return undefined;
  if (chunk.error) return chunk.error;
  const { choices, usage, object, type, detail, message, code, __type } = chunk;
  if (Array.isArray(choices)) return (isRecord(choices[0]) && choices[0].error) || undefined;
  if (choices !== undefined || usage !== undefined) return undefined;
  const isNamed = code !== undefined || __type !== undefined;
  const isError =
    object === "error" || type === "error" || detail !== undefined || (typeof message === "string" && isNamed);
  return isError ? chunk : undefined;
}

/** The error for what `errorIn` found. */
export function chunkFailure(error: unknown, scene: FailureScene): ProviderError {
  return refusalOf({ error }, scene);
}

/** The answer is not whole, and nothing in it may be used. */
export function broken(message: string): ProviderError {
  return new ProviderError("STREAM_BROKEN", { message, retryable: true });
}

interface SdkError {
  readonly message: string;
  readonly status: number;
  readonly error: unknown;
  readonly headers: { get?: unknown };
}

function refusalOf(
  { status, error, message, headers }: Partial<SdkError>,
  { id, model, scrub }: FailureScene,
): ProviderError {
  const body: unknown = Array.isArray(error) ? (error[0]?.error ?? error[0]) : error;
  const get = headers && typeof headers.get === "function" ? (headers.get.bind(headers) as HeaderReader) : undefined;
  const fields = isRecord(body) ? body : {};
  return toProviderError(
    {
      provider: id,
      model,
      status,
      code: asName(fields.code),
      type: asName(fields.type ?? fields.__type),
      message: messageOf(body) ?? message?.replace(/^\d{3} (?:status code \(no body\))?/, "") ?? "",
      header: get,
    },
    scrub,
  );
}

function messageOf(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (!isRecord(body)) return undefined;
  const said = body.message ?? body.detail ?? body.msg ?? body.error ?? body;
  const text = typeof said === "string" ? said : JSON.stringify(said);
  // OpenRouter hides what the server behind it said.
  const raw = isRecord(body.metadata) ? body.metadata.raw : undefined;
  return raw === undefined ? text : `${text} (${typeof raw === "string" ? raw : JSON.stringify(raw)})`;
}

function asName(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The innermost cause says most: `fetch failed` means nothing, `ECONNREFUSED` does. */
function causeOf(thrown: unknown, scrub: Scrub): string {
  let error: unknown = thrown;
  for (let depth = 0; depth < 8 && isRecord(error) && error.cause !== undefined; depth++) error = error.cause;
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  const text = [code, message || String(error)].filter((part) => typeof part === "string").join(": ");
  return readableText(text, scrub).replace(/\.$/, "");
}
