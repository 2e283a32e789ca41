import { expect, test } from "vitest";
import { isObject } from "../../src/json/is-object.js";

test("an object has named fields: null, an array, a function and what is no object at all have not", () => {
  expect([{}, Object.create(null), new Map()].every(isObject)).toBe(true);
  expect([null, undefined, [], () => 0, "a", 1, true].some(isObject)).toBe(false);
});
