import { expect, test } from "vitest";
import { parseJson } from "../../src/json/parse-json.js";

test("a JSON text is its value, null among them; any other text is undefined", () => {
  expect([' {"a":[1]} ', "null", '"a"', "{", ""].map(parseJson)).toEqual([{ a: [1] }, null, "a", undefined, undefined]);
});
