/** Reads one header by its lower-case name. */
export type HeaderReader = (name: string) => string | null | undefined;

/**
 * How long a server asks to wait. Unit: milliseconds. `undefined` when it does not say so in a form that is understood.
 *
 * Understands `retry-after-ms`, and `Retry-After` in seconds (also fractions) or as an HTTP date; a date in the past
 * means 0.
 */
export function readRetryAfter(header: HeaderReader, now: number = Date.now()): number | undefined {
  const exact = asCount(header("retry-after-ms"));
  if (exact !== undefined) return Math.ceil(exact);
  const asked = header("retry-after")?.trim();
  if (!asked) return undefined;
  const seconds = asCount(asked);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  const date = /[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function asCount(text: string | null | undefined): number | undefined {
  return text && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
