import { expect, test } from "vitest";
import type { JsonSchema } from "../../src/contracts/json.js";
import { declarationOf } from "../../src/programs/declaration.js";

const declared = (inputSchema: JsonSchema, outputSchema?: JsonSchema) =>
  declarationOf("look", { name: "look", description: "Looks.", inputSchema, ...(outputSchema && { outputSchema }) });

const object = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});

test("a declaration is one line of TypeScript, with the types of input and result", () => {
  const input = object({ path: { type: "string" }, lines: { type: "array", items: { type: "integer" } } }, ["path"]);
  const output = object({ text: { type: "string" }, size: { type: ["number", "null"] } }, ["text"]);

  expect(declared(input, output)).toBe(
    "/** Looks. */ look(input: { path: string; lines?: number[] }): Promise<{ text: string; size?: number | null }>",
  );
  expect(declared({ type: "object", properties: {} })).toBe("/** Looks. */ look(): Promise<string | object>");
});

test.each<[JsonSchema, string]>([
  [{ enum: ["a", "b", 1] }, '"a" | "b" | 1'],
  [{ const: true }, "true"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
  [{ allOf: [object({ a: { type: "string" } }), object({ b: {} })] }, "{ a?: string } & { b?: unknown }"],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "[string, number]"],
  [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
  [object({ "a-b": { type: "boolean" } }), '{ "a-b"?: boolean }'],
  [{ $ref: "#/nowhere" }, "unknown"],
])("%j is %s", (schema, type) => {
  expect(declared(object({ it: schema }, ["it"]))).toBe(
    `/** Looks. */ look(input: { it: ${type} }): Promise<string | object>`,
  );
});

test("a schema that refers to itself ends, and one that is too long is left to describeTool()", () => {
  const tree = {
    ...object({ node: { $ref: "#/$defs/node" } }),
    $defs: { node: object({ next: { $ref: "#/$defs/node" } }) },
  };
  const wide = object(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, { type: "string" }])));

  expect(declared(tree)).toMatch(
    /^\/\*\* Looks\. \*\/ look\(input: \{ node\?: \{ next\?: .*unknown.*\}\): Promise<string \| object>$/,
  );
  expect(declared(wide)).toBe("/** Looks. */ look(input: object /* see describeTool() */): Promise<string | object>");
});

test("a description cannot leave its comment, and is cut", () => {
  const definition = { name: "x", description: `Ends */ here.\n\n${"long ".repeat(100)}`, inputSchema: object({}) };

  expect(declarationOf("x", definition)).toMatch(
    /^\/\*\* Ends \* \/ here\. long .{0,190}… \*\/ x\(\): Promise<string \| object>$/,
  );
});
