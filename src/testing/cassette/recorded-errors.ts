import {
  type ErrorCode,
  HarnessError,
  isHarnessError,
  ProviderError,
  type ProviderErrorCode,
} from "../../contracts/errors.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import type { RecordedError } from "./cassette-lines.js";

/** An error as JSON. */
export function recordedError(thrown: unknown): RecordedError {
  if (!(thrown instanceof Error)) return { name: "", message: String(thrown) };
  const { name, message } = thrown;
  if (!isHarnessError(thrown)) return { name, message };
  const { retryAfterMs, status } = thrown as Partial<ProviderError>;
  const { code, retryable, details } = thrown;
  return {
    name,
    message,
    code,
    retryable,
    ...(details !== undefined && { details }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(status !== undefined && { status }),
  };
}

/** The error again: of this library when it was, by its code. */
export function errorOf({ name, message, code, ...rest }: RecordedError): unknown {
  if (name === "") return message;
  if (code === undefined) return Object.assign(new Error(message), { name });
  const options = {
    message,
    ...(rest.retryable !== undefined && { retryable: rest.retryable }),
    ...(rest.details !== undefined && { details: rest.details }),
  };
  if (name !== "ProviderError") return new HarnessError(code as ErrorCode, options);
  const { retryAfterMs, status } = rest;
  return new ProviderError(code as ProviderErrorCode, {
    ...options,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(status !== undefined && { status }),
  });
}

/** An event as JSON. */
export function recordedEvent(event: ProviderEvent): JsonObject {
  if (event.type !== "restart") return event as unknown as JsonObject;
  return { ...event, error: recordedError(event.error) as unknown as JsonValue };
}

/** The event again. */
export function eventOf(recorded: JsonObject): ProviderEvent {
  if (recorded.type !== "restart") return recorded as unknown as ProviderEvent;
  const error = errorOf(recorded.error as unknown as RecordedError);
  return { ...recorded, error } as unknown as ProviderEvent;
}
