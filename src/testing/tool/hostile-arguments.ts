import type { JsonObject, JsonValue } from "../../contracts/json.js";

/** Arguments that no tool accepts. */
export const GARBAGE: readonly JsonValue[] = [null, 0, 42, "", "text", true, [], [{}], [null]];

/** The member of every object once arguments have changed `Object.prototype`. */
export const POLLUTED_KEY = "pollutedByContract";

const POLLUTION = { [POLLUTED_KEY]: true };

/** Arguments made from valid ones, which a careless tool would break on. */
export const HOSTILE: readonly ((sample: JsonObject) => JsonValue)[] = [
  (sample) => withKey(sample, "__proto__", POLLUTION),
  (sample) => withKey(sample, "constructor", { prototype: POLLUTION }),
  (sample) => withKey(sample, "extra", nested(250)),
  ...["\u0000", "\ud800", "../".repeat(50), "x".repeat(1_000_000), "; $(x) `x` #"].map(
    (text) => (sample: JsonObject) => mapValues(sample, () => text),
  ),
  ...[null, {}, [], -1, 1e308, POLLUTION, nested(250)].map(
    (value) => (sample: JsonObject) => mapValues(sample, () => value as JsonValue),
  ),
];

/** Also for `__proto__`, which an assignment would not make a key of its own. */
function withKey(sample: JsonObject, key: string, value: JsonValue): JsonObject {
  const copy = structuredClone(sample);
  Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
  return copy;
}

function mapValues(sample: JsonObject, map: () => JsonValue): JsonObject {
  return Object.fromEntries(Object.keys(sample).map((key) => [key, map()]));
}

function nested(depth: number): JsonValue {
  let value: JsonValue = {};
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}
