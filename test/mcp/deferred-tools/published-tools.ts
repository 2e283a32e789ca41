// What published MCP servers listed in November 2026, connected with `connectMcp`: names and parameters as they are, descriptions
// cut to 300 characters. Each server's package, version and license stand above its tools; all of them are MIT or Apache-2.0.
import { readFileSync } from "node:fs";
import type { BaseTool, JsonObject, ToolDefinition } from "../../../src/index.js";
import { mcpToolNames } from "../../../src/mcp/index.js";

const linesOf = (file: string) =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** In a file of servers, each a line `# name | package@version | license`, and of their tools: `name(parameters) | description`. */
export function publishedDefinitions(): ToolDefinition[] {
  let server = "";
  return linesOf("published-tools.txt").flatMap((line) => {
    if (line.startsWith("# ")) server = line.slice(2).split(" | ")[0]!;
    const [, tool, parameters = "", description = ""] = /^([\w-]+)\((.*?)\) \| (.+)$/.exec(line) ?? [];
    if (tool === undefined) return [];
    const properties: JsonObject = {};
    for (const each of parameters.split(",")) if (each !== "") properties[each] = {};
    return { name: nameOf(server, tool), description, inputSchema: { type: "object", properties } };
  });
}

/** The same to be called: each does nothing but say what it was called with. */
export function publishedTools(): BaseTool[] {
  return publishedDefinitions().map((definition) => ({
    name: definition.name,
    permission: "execute" as const,
    definition: () => definition,
    execute: async (input: JsonObject) => `${definition.name} ${JSON.stringify(input)}`,
  }));
}

/** What is wanted, as a model searches for it and as a question, and the tools of which each does it. */
export interface Wanted {
  readonly tools: readonly string[];
  readonly query: string;
  readonly question: string;
}

/** For tools drawn by lot; written before anything was measured, and not changed since. */
export function modelQueries(): Wanted[] {
  return linesOf("model-queries.txt").map((line) => {
    const [tools = "", query = "", question = ""] = line.split(" | ");
    return { query, question, tools: tools.split(",").map((each) => nameOf(...(each.split("/") as [string, string]))) };
  });
}

function nameOf(server: string, tool: string): string {
  return mcpToolNames(server, [tool]).get(tool)!;
}
