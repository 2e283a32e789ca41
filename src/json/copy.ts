import type { JsonValue } from "../contracts/json.js";

/** Deepest nesting of arguments the engine accepts; recursive validators and serialisers fail far beyond it. */
export const MAX_JSON_DEPTH = 256;

/** Why a value is not JSON the engine accepts. */
export class NotJsonError extends Error {}

/**
 * An own copy of a JSON value: nothing is shared with the source but strings.
 *
 * `__proto__` stays an ordinary own key. `undefined` properties are left out.
 *
 * @throws NotJsonError for functions, cycles and anything else nested deeper than `MAX_JSON_DEPTH`
 */
export function copyJson(value: unknown, freeze = false): JsonValue {
  return copyAt(value, freeze, 0);
}

function copyAt(value: unknown, freeze: boolean, depth: number): JsonValue {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object") throw new NotJsonError(`a value of type ${typeof value} is not JSON`);
  if (depth >= MAX_JSON_DEPTH) throw new NotJsonError(`it is nested deeper than ${MAX_JSON_DEPTH} levels`);
  const copy = Array.isArray(value) ? copyArray(value, freeze, depth) : copyObject(value, freeze, depth);
  if (freeze) Object.freeze(copy);
  return copy;
}

function copyArray(value: readonly unknown[], freeze: boolean, depth: number): JsonValue[] {
  return value.map((item) => (item === undefined ? null : copyAt(item, freeze, depth + 1)));
}

function copyObject(value: object, freeze: boolean, depth: number): { [key: string]: JsonValue } {
  const copy: { [key: string]: JsonValue } = {};
  const keys = Object.keys(value);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    const item: unknown = value[key as never];
    if (item === undefined) continue;
    const kept = copyAt(item, freeze, depth + 1);
    if (key === "__proto__") Object.defineProperty(copy, key, { value: kept, enumerable: true, configurable: true });
    else copy[key] = kept;
  }
  return copy;
}

/** Whether two JSON values say the same; key order does not count. Stops at the first difference. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key as never], b[key as never]));
}

/** JSON text that is the same for equal values: keys are sorted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
