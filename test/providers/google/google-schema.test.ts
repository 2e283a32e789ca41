import { expect, test } from "vitest";
import { toGoogleSchema, toOpenApiSchema } from "../../../src/providers/google/index.js";

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    name: { type: "string", minLength: 2, description: "Who." },
    kind: { const: "person" },
    level: { enum: [1, 2, null] },
    age: { type: "integer", exclusiveMinimum: 0 },
    tags: { type: "array", items: { type: ["string", "null"] }, uniqueItems: true },
    friend: { $ref: "#/definitions/friend", description: "Closest." },
    any: { oneOf: [{ type: "string" }, { type: "null" }] },
  },
  allOf: [{ properties: { extra: { type: "boolean" } }, required: ["extra"] }],
  required: ["name"],
  additionalProperties: false,
  definitions: { friend: { type: "object", properties: { of: { $ref: "#/definitions/friend" } } } },
};

test("what JSON Schema has in common is kept, the rest is in the description and named", () => {
  expect(toGoogleSchema(SCHEMA)).toEqual({
    schema: {
      type: "object",
      properties: {
        name: { type: "string", description: "Who. (minLength: 2)" },
        kind: { enum: ["person"] },
        level: { description: "(enum: [1,2,null])" },
        age: { type: "integer", minimum: 1 },
        tags: { type: "array", items: { type: ["string", "null"] }, description: "(uniqueItems: true)" },
        friend: { description: "Closest.", anyOf: [{ $ref: "#/$defs/friend" }] },
        any: { oneOf: [{ type: "string" }, { type: "null" }] },
        extra: { type: "boolean" },
      },
      required: ["name", "extra"],
      additionalProperties: false,
      $defs: { friend: { type: "object", properties: { of: { $ref: "#/$defs/friend" } } } },
    },
    dropped: ["properties.name.minLength", "properties.level.enum", "properties.tags.uniqueItems"],
  });
});

test("the older dialect has capitals, nullable and no references", () => {
  const { schema, dropped } = toOpenApiSchema(SCHEMA);

  expect(schema).toEqual({
    type: "OBJECT",
    properties: {
      name: { type: "STRING", minLength: 2, description: "Who." },
      kind: { type: "STRING", format: "enum", enum: ["person"] },
      level: { type: "NUMBER", format: "enum", enum: ["1", "2"], nullable: true },
      age: { type: "INTEGER", description: "(exclusiveMinimum: 0)" },
      tags: { type: "ARRAY", items: { type: "STRING", nullable: true }, description: "(uniqueItems: true)" },
      friend: {
        type: "OBJECT",
        description: "Closest.",
        properties: { of: { type: "OBJECT", description: "As described at #/definitions/friend." } },
      },
      any: { type: "STRING", nullable: true },
      extra: { type: "BOOLEAN" },
    },
    required: ["name", "extra"],
    description: "(additionalProperties: false)",
  });
  expect(dropped).toEqual([
    "properties.age.exclusiveMinimum",
    "properties.tags.uniqueItems",
    "properties.friend.properties.of.$ref",
    "additionalProperties",
  ]);
});

test("a schema that is in the subset already stays as it is, and the source is left unchanged", () => {
  const schema = { type: "object", properties: { a: { type: "string", enum: ["x"] } }, required: ["a"] };
  const before = JSON.stringify(SCHEMA);
  toGoogleSchema(SCHEMA);
  toOpenApiSchema(SCHEMA);

  expect(toGoogleSchema(schema)).toEqual({ schema, dropped: [] });
  expect(JSON.stringify(SCHEMA)).toBe(before);
});

test("a required name that no property has is left out", () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a", "b"] };

  expect(toGoogleSchema(schema).schema.required).toEqual(["a"]);
  expect(toOpenApiSchema({ ...schema, required: ["b"] }).schema).not.toHaveProperty("required");
});
