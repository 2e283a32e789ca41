// Schemas as MCP servers publish them, and what becomes of them.
import { expect, test } from "vitest";
import type { JsonSchema } from "../../../../src/contracts/json.js";
import { toGoogleSchema } from "../../../../src/providers/google/google-schema.js";
import { toStrictSchema } from "../../../../src/providers/openai/strict-schema.js";
import { validSchema } from "../../../../src/providers/shared/request/valid-schema.js";

function of(x: unknown, rest: object = {}): JsonSchema {
  return { type: "object", properties: { x }, ...rest } as JsonSchema;
}

test("what is valid stays the very same, and is looked at once", () => {
  const schema = of(
    { type: "array", items: { $ref: "#/$defs/a" } },
    { required: ["x"], $defs: { a: { type: "string" } } },
  );

  expect(validSchema(schema)).toBe(schema);
  expect(validSchema(of({ type: "list" }))).not.toBe(validSchema(of({ type: "list" })));
});

test.each<[string, unknown, unknown]>([
  ["an array of anything", { type: ["array", "null"] }, { type: ["array", "null"], items: {} }],
  [
    "a tuple of an older draft",
    { type: "array", items: [{ type: "str" }], additionalItems: false },
    { type: "array", prefixItems: [{ type: "string" }], items: {}, maxItems: 1 },
  ],
  [
    "bounds of draft 4",
    { type: "integer", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    { type: "integer", exclusiveMinimum: 0, maximum: 9 },
  ],
  ["a type by another name", { type: "FLOAT" }, { type: "number" }],
  ["a type that is none", { type: "any", description: "A." }, { description: "A." }],
  ["a type that is not known", { type: "date" }, { description: '(type: "date")' }],
  ["a type alone", "string", { type: "string" }],
  ["required in itself", { type: "string", required: false }, { type: "string" }],
  [
    "required twice",
    { type: "object", properties: { a: { type: "object", required: true } }, required: ["b", "b"] },
    { type: "object", properties: { a: { type: "object" } }, required: ["b", "a"] },
  ],
  [
    "values of the wrong kind",
    { type: "string", minLength: "3", title: null },
    { type: "string", description: '(minLength: "3")' },
  ],
  [
    "a reference to nothing",
    { $ref: "#/$defs/none" },
    { description: '(#ref: "#/$defs/none")'.replace("#ref", "$ref") },
  ],
])("%s becomes valid", (_what, given, expected) => {
  expect(validSchema(of(given)).properties).toEqual({ x: expected });
});

test("references to other places than definitions lead to definitions", () => {
  const pair = {
    type: "array",
    items: [{ type: "object", properties: { again: { $ref: "#/properties/x/items/0" } } }],
  };

  const valid = validSchema({
    ...of({ ...pair, additionalItems: { $ref: "#/properties/x/items/0" } }),
    $schema: "draft-07",
  });

  const item = { type: "object", properties: { again: { $ref: "#/$defs/properties_x_items_0" } } };
  expect(valid).toEqual({
    type: "object",
    properties: {
      x: { type: "array", prefixItems: [item], items: { $ref: "#/$defs/properties_x_items_0" } },
    },
    $defs: { properties_x_items_0: item },
  });
});

test("properties that are called like keywords are properties", () => {
  const properties = {
    type: { type: "string" },
    $ref: { type: "string" },
    items: { type: "number" },
    required: { type: "boolean" },
  };
  const schema = { type: "object", properties } as JsonSchema;

  expect(validSchema(schema)).toBe(schema);
});

test("deep schemas are left as they are below a hundred levels", () => {
  let deep: JsonSchema = { type: "str" };
  for (let level = 0; level < 2_000; level++) deep = { type: "object", properties: { inner: deep } };

  for (const convert of [validSchema, toGoogleSchema, toStrictSchema]) {
    expect(JSON.stringify(convert(deep))).toContain('"str"');
  }
});
