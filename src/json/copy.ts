// Copies, comparisons and the canonical text of JSON values, each in one place.
import type { JsonValue } from "../contracts/json.js";

/** Deepest nesting of arguments the engine accepts; recursive validators and serialisers fail far beyond it. */
export const MAX_JSON_DEPTH = 256;
/** More values than anyone means to pass: few objects that refer to each other can unfold into more than memory holds. */
export const MAX_JSON_VALUES = 4_000_000;

/** The reason why a value is not JSON the engine accepts. */
export class NotJsonError extends Error {}

/** The form of a copy, and how many more values it may have. */
interface CopyState {
  readonly freeze: boolean;
  valuesLeft: number;
}

/**
 * An independent copy of a JSON value: only strings are shared with the source.
 *
 * `__proto__` stays an ordinary own key. As with `JSON.stringify`, `undefined` properties are left out, numbers that JSON does not
 * have become `null`, and what has a `toJSON`, such as a date, is what that returns.
 *
 * @throws NotJsonError for functions, cycles and anything else nested deeper than `MAX_JSON_DEPTH`, and for more than
 * `MAX_JSON_VALUES` values
 */
export function copyJson(value: unknown, freeze = false): JsonValue {
  return copyAt(value, { freeze, valuesLeft: MAX_JSON_VALUES }, 0);
}

function copyAt(given: unknown, state: CopyState, depth: number): JsonValue {
  const toJson: unknown = (given as { toJSON?: unknown } | null | undefined)?.toJSON;
  const value: unknown = typeof toJson === "function" ? toJson.call(given, "") : given;
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object") throw new NotJsonError(`a value of type ${typeof value} is not JSON`);
  if (depth >= MAX_JSON_DEPTH) throw new NotJsonError(`it is nested deeper than ${MAX_JSON_DEPTH} levels`);
  const copy = Array.isArray(value) ? copyArray(value, state, depth) : copyObject(value, state, depth);
  if (state.freeze) Object.freeze(copy);
  return copy;
}

function copyArray(value: readonly unknown[], state: CopyState, depth: number): JsonValue[] {
  takeValues(state, value.length);
  return value.map((item) => (item === undefined ? null : copyAt(item, state, depth + 1)));
}

function copyObject(value: object, state: CopyState, depth: number): { [key: string]: JsonValue } {
  const copy: { [key: string]: JsonValue } = {};
  const keys = Object.keys(value);
  takeValues(state, keys.length);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    const item: unknown = value[key as never];
    if (item === undefined) continue;
    const kept = copyAt(item, state, depth + 1);
    if (key === "__proto__") Object.defineProperty(copy, key, { value: kept, enumerable: true, configurable: true });
    else copy[key] = kept;
  }
  return copy;
}

function takeValues(state: CopyState, count: number): void {
  state.valuesLeft -= count;
  if (state.valuesLeft < 0) throw new NotJsonError(`it has more than ${MAX_JSON_VALUES} values`);
}

/**
 * A frozen copy of a value that a program wrote as JSON, such as a schema; properties that are `undefined` are left out.
 *
 * Stricter than `copyJson`: instances of classes and numbers that JSON does not have are mistakes here.
 *
 * @throws TypeError for anything that is not JSON, such as a function, a schema instance or a cycle, and for more values than a
 * program writes
 */
export function freezeLiteralJson(value: unknown): JsonValue {
  if (!isWithinValues(value))
    throw new TypeError(`it refers to itself (use $ref), or has more than ${MAX_WALKED_VALUES} values`);
  return freezeLiteralAt(value);
}

function freezeLiteralAt(value: unknown): JsonValue {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object") throw new TypeError(`it holds a ${typeof value}, which is not JSON`);
  if (Array.isArray(value)) return Object.freeze(value.map((item) => freezeLiteralAt(item))) as JsonValue[];
  if (!isPlainObject(value)) throw new TypeError(`it holds ${nameOf(value)}, which is not JSON`);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.freeze(Object.fromEntries(entries.map(([key, inner]) => [key, freezeLiteralAt(inner)])));
}

/** Also true for plain objects of another realm, whose `Object.prototype` is not ours. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  const isZod = "_zod" in value || "_def" in value;
  return isZod ? "a zod schema (put the fields into z.object({ … }))" : "an instance of a class";
}

/** Whether two JSON values are equal; key order does not count. Stops at the first difference. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b || Object.is(a, b)) return true;
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

// ── walks: parts of a value may be shared or refer to themselves, so each has a budget ───────────────────────────────

/** More values than anyone means to show or to measure. */
const MAX_WALKED_VALUES = 1_000_000;

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
