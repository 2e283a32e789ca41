// Serves: OpenAI, Anthropic, Cerebras, OpenRouter and servers by the IETF's draft on rate limits.
// The reset of a spent limit, where a refusal has no `Retry-After`: these servers count each limit in headers of its own, with
// what is left of it and when it is full again.
import { asDuration, type HeaderReader } from "./retry-after.js";

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
