import { expect, test } from "vitest";
import { objectSchema } from "../../../../src/providers/shared/request/object-schema.js";

const A = { type: "object", properties: { a: { type: "string" }, kind: { const: "a" } }, required: ["a", "kind"] };
const B = { type: "object", properties: { b: { type: "number" }, kind: { const: "b" } }, required: ["kind"] };

test("an object stays as it is", () => {
  expect(objectSchema(A)).toBe(A);
});

test("a root without a type becomes an object", () => {
  expect(objectSchema({ properties: { a: {} } })).toEqual({ type: "object", properties: { a: {} } });
});

test("alternatives become one object: all properties, and what all of them require", () => {
  expect(objectSchema({ anyOf: [A, B] })).toEqual({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "number" }, kind: { anyOf: [{ const: "a" }, { const: "b" }] } },
    required: ["kind"],
    description: expect.stringContaining('"required":["a","kind"]'),
  });
});

test("an object without properties has none by name, which OpenAI insists on", () => {
  expect(objectSchema({ type: "object", additionalProperties: { type: "string" } })).toEqual({
    type: "object",
    properties: {},
    additionalProperties: { type: "string" },
  });
});

test("what has to hold at once is required at once", () => {
  expect(objectSchema({ allOf: [A, { properties: { c: {} }, required: ["c"] }] })).toMatchObject({
    type: "object",
    required: ["a", "kind", "c"],
  });
});

test("a root that refers to a definition is that definition", () => {
  const schema = { $ref: "#/$defs/a", $defs: { a: A } };

  expect(objectSchema(schema)).toMatchObject({ type: "object", properties: A.properties, $defs: { a: A } });
});
