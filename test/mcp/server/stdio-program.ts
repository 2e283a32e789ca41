// A program that offers two tools on its standard input and output, for tests.
import { defineTool, ToolRegistry } from "../../../src/index.js";
import { serveMcp } from "../../../src/mcp/index.js";

const add = defineTool<{ a: number; b: number }>({
  name: "add",
  description: "Adds two numbers.",
  permission: "none",
  input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  execute: ({ a, b }) => String(a + b),
});
const erase = defineTool({
  name: "erase",
  description: "Erases everything.",
  permission: "execute",
  execute: () => "erased",
});

const server = await serveMcp(new ToolRegistry([add, erase]), { transport: "stdio", name: "sums" });
await server.closed;
