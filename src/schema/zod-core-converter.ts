import { toJSONSchema } from "zod/v4/core";

// A file of its own, so that a bundler sees which part of zod this is: 7 KB, in a chunk that waits for the first schema.

/** The JSON Schema of a zod mini schema, or of a zod before 4.2, as a tool's input: a field with a default is optional. */
export function convertZodCore(schema: object): unknown {
  return toJSONSchema(schema as Parameters<typeof toJSONSchema>[0], { io: "input", unrepresentable: "any" });
}
