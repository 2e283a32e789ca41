import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";
import { isHarnessError, ToolError } from "../../../src/contracts/errors.js";
import type { JsonValue } from "../../../src/contracts/json.js";
import type { BaseTool } from "../../../src/contracts/tool.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import type { ToolSchema } from "../../../src/schema/input-schema.js";
import { runs } from "../../runs.js";

async function toolWith(input: unknown): Promise<BaseTool> {
  const tool = defineTool({
    name: "edit_file",
    description: "Edits a file.",
    permission: "read_write",
    input: input as ToolSchema,
    execute: async () => "done",
  });
  await tool.ready?.();
  return tool;
}

async function parse(tool: BaseTool, args: JsonValue): Promise<unknown> {
  return tool.parse!(args);
}

async function failureOf(input: unknown, args: JsonValue): Promise<ToolError> {
  const tool = await toolWith(input);
  const error = await parse(tool, args).then(
    (value) => expect.unreachable(`parsed ${typeof value}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ToolError)) throw error;
  return error;
}

const editJson = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: "integer", default: 3 },
    kind: { enum: ["exact", "fuzzy"] },
    edits: { type: "array", items: { $ref: "#/definitions/edit" } },
  },
  required: ["path"],
  additionalProperties: false,
  definitions: {
    edit: {
      type: "object",
      properties: {
        old_text: { type: "string", minLength: 1 },
        at: { anyOf: [{ type: "string" }, { type: "number" }] },
      },
      required: ["old_text"],
      additionalProperties: false,
    },
  },
};

const editZod4 = z.strictObject({
  path: z.string(),
  limit: z.number().int().default(3),
  kind: z.enum(["exact", "fuzzy"]).optional(),
  edits: z
    .array(z.strictObject({ old_text: z.string().min(1), at: z.union([z.string(), z.number()]).optional() }))
    .optional(),
});

const editMini = mini.strictObject({
  path: mini.string(),
  limit: mini._default(mini.int(), 3),
  kind: mini.optional(mini.enum(["exact", "fuzzy"])),
  edits: mini.optional(
    mini.array(
      mini.strictObject({
        old_text: mini.string().check(mini.minLength(1)),
        at: mini.optional(mini.union([mini.string(), mini.number()])),
      }),
    ),
  ),
});

const editZod3 = z3
  .object({
    path: z3.string(),
    limit: z3.number().int().default(3),
    kind: z3.enum(["exact", "fuzzy"]).optional(),
    edits: z3
      .array(z3.object({ old_text: z3.string().min(1), at: z3.union([z3.string(), z3.number()]).optional() }).strict())
      .optional(),
  })
  .strict();

/** zod 3 before 3.24 is not a Standard Schema. */
const editOldZod3: unknown = Object.create(editZod3, { "~standard": { value: undefined } });

const standardOnly = { "~standard": editZod4["~standard"] };

const kinds: [string, unknown][] = [
  ["zod 4", editZod4],
  ["zod mini", editMini],
  ["zod 3", editZod3],
  ["old zod 3", editOldZod3],
  ["Standard Schema", standardOnly],
  ["JSON Schema", editJson],
];

test.each(kinds)("a %s schema becomes a definition every provider accepts", async (_kind, input) => {
  const tool = await toolWith(input);

  const { inputSchema, ...rest } = tool.definition();

  expect(rest).toEqual({ name: "edit_file", description: "Edits a file." });
  expect(inputSchema).toMatchObject({ type: "object", required: ["path"] });
  expect(inputSchema).not.toHaveProperty("$schema");
  expect(Object.keys(inputSchema.properties as object)).toEqual(["path", "limit", "kind", "edits"]);
  expect(tool.definition()).toBe(tool.definition());
  expect(Object.isFrozen(tool.definition())).toBe(true);
  expect(Object.isFrozen((inputSchema.properties as { path: object }).path)).toBe(true);
});

test.each(kinds)("a %s schema accepts what matches", async (_kind, input) => {
  const tool = await toolWith(input);
  const args = { path: "a.ts", limit: 5, kind: "fuzzy", edits: [{ old_text: "x", at: 3 }] };

  expect(await parse(tool, args)).toEqual(args);
});

test.each(kinds)("a failure of a %s schema names each path, what was expected and what came", async (_kind, input) => {
  const error = await failureOf(input, {
    kind: "wild",
    edits: [{ old_text: 5 }, { old_text: "x", at: null }, { old_text: "x", extra: 1 }],
    file_path: "a.ts",
  });

  const lines = error.message.split("\n");
  expect(error.code).toBe("TOOL_INPUT_INVALID");
  expect(lines[0]).toBe('Tool "edit_file" got invalid input:');
  expect(lines.slice(1).sort()).toEqual([
    '- "edits[0].old_text": expected string, got number 5',
    '- "edits[1].at": expected string or number, got null',
    '- "edits[2]": expected no unknown keys, got "extra"',
    '- "kind": expected "exact" | "fuzzy", got string "wild"',
    '- "path": expected string, got nothing (missing)',
    '- the whole value: expected no unknown keys, got "file_path"',
  ]);
  expect(error.details).toMatchObject({
    issues: expect.arrayContaining([
      { path: "edits[0].old_text", expected: "string", received: "number 5", message: expect.any(String) },
    ]),
  });
});

test.each(kinds)("a %s schema refuses an empty old_text in words", async (_kind, input) => {
  const error = await failureOf(input, { path: "a.ts", edits: [{ old_text: "" }] });

  expect(error.message).toMatch(/- "edits\[0\]\.old_text": .*1.*, got string ""$/);
});

test.each(kinds)(
  "a %s schema takes the JSON text of a matching object, and nothing that is not one",
  async (_kind, input) => {
    const tool = await toolWith(input);

    expect(await parse(tool, '{"path":"a.ts"}')).toMatchObject({ path: "a.ts" });
    for (const args of [
      '{"path":5}',
      '["a.ts"]',
      '{"path":',
      '"a.ts"',
      "",
      null,
      7,
      ["a.ts"],
      { path: '{"path":"a"}', limit: "five" },
    ]) {
      await expect(parse(tool, args)).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
    }
  },
);

test.each(kinds)(
  "random arguments to a %s schema are parsed or refused with a bounded message",
  async (_kind, input) => {
    const tool = await toolWith(input);
    const keys = fc.constantFrom(
      "path",
      "limit",
      "kind",
      "edits",
      "old_text",
      "at",
      "__proto__",
      "constructor",
      "\ud800",
    );
    const { value: args } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        fc.string({ unit: "binary" }),
        fc.integer(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 12 }),
        fc.array(fc.tuple(keys, tie("value"))).map((entries) => Object.fromEntries(entries)),
      ),
    }));

    await fc.assert(
      fc.asyncProperty(args, async (value) => {
        const error = await parse(tool, value).catch((reason: unknown) => reason);
        if (!(error instanceof Error)) return;
        expect(isHarnessError(error, "TOOL_INPUT_INVALID")).toBe(true);
        expect(error.message.length).toBeLessThan(8_000);
      }),
      { numRuns: runs(25, 150, 20_000) },
    );
  },
);

test.each(kinds)("arguments nested 10,000 deep leave a %s schema as a tool error or a value", async (_kind, input) => {
  const tool = await toolWith(input);
  let deep: JsonValue = "end";
  for (let depth = 0; depth < 10_000; depth++) deep = depth % 2 ? [deep] : { old_text: deep };

  for (const args of [deep, { path: deep }, { path: "a.ts", edits: deep }]) {
    await expect(parse(tool, args)).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
  }
});

const recursiveZod4: z.ZodType = z.object({ child: z.lazy(() => recursiveZod4.nullable()) });
const recursiveZod3: z3.ZodTypeAny = z3.object({ child: z3.lazy(() => recursiveZod3.nullable()) });
const recursiveJson = { type: "object", properties: { child: { anyOf: [{ $ref: "#" }, { type: "null" }] } } };

test.each([
  ["zod 4", recursiveZod4],
  ["zod 3", recursiveZod3],
  ["JSON Schema", recursiveJson],
])("a recursive %s schema keeps its reference and survives arguments deeper than the stack", async (_kind, input) => {
  const tool = await toolWith(input);
  let deep: JsonValue = null;
  for (let depth = 0; depth < 10_000; depth++) deep = { child: deep };

  const outcome = await parse(tool, deep).catch((reason: unknown) => reason);

  expect(JSON.stringify(tool.definition().inputSchema)).toContain('{"$ref":"#"}');
  expect(await parse(tool, { child: { child: null } })).toEqual({ child: { child: null } });
  if (outcome instanceof Error) {
    expect(outcome).toMatchObject({
      code: "TOOL_INPUT_INVALID",
      message: expect.stringContaining("nested too deeply"),
    });
  }
});

test.each([
  ["zod 4", z.object({ items: z.array(z.string()) })],
  ["zod 3", z3.object({ items: z3.array(z3.string()) })],
  ["JSON Schema", { type: "object", properties: { items: { type: "array", items: { type: "string" } } } }],
])("huge arguments to a %s schema give a small message", async (_kind, input) => {
  const text = "\ud800x".repeat(2_500_000);
  const numbers = Array.from({ length: 150_000 }, (_, index) => index);

  const errors = [
    await failureOf(input, text),
    await failureOf(input, { items: text }),
    await failureOf(input, { items: numbers, [text]: 1 }),
  ];

  for (const error of errors) expect(JSON.stringify([error.message, error.details]).length).toBeLessThan(10_000);
  expect(errors[2]!.message).toContain('"items[0]": expected string, got number 0');
});

test("more than ten issues are counted, not listed", async () => {
  const error = await failureOf(z.object({ items: z.array(z.string()) }), { items: Array(25).fill(1) });

  expect(error.message.split("\n")).toHaveLength(12);
  expect(error.message).toMatch(/and 15 more$/);
  expect((error.details as { issues: unknown[] }).issues).toHaveLength(10);
});

test.each([
  ["loose zod 4", z.looseObject({ path: z.string() })],
  ["zod 4 record", z.record(z.string(), z.any())],
  ["passthrough zod 3", z3.object({ path: z3.string() }).passthrough()],
  ["open JSON Schema", { type: "object", properties: { path: { type: "string" } } }],
])("a __proto__ key changes no prototype through a %s", async (_kind, input) => {
  const tool = await toolWith(input);
  const args = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"path":"a"}');

  const value = (await parse(tool, args)) as { path: string; polluted?: number };

  expect(value.path).toBe("a");
  expect(value.polluted).toBeUndefined();
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test("a message the author of the schema wrote is what the model reads first", async () => {
  const input = z.object({
    path: z.string({ error: "Pass the file to read" }),
    n: z.number().refine((n) => n % 2 === 0, "must be even"),
  });

  const error = await failureOf(input, { n: 3 });

  expect(error.message).toContain('- "path": Pass the file to read (expected string, got nothing (missing))');
  expect(error.message).toContain('- "n": must be even, got number 3');
});

test("a failed union says what is wrong in the alternative that fits best", async () => {
  const branch = (type: string, field: string) => ({
    type: "object",
    properties: { type: { const: type }, [field]: { type: "number" } },
    required: ["type", field],
  });
  const json = {
    type: "object",
    properties: { shape: { oneOf: [branch("circle", "radius"), branch("square", "side")] } },
  };
  const zod = z.object({
    shape: z.union([
      z.object({ type: z.literal("circle"), radius: z.number() }),
      z.object({ type: z.literal("square"), side: z.number() }),
    ]),
  });

  for (const input of [json, zod]) {
    const inner = await failureOf(input, { shape: { type: "square", side: "2" } });
    const outer = await failureOf(input, { shape: 5 });

    expect(inner.message).toBe('Tool "edit_file" got invalid input:\n- "shape.side": expected number, got string "2"');
    expect(outer.message).toBe('Tool "edit_file" got invalid input:\n- "shape": expected object, got number 5');
  }
});

test("deeply nested unions are distinguished without going to the bottom", async () => {
  const zod: z.ZodType = z.object({ child: z.union([z.lazy(() => zod), z.string()]) });
  const json = {
    type: "object",
    properties: { child: { anyOf: [{ $ref: "#" }, { type: "string" }] } },
    required: ["child"],
  };
  let deep: JsonValue = 5;
  for (let depth = 0; depth < 60; depth++) deep = { child: deep };

  for (const input of [zod, json]) {
    const error = await failureOf(input, deep);

    expect(error.message).toMatch(/- "child(\.child)+…?": .*, got object with "child"$/);
  }
});

test("a schema library whose promises are not native is awaited as well", async () => {
  const refused = { issues: [{ message: "no such file", path: [{ key: "path" }] }] };
  const settle = (resolve?: (value: unknown) => unknown) => Promise.resolve(refused).then(resolve);
  // biome-ignore lint/suspicious/noThenProperty: a foreign promise is what this is about
  const validate = () => ({ then: settle });
  const jsonSchema = { input: () => ({ type: "object" }) };
  const tool = await toolWith({ "~standard": { version: 1, vendor: "foreign", validate, jsonSchema } });

  await expect(parse(tool, { path: "a" })).rejects.toMatchObject({
    code: "TOOL_INPUT_INVALID",
    message: 'Tool "edit_file" got invalid input:\n- "path": no such file, got string "a"',
  });
});

test("no schema library is imported before a schema needs it", () => {
  const directory = new URL("../../../src/schema/", import.meta.url);
  const loadedLater = ["json-schema-validator.ts", "zod-core-converter.ts"];

  for (const file of readdirSync(directory).filter((file) => !loadedLater.includes(file))) {
    const source = readFileSync(new URL(file, directory), "utf8");
    expect(source, file).not.toMatch(/^import (?!type )[^;]* from "(?:zod|@cfworker|@standard-schema)/m);
    expect(source, file).not.toMatch(/^import (?!type )[^;]*(?:json-schema-validator|zod-core-converter)/m);
  }
});

test("keys that are not identifiers are quoted in a path", async () => {
  const error = await failureOf(z.record(z.string(), z.number()), { "a b": "x" });

  expect(error.message).toContain('- ["a b"]: expected number, got string "x"');
});

test("a schema that throws refuses the input and says so", async () => {
  const input = z.object({
    path: z.string().refine(() => {
      throw new Error("no index loaded");
    }),
  });

  const error = await failureOf(input, { path: "a" });

  expect(error.message).toContain("could not be checked: no index loaded");
});

test("an asynchronous schema is awaited, a synchronous one costs no promise", async () => {
  const asynchronous = await toolWith(z.object({ id: z.string().refine(async (id) => id === "known", "unknown id") }));
  const synchronous = await toolWith(z.object({ id: z.string().transform((id) => id.length) }));

  expect(asynchronous.parse!({ id: "known" })).toBeInstanceOf(Promise);
  await expect(asynchronous.parse!({ id: "x" })).rejects.toThrow("unknown id");
  await expect(asynchronous.parse!('{"id":"known"}')).resolves.toEqual({ id: "known" });
  expect(synchronous.parse!({ id: "four" })).toEqual({ id: 4 });
});

test("a valid input is validated exactly once, and converted never", async () => {
  const validate = vi.fn((value: unknown) => ({ value }));
  const convert = vi.fn(() => ({ type: "object" }));
  const tool = await toolWith({
    "~standard": { version: 1, vendor: "counting", validate, jsonSchema: { input: convert, output: convert } },
  });

  for (let turn = 0; turn < 3; turn++) {
    tool.definition();
    await tool.ready?.();
    tool.parse!({ turn });
  }

  expect(validate).toHaveBeenCalledTimes(3);
  expect(convert).toHaveBeenCalledTimes(1);
});

test("a plain JSON Schema validates at once when ready, and loads its validator when asked early", async () => {
  const options = { name: "t", description: "d", permission: "none" as const, execute: async () => "" };
  const early = defineTool({ ...options, input: editJson });
  const ready = await toolWith(editJson);

  expect(early.parse!({ path: "a" })).toBeInstanceOf(Promise);
  await expect(early.parse!({ path: 1 })).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
  expect(ready.parse!({ path: "a" })).toEqual({ path: "a" });
});

test("a plain JSON Schema is copied, never touched, also when it is frozen", async () => {
  const input = Object.freeze({ type: "object", properties: Object.freeze({ a: Object.freeze({ type: "string" }) }) });
  const mutable = structuredClone(editJson);

  const tool = await toolWith(input);
  const copied = await toolWith(mutable);
  mutable.required.push("kind");

  expect(await parse(tool, { a: "x" })).toEqual({ a: "x" });
  expect(copied.definition().inputSchema.required).toEqual(["path"]);
  expect(Object.getOwnPropertyNames(mutable)).toEqual(Object.getOwnPropertyNames(editJson));
});

test("a schema whose converter has to be loaded says to await ready()", () => {
  const tool = defineTool({
    name: "t",
    description: "d",
    permission: "none",
    input: editZod3,
    execute: async () => "",
  });

  expect(() => tool.definition()).toThrow(/Await ready\(\)/);
});

test("a tool without a schema takes no arguments", async () => {
  const tool = defineTool({
    name: "now",
    description: "Tells the time.",
    permission: "none",
    execute: async () => "12:00",
  });

  expect(tool.definition().inputSchema).toEqual({ type: "object", properties: {} });
  expect(tool.parse!({})).toEqual({});
  expect(() => tool.parse!("later")).toThrow(/Tool "now" got invalid input/);
});

test.each([
  ["a string", z.string()],
  ["a list", z.array(z.string())],
  ["anything", z.any()],
  ["a union", z.discriminatedUnion("t", [z.object({ t: z.literal("a") }), z.object({ t: z.literal("b") })])],
  ["a nullable object", z.object({}).nullable()],
  ["a zod 3 string", z3.string()],
  ["a zod mini string", mini.string()],
  ["a JSON string", { type: "string" }],
  ["a JSON reference", { $ref: "#/$defs/a", $defs: { a: { type: "object" } } }],
])("%s at the top level is refused with the way out", async (_what, input) => {
  await expect(toolWith(input)).rejects.toMatchObject({
    code: "SCHEMA_UNSUPPORTED",
    message: expect.stringMatching(/^The input schema of tool "edit_file" cannot be used: .*z\.object/),
  });
});

test.each([
  ["fields without an object", { path: z.string() }, /z\.object/],
  ["a zod schema inside JSON", { type: "object", properties: { path: z.string() } }, /zod schema/],
  [
    "a Standard Schema without JSON Schema",
    { "~standard": { version: 1, vendor: "valibot", validate: () => 1 } },
    /valibot/,
  ],
  ["null", null, /null/],
  ["a number", 3, /number 3/],
  ["a function", () => ({}), /JSON Schema/],
  ["a reference to nowhere", { type: "object", properties: { a: { $ref: "#/none" } } }, /leads nowhere/],
  ["a broken pattern", { type: "object", properties: { a: { pattern: "(" } } }, /regular expression/],
])("%s is refused as a schema", async (_what, input, message) => {
  const failure = toolWith(input);

  await expect(failure).rejects.toMatchObject({ code: "SCHEMA_UNSUPPORTED", message: expect.stringMatching(message) });
});

test("a cyclic schema object is refused", async () => {
  const cyclic: Record<string, unknown> = { type: "object" };
  cyclic.properties = { self: cyclic };

  await expect(toolWith(cyclic)).rejects.toThrow(/refers to itself/);
});

test("types JSON cannot express are left open in the definition where they are coerced, and still checked", async () => {
  const tool = await toolWith(z.object({ when: z.coerce.date().optional(), size: z.coerce.bigint().optional() }));

  expect(tool.definition().inputSchema).toEqual({ type: "object", properties: { when: {}, size: {} } });
  await expect(parse(tool, { when: "no day" })).rejects.toThrow('"when": expected date, got string "no day"');
});

test("a zod 3 part used twice is written out twice", async () => {
  const path = z3.object({ name: z3.string() });

  const tool = await toolWith(z3.object({ from: path, to: path }));

  expect(JSON.stringify(tool.definition().inputSchema)).not.toContain("$ref");
});

test("members beside the schema are carried over as they are", () => {
  const members = {
    name: "move",
    permission: "read_write" as const,
    execute: async () => "",
    validate: async () => {},
    checkPermission: () => ({ behavior: "ask" as const }),
    claims: () => [{ mode: "write" as const, key: "a" }],
    replayable: false,
    destructive: () => true,
    describe: () => ({ title: "Move", kind: "move" as const }),
    timeoutMs: null,
    maxResultChars: 0,
    onUnknown: "ask" as const,
    endSession: async () => {},
  };

  const tool = defineTool({ ...members, description: "Moves.", input: z.object({}) });

  expect(tool).toMatchObject(members);
  expect(Object.isFrozen(tool)).toBe(true);
});

test("arguments too many to compare pairwise are refused where items must be unique", async () => {
  const input = { type: "object", properties: { ids: { type: "array", uniqueItems: true } } };
  const tool = await toolWith(input);

  await expect(parse(tool, { ids: Array.from({ length: 100_000 }, (_, id) => id) })).rejects.toThrow(/2000 items/);
  await expect(parse(tool, { ids: [1, 1] })).rejects.toThrow(/Duplicate/);
  expect(await parse(tool, { ids: [1, 2] })).toEqual({ ids: [1, 2] });
});

test("a slip in a member's name is reported, and the members of another tool are not", () => {
  const about = { name: "t", description: "d", permission: "none" as const, execute: async () => "" };

  expect(() => defineTool({ ...about, inputSchema: {} } as never)).toThrow(/"t" has an unknown member "inputSchema"/);
  const { permission: permision, ...misspelt } = about;
  expect(() => defineTool({ ...misspelt, permision } as never)).toThrow(/"permision". Did you mean "permission"\?/);
  expect(() => defineTool({ ...defineTool(about), description: "another" })).not.toThrow();
});

test("a validator that answers nonsense refuses the input, and it is the schema that is blamed", async () => {
  for (const answer of [null, undefined, { issues: "x" }, { issues: [null] }, { issues: [] }]) {
    const schema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: () => answer,
        jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
      },
    };
    const tool = defineTool({
      name: "t",
      description: "d",
      permission: "none",
      input: schema as never,
      execute: async () => "",
    });

    const refused = await Promise.resolve()
      .then(() => tool.parse!({}))
      .catch((error: unknown) => error);

    expect(isHarnessError(refused, "TOOL_INPUT_INVALID")).toBe(true);
    expect((refused as ToolError).message).toMatch(/could not be checked|does not say why/);
  }
});
