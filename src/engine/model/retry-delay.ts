// The wait of a failed model call for its next attempt: longer with each of them, and as long as the server asks for.
import { isHarnessError, ProviderError } from "../../contracts/errors.js";
import type { RetrySettings } from "./retry.js";

/** The most tools of one request, at OpenAI and at most servers that speak its language. */
const COMMON_MAX_TOOLS = 128;

/** The wait after so many attempts before the next one; `null` when there is not one. Unit: milliseconds. */
export function delayBefore(error: unknown, retries: number, settings: RetrySettings): number | null {
  if (!isHarnessError(error) || !error.retryable || retries >= settings.maxRetries) return null;
  const { baseMs, maxMs, jitter, maxRetryAfterMs, random } = settings;
  const asked = retryAfterOf(error);
  if (asked > maxRetryAfterMs) return null;
  const own = Math.min(maxMs, baseMs * 2 ** retries);
  return Math.max(asked, Math.round(own * (1 - jitter * random())));
}

/** The last error as the run ends with it: it says so when the server asked for a longer wait than is allowed, or may have had too many tools. */
export function explained(error: unknown, { maxRetryAfterMs }: RetrySettings, tools: number): unknown {
  if (!isHarnessError(error)) return error;
  const { code, details, cause, status, retryable } = error as ProviderError;
  const asked = retryAfterOf(error);
  const isRefused = code === "BAD_REQUEST" && (status === 400 || status === 422);
  let advice: string;
  if (retryable && asked > maxRetryAfterMs) {
    advice = `The server asks for a wait of ${Math.ceil(asked / 1000)} s, longer than maxRetryAfterMs allows; try again after that.`;
  } else if (isRefused && tools > COMMON_MAX_TOOLS) {
    advice = `The request had ${tools} tools, and many APIs take at most ${COMMON_MAX_TOOLS}: if that is why, put deferTools() of "loopwright/mcp" around the registry.`;
  } else return error;
  return new ProviderError(code, {
    message: `${error.message} ${advice}`,
    retryable,
    ...(asked > 0 && { retryAfterMs: asked }),
    ...(details !== undefined && { details }),
    ...(status !== undefined && { status }),
    cause: cause ?? error,
  });
}

function retryAfterOf(error: object): number {
  const asked = Reflect.get(error, "retryAfterMs");
  return typeof asked === "number" && asked > 0 ? asked : 0;
}
