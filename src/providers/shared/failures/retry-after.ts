// Serves: OpenAI, Azure, Groq and Google, which write the wait into headers, fields or the message; OpenRouter, which repeats headers.
import { type Fields, isObject } from "../../../json/is-object.js";

/** Reads one header by its lower-case name. */
export type HeaderReader = (name: string) => string | null | undefined;

/**
 * The wait that a server asks for. Unit: milliseconds. `undefined` when no form of it is understood.
 *
 * Understands `retry-after-ms`, and `Retry-After` in seconds (also fractions) or as an HTTP date; a date in the past means 0.
 */
export function readRetryAfter(header: HeaderReader, now: number = Date.now()): number | undefined {
  const exact = asCount(header("retry-after-ms"));
  if (exact !== undefined) return Math.ceil(exact);
  const asked = header("retry-after")?.trim();
  if (!asked) return undefined;
  const seconds = asSeconds(asked);
  if (seconds !== undefined) return seconds;
  const date = /^[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function asCount(text: string | null | undefined): number | undefined {
  return text && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** "retry in 48.9s", "try again after 5 minutes", "resets in 6hr 29min", "available in 3 minutes", "wait 21 seconds". */
const WAIT =
  /(?:(?:retry|again|resets?|available)(?: \w+){0,2} (?:in|after):?|\bwait(?: for)?) ([\d.]+ ?[a-z]+(?: ?[\d.]+ ?[a-z]+)*)/i;

/** The words of llama.cpp and Hugging Face until a model is in memory, which takes longer than a busy server. */
const LOADING = /\bloading model\b|\bis (?:currently |still )?loading\b/i;

/**
 * The wait that the body of a refusal asks for. Unit: milliseconds. Google has a `RetryInfo` for it, OpenRouter repeats the
 * headers of the server behind it, and many write it into the message: "retry in 48.9s", "try again in 1m30s".
 */
export function readRetryDelay(body: unknown, message: string, now: number = Date.now()): number | undefined {
  for (const fields of objectsIn(body)) {
    const { retryDelay, resets_in_seconds, resets_at } = fields;
    const asked =
      asDuration(retryDelay) ??
      retryAfterIn(fields) ??
      asSeconds(resets_in_seconds) ??
      untilMoment(resets_at, now) ??
      resetIn(fields, now);
    if (asked !== undefined) return asked;
  }
  return asDuration(WAIT.exec(message)?.[1]) ?? (LOADING.test(message) ? 10_000 : undefined);
}

/** Gateways repeat the header as a field, in a spelling of their own. */
function retryAfterIn(fields: Fields): number | undefined {
  for (const [name, value] of Object.entries(fields)) {
    if (!/^retry[_-]?after(?:[_-]?(?:ms|s|seconds))?$/i.test(name)) continue;
    const asked = asSeconds(value) ?? asDuration(value);
    if (asked !== undefined) return /ms$/i.test(name) ? Math.ceil(asked / 1_000) : asked;
  }
  return undefined;
}

/** Whether a refusal of Google's is about the quota of a day: it names a short wait all the same. */
export function isDailyQuota(body: unknown): boolean {
  return [...objectsIn(body)].some(({ quotaId }) => /per ?day/i.test(String(quotaId)));
}

/** The objects inside a refusal, a few levels deep. */
function* objectsIn(value: unknown, depth = 0): Generator<Fields> {
  if (typeof value !== "object" || value === null || depth > 6) return;
  if (isObject(value)) yield value;
  for (const child of Object.values(value).slice(0, 50)) yield* objectsIn(child, depth + 1);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as "1m30s", or Google's object of seconds. Unit: milliseconds. */
export function asDuration(value: unknown): number | undefined {
  if (isObject(value)) return asSeconds(value.seconds);
  if (typeof value !== "string") return undefined;
  let total: number | undefined;
  for (const [, count, word = ""] of value.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/gi)) {
    const unit = UNITS[/^ms|^milli/i.test(word) ? "ms" : word.charAt(0).toLowerCase()];
    if (unit === undefined) break;
    total = (total ?? 0) + Number(count) * unit;
  }
  return total === undefined ? undefined : Math.ceil(total);
}

function asSeconds(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? asCount(value) : value;
  return typeof seconds === "number" && seconds >= 0 && Number.isFinite(seconds)
    ? Math.ceil(seconds * 1_000)
    : undefined;
}

/** OpenAI says in seconds since 1970 when a plan's limit ends, others as a date. */
function untilMoment(said: unknown, now: number): number | undefined {
  const moment =
    typeof said === "number" && said > 1e9 ? said * 1_000 : typeof said === "string" ? Date.parse(said) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}

/** OpenRouter quotes when a limit ends as milliseconds since 1970. */
function resetIn(headers: Fields, now: number): number | undefined {
  const reset = Number(headers["X-RateLimit-Reset"] ?? headers["x-ratelimit-reset"]);
  return reset > 1e12 ? Math.max(0, reset - now) : undefined;
}
