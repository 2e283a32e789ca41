// Tools that OpenAI's servers run: their definitions, and what they did as everybody can read it.
// Source: the types of openai 7.59 (read 2026-11).

import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ServerToolUse } from "../../contracts/message.js";
import { type OptionRule, optionOf } from "../../json/check-options.js";
import { isObject } from "../../json/is-object.js";
import { serverCall, serverResult } from "../shared/server-tool-use.js";

/**
 * A tool that OpenAI's servers run, as the API takes it. Rules, modes and events know it by its `type`; an MCP server by
 * `mcp__` and its label.
 */
export type OpenAIServerTool =
  | {
      readonly type: "web_search";
      readonly filters?: object;
      readonly user_location?: object;
      readonly search_context_size?: string;
    }
  | {
      readonly type: "file_search";
      readonly vector_store_ids: readonly string[];
      readonly max_num_results?: number;
      readonly filters?: object;
    }
  | { readonly type: "code_interpreter"; readonly container: string | object }
  | { readonly type: "image_generation"; readonly [option: string]: JsonValue | undefined }
  /** A shell in a container of the server's. A local one is a tool of your own. */
  | { readonly type: "shell"; readonly environment: object }
  /** Finds tools whose `toolOptions` say `deferLoading`. */
  | { readonly type: "tool_search" }
  /** Its programs call your tools whose `toolOptions` allow it, through the permission gate. */
  | { readonly type: "programmatic_tool_calling" }
  /** A remote MCP server. Nobody can be asked about its calls, so that it never waits for an approval. */
  | {
      readonly type: "mcp";
      readonly server_label: string;
      readonly server_url?: string;
      readonly connector_id?: string;
      readonly authorization?: string;
      readonly headers?: object;
      readonly allowed_tools?: readonly string[] | object;
    };

const NEEDS: Readonly<Record<OpenAIServerTool["type"], string | null>> = {
  web_search: null,
  file_search: "vector_store_ids",
  code_interpreter: "container",
  image_generation: null,
  shell: "environment",
  tool_search: null,
  programmatic_tool_calling: null,
  mcp: "server_label",
};

/** The rule of one server tool of the options. */
export const OPENAI_SERVER_TOOL: OptionRule = {
  ...optionOf(
    (tool) => {
      if (!isObject(tool) || typeof tool.type !== "string" || !Object.hasOwn(NEEDS, tool.type)) return false;
      const needed = NEEDS[tool.type as OpenAIServerTool["type"]];
      const isLocal = tool.type === "shell" && isObject(tool.environment) && tool.environment.type === "local";
      return (needed === null || tool[needed] !== undefined) && !isLocal && tool.require_approval === undefined;
    },
    `a tool of OpenAI's servers, one of ${Object.keys(NEEDS).join(", ")}, with what it needs`,
  ),
  // An MCP server's may hold a token.
  isSecret: true,
};

/** The tool whose programs call tools of the run. */
export const PROGRAMS = "programmatic_tool_calling";

/** E.g. `web_search`, or `mcp__github`. */
export function openaiToolName(tool: OpenAIServerTool): string {
  return tool.type === "mcp" ? `mcp__${tool.server_label}` : tool.type;
}

/** The definition as it goes out. */
export function wireServerTool(tool: OpenAIServerTool): object {
  return tool.type === "mcp" ? { ...tool, require_approval: "never" } : tool;
}

/** Items that hold no work: a list of tools, and what was made shorter. */
const NO_WORK = new Set<unknown>(["mcp_list_tools", "compaction", "tool_search_output"]);

const INPUTS = ["action", "code", "queries", "arguments"];
const OUTPUTS = ["outputs", "results", "output", "result", "error"];

/** The work that an item holds, for other readers; `undefined` for items of another kind. */
export function workInItem(item: JsonObject): ServerToolUse | undefined {
  const { type, id, call_id, name, server_label, status, error } = item;
  if (typeof type !== "string" || NO_WORK.has(type)) return undefined;
  const called =
    type === "mcp_call" ? `mcp__${server_label}__${name}` : type.replace(/_(?:call|call_output|output)$/, "");
  const input = INPUTS.map((field) => item[field]).find((said) => said != null && said !== "");
  const found = OUTPUTS.map((field) => item[field]).find((said) => said != null);
  const about = call_id ?? id;
  if (type.endsWith("_output")) return serverResult(about, called, found);
  const call = serverCall(about, called, input);
  return found === undefined
    ? call
    : { ...serverResult(about, called, found, status === "failed" || error != null), ...call };
}
