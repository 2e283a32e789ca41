// One way through values that come from outside: their parts may be shared or refer to themselves, so a walk has a budget.

/** More values than anyone means to show or to measure. */
export const MAX_WALKED_VALUES = 1_000_000;

/**
 * Calls `visit` for a value and everything in it, each with the key it lies at ("" for the value itself) and its depth, until a visit
 * answers `false` or `maxValues` have been visited. Never calls itself, however deep a value is. What throws when it is looked at
 * counts as empty.
 *
 * Returns whether everything was visited. A part that is shared is visited once for each way to it.
 */
export function walkJson(
  value: unknown,
  visit: (value: unknown, key: string, depth: number) => boolean,
  maxValues = MAX_WALKED_VALUES,
): boolean {
  const waiting: { readonly value: object; readonly depth: number }[] = [];
  let left = maxValues;
  const see = (each: unknown, key: string, depth: number) => {
    if (left-- <= 0 || !visit(each, key, depth)) return false;
    if (typeof each === "object" && each !== null) waiting.push({ value: each, depth });
    return true;
  };
  if (!see(value, "", 0)) return false;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const key of keysOf(next.value)) if (!see(partOf(next.value, key), key, next.depth + 1)) return false;
  }
  return true;
}

function keysOf(value: object): readonly string[] {
  try {
    return Object.keys(value);
  } catch {
    return [];
  }
}

function partOf(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

/** Whether a value has at most `maxValues` values in it, counted along every way to them. */
export function isWithinValues(value: unknown, maxValues = MAX_WALKED_VALUES): boolean {
  return walkJson(value, () => true, maxValues);
}

/** Whether arrays and objects lie in one another more than `levels` deep, or have more than `maxValues` values. */
export function isDeeperThan(levels: number, value: unknown, maxValues?: number): boolean {
  const isContainer = (each: unknown) => typeof each === "object" && each !== null;
  return !walkJson(value, (each, _key, depth) => depth <= levels || !isContainer(each), maxValues);
}
