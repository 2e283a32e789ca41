import { expect, test } from "vitest";
import type { JsonObject, JsonSchema, JsonValue } from "../../src/contracts/json.js";
import { readToolArguments } from "../../src/schema/tool-arguments.js";

const objectOf = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const read = (properties: Record<string, JsonSchema>, args: JsonValue, required?: string[]) =>
  readToolArguments("sample", objectOf(properties, required), args);

test.each([
  ["integer", "12", 12],
  ["number", " -1.5 ", -1.5],
  ["integer", "1e9", "1e9"],
  ["integer", "0x10", "0x10"],
  ["number", "", ""],
  ["number", "9".repeat(16), "9".repeat(16)],
  ["boolean", "TRUE", true],
  ["boolean", " false", false],
  ["boolean", "yes", "yes"],
  ["array", '["a"]', ["a"]],
  ["array", '{"a":1}', '{"a":1}'],
  ["object", '{"a":1}', { a: 1 }],
  ["object", "null", "null"],
  ["object", "[]", "[]"],
  ["string", "12", "12"],
  ["string", "true", "true"],
  ["string", '["a"]', '["a"]'],
] satisfies [string, string, JsonValue][])("for %s, the string %j is %j", (type, sent, expected) => {
  expect(read({ value: { type } }, { value: sent })).toEqual({ value: expected });
});

test("null is left out where the argument may be, and stays where it may not", () => {
  const properties = { a: { type: "string" }, b: { type: "string" } };

  expect(read(properties, { a: null, b: null }, ["b"])).toEqual({ b: null });
});

test("what lies inside is read, too: in objects, in lists, and in strings that hold them", () => {
  const edits = { type: "array", items: objectOf({ line: { type: "integer" } }) };

  expect(read({ edits }, { edits: [{ line: "1" }, { line: 2 }] })).toEqual({ edits: [{ line: 1 }, { line: 2 }] });
  expect(read({ edits }, { edits: '[{"line":"1"}]' })).toEqual({ edits: [{ line: 1 }] });
});

test("an object without named properties is free", () => {
  const args: JsonObject = { anything: "12", more: null };

  expect(readToolArguments("sample", { type: "object" }, args)).toEqual(args);
});

test.each([
  ["file_path", { path: { type: "string" } }, ' Did you mean "path"? It takes path.', "path"],
  ["ignore-case", { "-i": { type: "boolean" } }, ' Did you mean "-i"? It takes -i.', "-i"],
  [
    "patern",
    { pattern: { type: "string" }, glob: { type: "string" } },
    ' Did you mean "pattern"? It takes pattern, glob.',
    "pattern",
  ],
  ["append", { url: { type: "string" } }, " It takes url.", undefined],
  ["x", {}, " It takes no arguments.", undefined],
  ["constructor", { url: { type: "string" } }, " It takes url.", undefined],
])("the unknown argument %s is refused, with what was meant", (name, properties, hint, didYouMean) => {
  expect(() => read(properties, { [name]: 1 })).toThrow(
    expect.objectContaining({
      code: "TOOL_INPUT_INVALID",
      message: `Tool "sample" has no argument "${name}".${hint} Nothing was done.`,
      details: { argument: name, ...(didYouMean !== undefined && { didYouMean }) },
    }),
  );
});

test("an unknown argument inside is named with its place", () => {
  const edits = { type: "array", items: objectOf({ line: { type: "integer" } }) };

  expect(() => read({ edits }, { edits: [{ line: 1 }, { zeile: 1 }] })).toThrow(
    '"edits[1]" of tool "sample" has no argument "zeile".',
  );
});
