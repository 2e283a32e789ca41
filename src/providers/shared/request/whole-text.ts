/**
 * A text as servers take it: half of a surrogate pair, for which some refuse the whole request, becomes U+FFFD.
 *
 * Models write such halves, and tools cut texts between them. The transcript keeps what was said.
 */
export function wholeText(text: string): string {
  return text.toWellFormed();
}

/** A JSON value whose strings, names included, servers take: see `wholeText`. The same value when there is nothing to replace. */
export function wholeJson<T>(value: T): T {
  return isWhole(value) ? value : (replaced(value) as T);
}

function isWhole(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWhole);
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWhole(inner));
}

function replaced(value: unknown): unknown {
  if (typeof value === "string") return wholeText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(replaced);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [wholeText(name), replaced(inner)]));
}
