import { expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import type { JsonValue } from "../../src/contracts/json.js";
import { createSchema, type ToolSchema } from "../../src/schema/input-schema.js";
import { SchemaIssues } from "../../src/schema/schema-issues.js";

async function issuesOf(schema: ToolSchema, value: JsonValue): Promise<string> {
  const wrapped = createSchema(schema, "schema", { objectOnly: false });
  await wrapped.ready();
  try {
    await wrapped.parse(value);
  } catch (error) {
    if (error instanceof SchemaIssues) return error.message;
    throw error;
  }
  return "";
}

test.each([
  ["zod 4", z.array(z.string()), ["a"]],
  ["zod 3", z3.array(z3.string()), ["a"]],
  ["JSON Schema", { type: "array", items: { type: "string" } }, ["a"]],
  ["zod 4 text", z.string(), '{"a":1}'],
  ["anything", {}, "text"],
])("any top level works when objects are not required: %s", async (_kind, schema, value) => {
  const wrapped = createSchema(schema as ToolSchema, "output schema", { objectOnly: false });

  await wrapped.ready();

  expect(await wrapped.parse(value)).toEqual(value);
  expect(Object.isFrozen(wrapped.jsonSchema())).toBe(true);
});

test("JSON text is not taken for an object where any top level is allowed", async () => {
  expect(await issuesOf(z.object({}), "{}")).toBe('- the whole value: expected object, got string "{}"');
});

test("ready() loads once, and a schema that cannot be used fails it with its label", async () => {
  const good = createSchema(z3.object({}), "output schema");
  const bad = createSchema(z3.string() as ToolSchema, "output schema");

  expect(good.ready()).toBe(good.ready());
  await good.ready();
  expect(good.jsonSchema()).toBe(good.jsonSchema());
  await expect(bad.ready()).rejects.toThrow(/^The output schema cannot be used: its top level must have type "object"/);
});

test("a hand-written schema with properties needs no type", async () => {
  const schema = createSchema({ properties: { a: { type: "string" } } }, "schema");
  await schema.ready();

  expect(schema.jsonSchema()).toEqual({ type: "object", properties: { a: { type: "string" } } });
  await expect(async () => schema.parse(5)).rejects.toThrow("expected object, got number 5");
});

test("the dialect of a JSON Schema decides how it is read", async () => {
  const pair = { items: [{ type: "string" }], additionalItems: false };
  const draft7 = { ...pair, $schema: "http://json-schema.org/draft-07/schema#" };
  const sibling = { $ref: "#/definitions/a", maxLength: 1, definitions: { a: { type: "string" } } };

  expect(await issuesOf(draft7, ["a", "b"])).toBe('- "[1]": expected nothing here, got string "b"');
  expect(await issuesOf({ ...sibling, $schema: draft7.$schema }, "long")).toBe("");
  expect(await issuesOf(sibling, "long")).toBe('- the whole value: expected maxLength 1, got string "long"');
});

test.each<[string, JsonValue, JsonValue, string]>([
  ["type list", { type: ["string", "null"] }, 5, "expected string or null, got number 5"],
  ["const", { const: { a: 1 } }, 5, 'expected {"a":1}, got number 5'],
  ["pattern", { pattern: "^a" }, "b", 'expected pattern ^a, got string "b"'],
  ["format", { format: "email" }, "b", 'expected format email, got string "b"'],
  ["minimum", { minimum: 3 }, 2, "expected minimum 3, got number 2"],
  ["not", { not: { type: "string" } }, "b", 'Instance matched "not" schema, got string "b"'],
  ["never", false as never, 1, ""],
])("a JSON Schema failure reads well: %s", async (_keyword, part, value, expected) => {
  const schema = { properties: { x: part } };

  const message = await issuesOf(schema, { x: value });

  expect(message).toBe(part === false ? '- the whole value: expected no unknown keys, got "x"' : `- "x": ${expected}`);
});

test("a value that matches two alternatives of oneOf is reported so", async () => {
  const message = await issuesOf({ oneOf: [{ type: "number" }, { minimum: 1 }, { type: "string" }] }, 5);

  expect(message).toContain("exactly one subschema (2 matches), got number 5");
});

test("a wrong property name is named, not its value", async () => {
  const message = await issuesOf(
    { propertyNames: { maxLength: 3 }, properties: { a: { type: "string" } } },
    { long: 1 },
  );

  expect(message).toContain('Property name "long" does not match schema');
  expect(message.split("\n")).toHaveLength(1);
});
