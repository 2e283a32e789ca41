// Tools as popular MCP servers have them, described in our own words, and tasks in other words than theirs.
import { readFileSync } from "node:fs";
import type { BaseTool, JsonObject } from "../../../src/index.js";
import { mcpToolNames } from "../../../src/mcp/index.js";

const linesOf = (file: string) =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** Each does nothing but say what it was called with. */
export function catalogue(file = "catalogue.txt"): BaseTool[] {
  let server = "";
  return linesOf(file).flatMap((line) => {
    if (line.startsWith("# ")) server = line.slice(2);
    const [, tool, parameters, description] = /^(\w+)\((.*?)\) \| (.+?)(?: \|\| .+)?$/.exec(line) ?? [];
    if (tool === undefined) return [];
    const name = mcpToolNames(server, [tool]).get(tool)!;
    const properties: JsonObject = {};
    for (const each of parameters!.split(",")) if (each !== "") properties[each] = { type: "string" };
    return {
      name,
      permission: "execute" as const,
      definition: () => ({ name, description: description!, inputSchema: { type: "object", properties } }),
      execute: async (input: JsonObject) => `${tool} ${JSON.stringify(input)}`,
    };
  });
}

/**
 * Tools of other services, each with a task of its own. `learned`: the subjects of words were written with an eye on them; the
 * others nobody has looked at when that was done.
 */
export function moreServices(which: "learned" | "unlearned"): { tools: BaseTool[]; tasks: Task[] } {
  const file = which === "learned" ? "more-services-learned.txt" : "more-services.txt";
  const said = linesOf(file).flatMap((line) => line.split(" || ")[1] ?? []);
  const tools = catalogue(file);
  return { tools, tasks: tools.map(({ name }, index) => ({ task: said[index]!, tools: [name] })) };
}

/** A task, and the tools of which each does it. */
export interface Task {
  readonly task: string;
  readonly tools: readonly string[];
}

/**
 * `learned`: the thesaurus was written with an eye on these. `unlearned`: it was not, and is not to be. `everyday`: the same, as people
 * ask, who use about half of a tool's own words.
 */
export function tasks(which: "learned" | "unlearned" | "everyday" = "learned"): Task[] {
  return linesOf(which === "learned" ? "tasks.txt" : `${which}-tasks.txt`).map((line) => {
    const [tools = "", task = ""] = line.split(" | ");
    return { task, tools: tools.split(",") };
  });
}
