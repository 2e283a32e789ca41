import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { JsonValue } from "../../src/contracts/json.js";
import { choice, described, flag, integer, list, object, optional, string } from "../../src/schema/fields.js";
import { createSchema } from "../../src/schema/input-schema.js";
import { runs } from "../runs.js";

const fields = object({
  path: string("Where.", { minLength: 1, maxLength: 5 }),
  title: optional(string(undefined, { trim: true, minLength: 2 })),
  offset: integer("From.", { minimum: 1, maximum: 9, default: 1 }),
  any: optional(integer("Any.")),
  mode: choice(["a", "b"], "How.", { default: "a" }),
  all: optional(flag("All.")),
  on: flag("On.", { default: true }),
  edits: optional(list(object({ old: string("Old.") }, { strict: true }), "Edits.", { minItems: 1, maxItems: 2 })),
});

/** The same in the words of a schema library, to compare with. */
const zods = z.object({
  path: z.string().min(1).max(5).describe("Where."),
  title: z.string().trim().min(2).optional(),
  offset: z.number().int().min(1).max(9).default(1).describe("From."),
  any: z.number().int().optional().describe("Any."),
  mode: z.enum(["a", "b"]).default("a").describe("How."),
  all: z.boolean().optional().describe("All."),
  on: z.boolean().default(true).describe("On."),
  edits: z
    .array(z.strictObject({ old: z.string().describe("Old.") }))
    .min(1)
    .max(2)
    .optional()
    .describe("Edits."),
});

const own = createSchema(fields, "input");
const library = createSchema(zods, "input");

const SIZES = ["minLength", "maxLength", "minItems", "maxItems"];

/** Without the sizes of texts and lists, and the limits that every safe integer has. */
function asSent(schema: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    SIZES.includes(key) || Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value,
  );
}

test("an object of fields has the JSON Schema of the same zod object, without the sizes that a model does not count", () => {
  expect(own.jsonSchema()).toEqual(asSent(library.jsonSchema() as JsonValue));
});

const value = fc.oneof(
  fc.constantFrom<JsonValue>(
    "",
    " x ",
    "a",
    "b",
    "abc",
    "long enough",
    0,
    1,
    9,
    10,
    1.5,
    -1,
    true,
    false,
    null,
    2 ** 60,
  ),
  fc.array(fc.record({ old: fc.oneof(fc.string(), fc.integer()), more: fc.boolean() }, { requiredKeys: ["old"] }), {
    maxLength: 3,
  }),
);
const names = ["path", "title", "offset", "any", "mode", "all", "on", "edits", "other", "__proto__", "toString"];

test("an object of fields takes what the same zod object takes, refuses the rest, and reads the same", () => {
  const anything = fc.oneof(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 }), value);

  fc.assert(
    fc.property(anything, (sent) => {
      const expected = zods.safeParse(sent);
      const found = fields["~standard"].validate(sent);
      if (found instanceof Promise) throw new Error("it waits for something");
      expect(found.issues === undefined ? { value: found.value } : {}).toEqual(
        expected.success ? { value: expected.data } : {},
      );
      const paths = (issues: readonly { readonly path?: unknown }[] = []) => [
        ...new Set(issues.map(({ path }) => JSON.stringify(path))),
      ];
      expect(paths(found.issues).sort()).toEqual(paths(expected.error?.issues).sort());
    }),
    { numRuns: runs(300, 2_000, 50_000) },
  );
});

test("every problem is named at once, with what was expected and what came", () => {
  const sent = { path: "", offset: 0, mode: "c", all: "yes", edits: [{ old: 3, extra: 1 }] };

  expect(() => own.parse(sent)).toThrow(
    [
      '- "path": expected at least 1 character, got string ""',
      '- "offset": expected at least 1, got number 0',
      '- "mode": expected "a" | "b", got string "c"',
      '- "all": expected boolean, got string "yes"',
      '- "edits[0].old": expected string, got number 3',
      '- "edits[0]": expected no unknown keys, got "extra"',
    ].join("\n"),
  );
});

test("a string may take numbers and booleans for their text, and have a test of its own", () => {
  const schema = object({
    id: string("Id.", { takesAny: true }),
    name: string("Name.", { problemOf: (name) => (name.includes("/") ? "expected a name without slashes" : null) }),
  });
  const wrapped = createSchema(schema, "input");

  expect(wrapped.parse({ id: 3, name: "a" })).toEqual({ id: "3", name: "a" });
  expect(() => wrapped.parse({ id: [], name: "a/b" })).toThrow(
    '- "id": expected string, got array of 0 items\n- "name": expected a name without slashes, got string "a/b"',
  );
});

test("an object's own test sees only objects whose fields are right", () => {
  const seen: unknown[] = [];
  const schema = object(
    { a: optional(string()), b: optional(string()) },
    {
      problemOf(value) {
        seen.push(value);
        return value.a === value.b ? "expected two different strings" : null;
      },
    },
  );
  const wrapped = createSchema(schema, "input");

  expect(wrapped.parse({ a: "x" })).toEqual({ a: "x" });
  expect(() => wrapped.parse({ a: "x", b: "x" })).toThrow("- the whole value: expected two different strings");
  expect(() => wrapped.parse({ a: 1 })).toThrow('"a": expected string');
  expect(seen).toHaveLength(2);
});

test("a field can be used twice, with two descriptions", () => {
  const name = string("A name.");

  expect(described(name, "Another.").jsonSchema).toEqual({ type: "string", description: "Another." });
  expect(name.jsonSchema).toEqual({ type: "string", description: "A name." });
});
