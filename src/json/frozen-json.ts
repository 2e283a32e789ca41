import type { JsonValue } from "../contracts/json.js";

/**
 * A frozen copy of a JSON value, keys in their order; properties that are `undefined` are left out.
 *
 * @throws TypeError for anything that is not JSON, such as a function, a schema instance or a cycle
 */
export function frozenJson(value: unknown, ancestors: readonly object[] = []): JsonValue {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object") throw new TypeError(`it holds a ${typeof value}, which is not JSON`);
  if (ancestors.includes(value)) throw new TypeError("it refers to itself; use $ref");
  const inside = [...ancestors, value];
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenJson(item, inside))) as JsonValue[];
  if (!isPlain(value)) throw new TypeError(`it holds ${nameOf(value)}, which is not JSON`);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.freeze(Object.fromEntries(entries.map(([key, inner]) => [key, frozenJson(inner, inside)])));
}

/** Also true for plain objects of another realm, whose `Object.prototype` is not ours. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  const isZod = "_zod" in value || "_def" in value;
  return isZod ? "a zod schema (put the fields into z.object({ … }))" : "an instance of a class";
}
