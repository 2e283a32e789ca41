import fc from "fast-check";
import { expect, test } from "vitest";
import { anthropicOutputSchema } from "../../../src/providers/anthropic/output-schema.js";
import { toGoogleSchema } from "../../../src/providers/google/index.js";
import { toStrictSchema } from "../../../src/providers/openai/strict-schema.js";

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

test("a schema that is in the subset already stays as it is, and the source is left unchanged", () => {
  const schema = { type: "object", properties: { a: { type: "string", enum: ["x"] } }, required: ["a"] };
  const before = JSON.stringify(SCHEMA);
  toGoogleSchema(SCHEMA);

  expect(toGoogleSchema(schema)).toEqual({ schema, dropped: [] });
  expect(JSON.stringify(SCHEMA)).toBe(before);
});

test("a required name that no property has is left out", () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a", "b"] };

  expect(toGoogleSchema(schema).schema.required).toEqual(["a"]);
  expect(toGoogleSchema({ ...schema, required: ["b"] }).schema).not.toHaveProperty("required");
});

test("parts of a schema that contradict each other are in the description", () => {
  const schema = {
    type: "object",
    properties: {
      pair: { type: "array", items: [{ type: "string" }, { type: "integer" }] },
      either: {
        allOf: [{ anyOf: [{ pattern: "a" }, { pattern: "b" }] }, { anyOf: [{ pattern: "c" }, { pattern: "d" }] }],
      },
      beside: { $ref: "#/$defs/id", anyOf: [{ minLength: 1 }, { minLength: 2 }] },
      size: { type: "integer" },
    },
    anyOf: [{ required: ["pair"] }, { required: ["size"] }],
    $defs: { id: { type: "string", description: "An id." } },
  };

  const json = toGoogleSchema(schema).schema as { properties: Record<string, object> };

  expect(json.properties).toMatchObject({
    pair: { prefixItems: [{ type: "string" }, { type: "integer" }] },
    either: { description: expect.stringMatching(/anyOf.*"a".*"b".*anyOf.*"c".*"d"/) },
    beside: { anyOf: [{ $ref: "#/$defs/id" }], description: '(anyOf: [{"minLength":1},{"minLength":2}])' },
  });
});

/** Schemas as odd as can be, whose every string is a word of its own. */
function oddSchema(depth: number): fc.Arbitrary<object> {
  const word = fc.stringMatching(/^w[0-9a-f]{12}$/);
  const words = fc.array(word, { minLength: 1, maxLength: 2 });
  const types = ["string", "integer", "object", "array", "null"];
  const inner = depth === 0 ? word.map((description) => ({ description })) : oddSchema(depth - 1);
  const list = fc.array(fc.oneof(inner, fc.constant({ type: "null" })), { minLength: 1, maxLength: 2 });
  const named = fc.dictionary(word, inner, { maxKeys: 2 });
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(fc.constantFrom(...types), fc.subarray(types, { minLength: 2, maxLength: 2 })),
    ...{ description: word, pattern: word, format: word, const: word, default: word, enum: words, required: words },
    ...{ items: fc.oneof(inner, list), properties: named, patternProperties: named, not: inner, if: inner },
    ...{ anyOf: list, oneOf: list, allOf: list, additionalProperties: fc.oneof(inner, fc.boolean()) },
  };
  return fc
    .subarray(Object.keys(keywords), { maxLength: 4 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, keywords[name]!]))));
}

/** Defaults say nothing where every property is required. */
function withoutDefaults(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === "default" ? undefined : value)));
}

test.each([
  ["JSON Schema for Google", (schema: object) => toGoogleSchema(schema as never).schema],
  ["OpenAI's strict subset", (schema: object) => toStrictSchema(withoutDefaults(schema) as never).schema],
  ["Anthropic's subset", (schema: object) => anthropicOutputSchema(schema as never)],
])("no word of a schema is lost in %s", (_what, convert) => {
  fc.assert(
    fc.property(oddSchema(2), (schema) => {
      const written = JSON.stringify(convert(schema));
      for (const word of JSON.stringify(withoutDefaults(schema)).match(/w[0-9a-f]{12}/g) ?? [])
        expect(written).toContain(word);
    }),
    { numRuns: 300 },
  );
});
