// The tools behind a program's `searchTools()` and `describeTool()`. They are called like any other, so a program that is run again finds what it
// had found, whatever tools there are by then.
import type { BaseTool } from "../contracts/tool.js";
import { defineTool } from "../engine/tools/define-tool.js";
import { OWN_WORDS } from "../labels/join-labels.js";
import { type CallableTools, DESCRIBE_TOOL, declarations, SEARCH_TOOLS, unknownTool } from "./callable-tools.js";

export function createSearchTools(callable: () => CallableTools): readonly BaseTool[] {
  const search = defineTool<{ readonly query: string; readonly limit?: number }>({
    name: SEARCH_TOOLS,
    description: "Finds tools that a program may call.",
    input: {
      type: "object",
      properties: { query: { type: "string", minLength: 1 }, limit: { type: "integer", minimum: 1, maximum: 50 } },
      required: ["query"],
      additionalProperties: false,
    },
    describe: ({ query = "" }) => ({ title: `Find tools: ${query}`, kind: "search" }),
    permission: "none",
    returns: OWN_WORDS,
    replayable: true,
    callers: ["program"],
    execute({ query, limit = 10 }) {
      const { finder } = callable();
      const named = finder.named(query);
      const found = named.length > 0 ? named.slice(0, limit) : finder.byWords(query, limit);
      const value =
        found.length > 0
          ? declarations(found)
          : `None of the ${finder.definitions.length} tools match. Try other words: what the tool does, what it acts on, or the name of the service.`;
      return { output: value, value };
    },
  });
  const describe = defineTool<{ readonly name: string }>({
    name: DESCRIBE_TOOL,
    description: "Gives the whole definition of a tool that a program may call.",
    input: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
      additionalProperties: false,
    },
    describe: ({ name = "" }) => ({ title: `Describe the tool ${name}`, kind: "search" }),
    permission: "none",
    returns: OWN_WORDS,
    replayable: true,
    callers: ["program"],
    execute({ name }) {
      const { finder } = callable();
      const definition = callable().definition(name);
      if (!definition)
        return { output: unknownTool(name, finder.like(name)), isError: true, details: { code: "TOOL_UNKNOWN" } };
      return { output: JSON.stringify(definition), value: definition as never };
    },
  });
  return [search, describe];
}
