// A type that JSON does not have is refused when the tool is defined; what turns JSON into one works.
import { defineTool } from "loopwright";
import { expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";

function define(input: unknown) {
  return defineTool({
    name: "book",
    description: "Books.",
    permission: "none",
    input: input as never,
    execute: async () => "ok",
  });
}

test.each([
  ["when", "date", z.object({ when: z.date() })],
  ["when", "date", z.object({ when: z.date().optional() })],
  ["when", "date", z.object({ when: z.date().nullable().default(null) })],
  ["stay.from", "date", z.object({ stay: z.object({ from: z.date() }) })],
  ["days[]", "date", z.object({ days: z.array(z.date()) })],
  ["pair[1]", "bigint", z.object({ pair: z.tuple([z.string(), z.bigint()]) })],
  ["by[…]", "set", z.object({ by: z.record(z.string(), z.set(z.string())) })],
  ["n", "bigint", z.object({ n: z.bigint() })],
  ["m", "map", z.object({ m: z.map(z.string(), z.string()) })],
  ["s", "set", z.object({ s: z.set(z.string()) })],
  ["y", "symbol", z.object({ y: z.symbol() })],
  ["n", "nan", z.object({ n: z.nan() })],
  ["when", "date", z.object({ when: z.date().transform((date) => date.getTime()) })],
  ["when", "date", z.object({ when: z.date().refine(() => true) })],
  ["when", "date", z.object({ when: z.union([z.date(), z.bigint()]) })],
  ["when", "date", z.intersection(z.object({ a: z.string() }), z.object({ when: z.date() }))],
  ["when", "date", z.object({ when: z.lazy(() => z.date()) })],
  ["when", "date", mini.object({ when: mini.optional(mini.date()) })],
  ["when", "date", z3.object({ when: z3.date() })],
  ["a.when", "date", z3.object({ a: z3.object({ when: z3.date().optional() }).strict() })],
  ["m", "map", z3.object({ m: z3.map(z3.string(), z3.string()) }).refine(() => true)],
  ["n[]", "bigint", z3.object({ n: z3.array(z3.bigint()) })],
  ["f", "function", z3.object({ f: z3.function() })],
  ["when", "date", z3.object({ when: z3.date().transform(String) })],
])("the field %j, a %s, is refused at definition with its path and what to write instead", (path, type, input) => {
  expect(() => define(input)).toThrow(
    expect.objectContaining({
      code: "SCHEMA_UNSUPPORTED",
      message: expect.stringMatching(
        /tool "book" cannot be used: its field .* is a \w+, .*\. Write .* in its place\.$/,
      ),
    }),
  );
  expect(() => define(input)).toThrow(`its field "${path}" is a ${type}`);
});

interface Tree {
  readonly value: number;
  readonly children?: readonly Tree[] | undefined;
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ value: z.number(), children: z.array(tree).optional() }));
const later = z.object({ next: z.lazy(() => unset) });
const unset = z.string();

test.each([
  ["a coerced date", z.object({ when: z.coerce.date() }), { when: "2026-01-01" }],
  ["a coerced bigint", z.object({ n: z.coerce.bigint() }), { n: "5" }],
  [
    "text that becomes a date",
    z.object({ when: z.iso.datetime().pipe(z.coerce.date()) }),
    { when: "2026-01-01T00:00:00Z" },
  ],
  [
    "a codec",
    z.object({
      when: z.codec(z.iso.datetime(), z.date(), { decode: (s) => new Date(s), encode: (d) => d.toISOString() }),
    }),
    { when: "2026-01-01T00:00:00Z" },
  ],
  [
    "what is made into a date",
    z.object({ when: z.preprocess((v) => new Date(String(v)), z.date()) }),
    { when: "2026-01-01" },
  ],
  ["a choice that can be sent", z.object({ when: z.union([z.string(), z.date()]) }), { when: "today" }],
  ["a tree", z.object({ tree }), { tree: { value: 1, children: [{ value: 2 }] } }],
  ["what is defined later", later, { next: "x" }],
  ["anything", z.object({ a: z.any(), u: z.unknown() }), { a: 1, u: null }],
  ["zod 3: a coerced date", z3.object({ when: z3.coerce.date() }), { when: "2026-01-01" }],
  [
    "zod 3: what is made into a date",
    z3.object({ when: z3.preprocess((v) => new Date(String(v)), z3.date()) }),
    { when: "2026-01-01" },
  ],
  ["zod 3: text that becomes a date", z3.object({ when: z3.string().pipe(z3.coerce.date()) }), { when: "2026-01-01" }],
])("%s goes on working", async (_what, input, args) => {
  const tool = define(input);
  await tool.ready?.();
  expect(tool.definition().inputSchema).toMatchObject({ type: "object" });
  await expect(Promise.resolve(tool.parse!(args as never))).resolves.toBeDefined();
});
