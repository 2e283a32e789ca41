/**
 * `wanted`, or `wanted` with a numeric suffix that is not taken. `suffixes` remembers where the search for each id
 * ended, so that a model that always uses the same id costs no more at its thousandth call.
 */
export function freeCallId(
  wanted: string,
  isTaken: (id: string) => boolean,
  suffixes: Map<string, number> = new Map(),
): string {
  if (wanted !== "" && !isTaken(wanted)) return wanted;
  const base = wanted === "" ? "call" : wanted;
  let suffix = suffixes.get(base) ?? (wanted === "" ? 1 : 2);
  while (isTaken(`${base}-${suffix}`)) suffix++;
  suffixes.set(base, suffix + 1);
  return `${base}-${suffix}`;
}
