// One reader for the arguments of every tool: what was refused as it came is read for what it says.
import { defineTool } from "loopwright";
import { expect, test } from "vitest";
import { z } from "zod";
import * as z3 from "zod/v3";
import type { JsonValue } from "../../src/contracts/json.js";

const fields = {
  q: z.string(),
  site: z.string().optional(),
  limit: z.number().default(7),
  tags: z.array(z.string()).optional(),
  deep: z.boolean().optional(),
  range: z.object({ from: z.number(), to: z.number().optional() }).optional(),
  note: z.string().nullish(),
  either: z.union([z.number(), z.string()]).optional(),
  pair: z.tuple([z.string(), z.number()]).optional(),
  counts: z.record(z.string(), z.number()).optional(),
};
const shape = z.object(fields);
const json = z.toJSONSchema(shape, { io: "input" }) as never;
const zod3 = z3.z.object({
  q: z3.z.string(),
  site: z3.z.string().optional(),
  limit: z3.z.number().default(7),
  tags: z3.z.array(z3.z.string()).optional(),
  deep: z3.z.boolean().optional(),
  range: z3.z.object({ from: z3.z.number(), to: z3.z.number().optional() }).optional(),
  note: z3.z.string().nullish(),
  either: z3.z.union([z3.z.number(), z3.z.string()]).optional(),
  pair: z3.z.tuple([z3.z.string(), z3.z.number()]).optional(),
  counts: z3.z.record(z3.z.string(), z3.z.number()).optional(),
});

async function parsed(input: unknown, args: JsonValue): Promise<unknown> {
  const tool = defineTool({
    name: "find",
    description: "Finds.",
    permission: "none",
    input: input as never,
    execute: async () => "ok",
  });
  await tool.ready?.();
  return tool.parse!(args);
}

const kinds: readonly [string, unknown][] = [
  ["zod 4", shape],
  ["zod 3", zod3],
  ["JSON Schema", json],
];

test.each(kinds)(
  "of a %s schema, null for what may be left out is left out, and stays where it may be null",
  async (_, input) => {
    const args = { q: "a", site: null, limit: null, tags: null, range: { from: 1, to: null }, note: null };
    const found = (await parsed(input, args)) as Record<string, unknown>;
    expect(found).toMatchObject({ q: "a", range: { from: 1 }, note: null });
    expect(Object.keys(found)).not.toContain("site");
    if (input !== json) expect(found.limit).toBe(7);
  },
);

test.each(kinds)("of a %s schema, numbers, booleans, arrays and objects are taken as text", async (_, input) => {
  const args = {
    q: "a",
    limit: " 5 ",
    tags: '["x","y"]',
    deep: "True",
    range: '{"from":"1.5","to":null}',
    pair: '["a","2"]',
    counts: { a: "3" },
  };
  expect(await parsed(input, args)).toEqual({
    q: "a",
    limit: 5,
    tags: ["x", "y"],
    deep: true,
    range: { from: 1.5 },
    pair: ["a", 2],
    counts: { a: 3 },
  });
});

test.each(kinds)("of a %s schema, what is right beside what is wrong stays as it came", async (_, input) => {
  const args = { q: "5", limit: "5", tags: ["1", "true", "[]"], either: "7", note: null };
  expect(await parsed(input, args)).toEqual({ q: "5", limit: 5, tags: ["1", "true", "[]"], either: "7", note: null });
});

test.each(kinds)("of a %s schema, text that is not exactly a value is refused", async (_, input) => {
  for (const limit of ["5 lines", "", "0x10", "1e3", "NaN", "five"]) {
    await expect((async () => parsed(input, { q: "a", limit }))()).rejects.toMatchObject({
      code: "TOOL_INPUT_INVALID",
    });
  }
  await expect((async () => parsed(input, { q: null }))()).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
});

test("what matches as it came is never read again, also where a schema takes several forms", async () => {
  const seen: unknown[] = [];
  const input = z.object({ any: z.any(), text: z.string(), loose: z.looseObject({}) }).transform((value) => {
    seen.push(value);
    return value;
  });
  const args = { any: "5", text: "null", loose: { a: "[1]", b: null } };
  expect(await parsed(input, args)).toEqual(args);
  expect(seen).toHaveLength(1);
});

test("a value that is nested without end is refused, not read", async () => {
  let args: JsonValue = "5";
  for (let depth = 0; depth < 3000; depth++) args = [args];
  await expect((async () => parsed(shape, { q: "a", tags: args }))()).rejects.toMatchObject({
    code: "TOOL_INPUT_INVALID",
  });
});

test("a schema that refers to itself is read as deep as it is sent", async () => {
  const node = { type: "object", properties: { n: { type: "integer" }, next: { $ref: "#" } }, required: ["n"] };
  expect(await parsed(node, { n: "1", next: { n: "2", next: '{"n":"3"}' } })).toEqual({
    n: 1,
    next: { n: 2, next: { n: 3 } },
  });
});
