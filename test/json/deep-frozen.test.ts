import { expect, test } from "vitest";
import { deepFrozen } from "../../src/json/deep-frozen.js";

test("a value is frozen itself, with all of its parts", () => {
  const value = deepFrozen({ a: [{ b: { c: [1] } }], d: null });

  expect([value, value.a, value.a[0], value.a[0]!.b, value.a[0]!.b.c].every(Object.isFrozen)).toBe(true);
});
