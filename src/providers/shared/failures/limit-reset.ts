// The reset of a spent limit, for servers that refuse without `Retry-After`: they count each limit in headers of its
// own, and say of each what is left and when it is full again.
import { asDuration, type HeaderReader } from "./retry-after.js";

const OPENAI_LIMITS = [
  "requests",
  "tokens",
  "requests-minute",
  "tokens-minute",
  "requests-hour",
  "tokens-hour",
  "requests-day",
  "tokens-day",
  "project-requests",
  "project-tokens",
];
const ANTHROPIC_LIMITS = ["requests", "tokens", "input-tokens", "output-tokens"];

/** The headers for the rest and the reset of each limit: OpenAI and its relatives, Anthropic, gateways and the IETF's draft. */
const LIMITS: readonly (readonly [left: string, reset: string])[] = [
  ...OPENAI_LIMITS.map((name) => [`x-ratelimit-remaining-${name}`, `x-ratelimit-reset-${name}`] as const),
  ...ANTHROPIC_LIMITS.map(
    (name) => [`anthropic-ratelimit-${name}-remaining`, `anthropic-ratelimit-${name}-reset`] as const,
  ),
  ["x-ratelimit-remaining", "x-ratelimit-reset"],
  ["ratelimit-remaining", "ratelimit-reset"],
];

/** Until the last of the limits that are spent begins again. Unit: milliseconds. `undefined` when none says that it is. */
export function readLimitReset(header: HeaderReader, now: number = Date.now()): number | undefined {
  let longest: number | undefined;
  for (const [left, reset] of LIMITS) {
    const remaining = header(left);
    // A server with a single limit need not say that it is the spent one.
    if (remaining == null ? !left.endsWith("remaining") : !(Number(remaining) <= 0)) continue;
    const wait = untilReset(header(reset)?.trim() ?? "", now);
    if (wait !== undefined) longest = Math.max(longest ?? 0, wait);
  }
  return longest;
}

/** A reset is a duration, a date, a number of seconds, or a moment in seconds or milliseconds since 1970. */
function untilReset(said: string, now: number): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(said)) {
    const number = Number(said);
    if (number > 1e12) return Math.max(0, Math.ceil(number - now));
    return number > 1e9 ? Math.max(0, Math.ceil(number * 1_000 - now)) : Math.ceil(number * 1_000);
  }
  if (!/^\d{4}-\d\d-\d\dT/.test(said)) return asDuration(said);
  const date = Date.parse(said);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
