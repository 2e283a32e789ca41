// How long parts of the host are waited for that must not be interrupted.

/**
 * How long an ended run waits for its session to open, so that its prompt is on record. A write gets at least as long, also where
 * `abandonMs` is less. Unit: milliseconds.
 */
export const OPENING_PATIENCE_MS = 250;

/** How long a write, or an unlock, is waited for. Unit: milliseconds. */
export function patienceOf({ abandonMs }: { readonly abandonMs: number }): number {
  return Math.max(abandonMs, OPENING_PATIENCE_MS);
}
