// How long parts of the host are waited for that must not be interrupted.

/** A store is given this long even where `abandonMs` is less: a write that lands after all would confuse the next run. */
const LEAST_PATIENCE_MS = 250;

/** How long a store, or another part that must not be interrupted, is waited for. Unit: milliseconds. */
export function patienceOf({ abandonMs }: { readonly abandonMs: number }): number {
  return Math.max(abandonMs, LEAST_PATIENCE_MS);
}
