// What published MCP servers listed in November 2026, connected with `connectMcp`: names and parameters as they are, descriptions
// cut to 300 characters. Each server's package, version and license stand above its tools; all of them are MIT or Apache-2.0.
import { readFileSync } from "node:fs";
import type { JsonObject, ToolDefinition } from "../../../src/index.js";
import { mcpToolNames } from "../../../src/mcp/index.js";
import type { Task } from "./catalogue.js";

const linesOf = (file: string) =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** In a file of servers, each a line `# name | package@version | license`, and of their tools: `name(parameters) | description`. */
export function realTools(): ToolDefinition[] {
  let server = "";
  return linesOf("real-tools.txt").flatMap((line) => {
    if (line.startsWith("# ")) server = line.slice(2).split(" | ")[0]!;
    const [, tool, parameters = "", description = ""] = /^([\w-]+)\((.*?)\) \| (.+)$/.exec(line) ?? [];
    if (tool === undefined) return [];
    const properties: JsonObject = {};
    for (const each of parameters.split(",")) if (each !== "") properties[each] = {};
    return { name: nameOf(server, tool), description, inputSchema: { type: "object", properties } };
  });
}

/**
 * What people ask for, in other words than the tools' own, for tools drawn by lot. `seen`: the search was improved with an eye on
 * these. `unseen`: nobody looked at how it does on them meanwhile.
 */
export function realTasks(which: "seen" | "unseen"): Task[] {
  return linesOf(`real-tasks-${which}.txt`).map((line) => {
    const [tools = "", task = ""] = line.split(" | ");
    return { task, tools: tools.split(",").map((each) => nameOf(...(each.split("/") as [string, string]))) };
  });
}

function nameOf(server: string, tool: string): string {
  return mcpToolNames(server, [tool]).get(tool)!;
}
