// How long a failed model call waits for its next attempt: longer with each of them, and as long as the server asks for.
import { isHarnessError, ProviderError } from "../../contracts/errors.js";
import type { RetrySettings } from "./retry.js";

/** How long to wait after so many attempts before the next one; `null` when there is not one. Unit: milliseconds. */
export function delayBefore(error: unknown, retries: number, settings: RetrySettings): number | null {
  if (!isHarnessError(error) || !error.retryable || retries >= settings.maxRetries) return null;
  const { baseMs, maxMs, jitter, maxRetryAfterMs, random } = settings;
  const asked = retryAfterOf(error);
  if (asked > maxRetryAfterMs) return null;
  const own = Math.min(maxMs, baseMs * 2 ** retries);
  return Math.max(asked, Math.round(own * (1 - jitter * random())));
}

/** The last error as the run ends with it: it says so when the server asked for a longer wait than is allowed. */
export function explained(error: unknown, { maxRetryAfterMs }: RetrySettings): unknown {
  if (!isHarnessError(error) || !error.retryable) return error;
  const asked = retryAfterOf(error);
  if (asked <= maxRetryAfterMs) return error;
  const { code, details, cause, status } = error as ProviderError;
  const seconds = Math.ceil(asked / 1000);
  return new ProviderError(code, {
    message: `${error.message} The server asks for a wait of ${seconds} s, longer than maxRetryAfterMs allows; try again after that.`,
    retryable: true,
    retryAfterMs: asked,
    ...(details !== undefined && { details }),
    ...(status !== undefined && { status }),
    cause: cause ?? error,
  });
}

function retryAfterOf(error: object): number {
  const asked = Reflect.get(error, "retryAfterMs");
  return typeof asked === "number" && asked > 0 ? asked : 0;
}
