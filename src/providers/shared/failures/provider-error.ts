import { ProviderError, type ProviderErrorCode } from "../../../contracts/errors.js";
import type { JsonObject } from "../../../contracts/json.js";
import { failureCodeOf } from "./failure-codes.js";
import { isSpent } from "./quota.js";
import { readableText } from "./readable-text.js";
import { asDuration, type HeaderReader, readRetryAfter, readRetryDelay } from "./retry-after.js";
import type { Scrub } from "./secrets.js";

/** A refusal as a server sent it, before it is understood. */
interface Refusal {
  /** The adapter's `id`, for the message. */
  readonly provider: string;
  readonly model: string;
  /** The HTTP status; absent for an error inside a stream that does not name one. */
  readonly status?: number | undefined;
  /** The vendor's own code and type, e.g. `"insufficient_quota"`. */
  readonly code?: string | undefined;
  readonly type?: string | undefined;
  /** All its names, `code` and `type` among them. */
  readonly names: readonly string[];
  readonly message: string;
  readonly header?: HeaderReader | undefined;
  /** The whole body, parsed when it was JSON: some servers name the wait there. */
  readonly body?: unknown;
}

/** Longest part of a message that is read. Unit: characters. */
const MAX_READ_CHARS = 20_000;

/** Each failure of a provider, and whether another attempt may end otherwise. */
export const IS_RETRYABLE: Readonly<Record<ProviderErrorCode, boolean>> = {
  RATE_LIMITED: true,
  OVERLOADED: true,
  TIMEOUT: true,
  CONNECTION: true,
  SERVER: true,
  STREAM_BROKEN: true,
  CONTEXT_TOO_LONG: false,
  AUTH: false,
  BAD_REQUEST: false,
  CONTENT_FILTERED: false,
  RESPONSE_TOO_LARGE: false,
  PROVIDER_FAILED: false,
  CACHE_BROKEN: false,
};

/** Turns a refusal into the error that hosts and retries understand. The message is bounded and holds no secrets. */
export function toProviderError(refusal: Refusal, scrub: Scrub): ProviderError {
  const { provider, model, message, header, status } = refusal;
  const names = refusal.names.join(" ").toLowerCase();
  const text = message.slice(0, MAX_READ_CHARS).toLowerCase();
  const code = failureCodeOf(status, names, text);
  const asked = (header && readRetryAfter(header)) ?? readRetryDelay(refusal.body, text);
  const isLimit = code === "RATE_LIMITED";
  const spent = isLimit && isSpent({ status, names, text, body: refusal.body }, asked);
  const retryAfterMs = asked ?? (isLimit && !spent && header ? readLimitReset(header) : undefined);
  // Anthropic and OpenAI know of some failures that repeating them is in vain.
  const isVain = spent || header?.("x-should-retry")?.trim() === "false";
  const said = readableText(message, scrub) || "nothing that explains it";
  return new ProviderError(code, {
    message: `Provider "${provider}" refused the request for model "${model}"${status ? ` with status ${status}` : ""}: ${said}${/[.!?…]$/.test(said) ? "" : "."}${remedy(code, spent, status)}`,
    retryable: IS_RETRYABLE[code] && !isVain,
    details: detailsOf(refusal, scrub),
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function remedy(code: ProviderErrorCode, spent: boolean, status: number | undefined): string {
  if (spent) return " Waiting does not help: check the account's quota and limits.";
  if (code === "AUTH") return " Check the API key and its rights.";
  if (status !== undefined && status < 400) return " The server redirects: check baseURL.";
  if (status === 404 || status === 405) return " Check the model's name and the path of baseURL: most end in /v1.";
  return "";
}

function detailsOf({ code, type, header }: Refusal, scrub: Scrub): JsonObject {
  const requestId = header?.("x-request-id") ?? header?.("request-id");
  const bounded = (value: string) => scrub(value).slice(0, 200);
  return {
    ...(code && { vendorCode: bounded(code) }),
    ...(type && { vendorType: bounded(type) }),
    ...(requestId && { requestId: bounded(requestId) }),
  };
}

// Serves: OpenAI, Anthropic, Cerebras, OpenRouter and servers by the IETF's draft on rate limits, which count each limit in headers of
// its own, with what is left of it and when it is full again: the reset where a refusal has no `Retry-After`.
const OPENAI_LIMITS = ["requests", "tokens"].flatMap((of) => [
  of,
  `${of}-minute`,
  `${of}-hour`,
  `${of}-day`,
  `project-${of}`,
]);
const ANTHROPIC_LIMITS = ["requests", "tokens", "input-tokens", "output-tokens"];

/** The headers for the rest and the reset of each limit. */
const LIMITS: readonly (readonly [left: string, reset: string])[] = [
  ...OPENAI_LIMITS.map((of) => [`x-ratelimit-remaining-${of}`, `x-ratelimit-reset-${of}`] as const),
  ...ANTHROPIC_LIMITS.map((of) => [`anthropic-ratelimit-${of}-remaining`, `anthropic-ratelimit-${of}-reset`] as const),
  ["x-ratelimit-remaining", "x-ratelimit-reset"],
  ["ratelimit-remaining", "ratelimit-reset"],
];

/** Until the last of the limits that are spent begins again. Unit: milliseconds. `undefined` when none says that it is. */
export function readLimitReset(header: HeaderReader, now: number = Date.now()): number | undefined {
  const waits = LIMITS.flatMap(([left, reset]) => {
    const remaining = header(left);
    return remaining != null && Number(remaining) <= 0 ? (untilReset(header(reset)?.trim() ?? "", now) ?? []) : [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** A reset is a duration, a date, a number of seconds, or a moment in milliseconds since 1970. */
function untilReset(said: string, now: number): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(said)) {
    const number = Number(said);
    return Math.max(0, Math.ceil(number > 1e12 ? number - now : number * 1_000));
  }
  if (!/^\d{4}-\d\d-\d\dT/.test(said)) return asDuration(said);
  const date = Date.parse(said);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
