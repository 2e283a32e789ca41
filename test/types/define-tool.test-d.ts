import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";
import type { JsonObject } from "../../src/contracts/json.js";
import type { BaseTool, ToolContext } from "../../src/contracts/tool.js";
import { defineTool } from "../../src/engine/tools/define-tool.js";
import { createSchema, type InferInput } from "../../src/schema/input-schema.js";

const base = { name: "t", description: "d", permission: "read_only" } as const;

test("zod 4: execute and every optional member get the output type", () => {
  const tool = defineTool({
    ...base,
    input: z.object({ path: z.string(), limit: z.number().default(5), size: z.string().transform(Number) }),
    async execute(input, context) {
      expectTypeOf(input).toEqualTypeOf<{ path: string; limit: number; size: number }>();
      expectTypeOf(context).toEqualTypeOf<ToolContext>();
      return input.path;
    },
    validate: async (input) => {
      expectTypeOf(input.limit).toEqualTypeOf<number>();
    },
    claims: (input) => [{ mode: "read", key: input.path }],
    destructive: (input) => input.limit > 3,
    describe: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ path?: string; limit?: number; size?: number }>();
      return { title: `Read ${input.path ?? "a file"}`, kind: "read", paths: [input.path] };
    },
    checkPermission: (input) => ({ behavior: input.path === "" ? "deny" : "passthrough" }),
  });

  expectTypeOf(tool).toEqualTypeOf<BaseTool<{ path: string; limit: number; size: number }>>();
});

test("an async generator is an execute too", () => {
  defineTool({
    ...base,
    input: z.object({ path: z.string() }),
    async *execute({ path }) {
      yield { reading: path };
      return path;
    },
  });
});

test("zod mini, zod 3 and other Standard Schemas are inferred", () => {
  defineTool({
    ...base,
    input: mini.object({ a: mini.string() }),
    execute: async (input) => expectTypeOf(input).toEqualTypeOf<{ a: string }>() && "",
  });
  defineTool({
    ...base,
    input: z3.object({ a: z3.string().default("x") }),
    execute: async (input) => expectTypeOf(input).toEqualTypeOf<{ a: string }>() && "",
  });
  type Other = StandardSchemaV1<{ a?: string }, { a: Date }> & StandardJSONSchemaV1;
  defineTool({
    ...base,
    input: {} as Other,
    execute: async (input) => expectTypeOf(input).toEqualTypeOf<{ a: Date }>() && "",
  });
});

test("plain JSON Schema gives a JSON object, or the type that is named", () => {
  const input = { type: "object", properties: { path: { type: "string" } } } as const;

  defineTool({
    ...base,
    input,
    execute: async (given) => expectTypeOf(given).toEqualTypeOf<JsonObject>() && "",
  });
  defineTool<{ path: string }>({ ...base, input, execute: async ({ path }) => path });
});

test("a tool without input gets an object", () => {
  const tool = defineTool({ ...base, execute: async () => "" });

  expectTypeOf(tool).toEqualTypeOf<BaseTool<JsonObject>>();
});

test("what is wrong does not compile", () => {
  const input = z.object({ path: z.string() });
  const execute = async () => "";

  // @ts-expect-error permission says what the tool may touch; it has no default
  defineTool({ name: "t", description: "d", input, execute });
  // @ts-expect-error the model needs a description
  defineTool({ name: "t", permission: "none", input, execute });
  // @ts-expect-error the schema has no such field
  defineTool({ ...base, input, execute: async ({ file }) => String(file) });
  // @ts-expect-error the named type contradicts the schema
  defineTool<{ path: number }>({ ...base, input, execute });
  // @ts-expect-error parsing is ours
  defineTool({ ...base, input, execute, parse: () => ({ path: "" }) });
});

test("InferInput names what a schema parses into", () => {
  const zod4 = z.object({ a: z.string().default("") });
  const zod3 = z3.object({ a: z3.string().default("") });

  expectTypeOf<InferInput<typeof zod4>>().toEqualTypeOf<{ a: string }>();
  expectTypeOf<InferInput<typeof zod3>>().toEqualTypeOf<{ a: string }>();
  expectTypeOf<InferInput<{ readonly type: "object" }>>().toEqualTypeOf<JsonObject>();
  expectTypeOf(createSchema(zod4, "schema").parse({})).toEqualTypeOf<{ a: string } | Promise<{ a: string }>>();
});
