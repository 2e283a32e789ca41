// Tools that Anthropic's servers run: their definitions, and what they did as everybody can read it.
// Source: the types of @anthropic-ai/sdk 1.14 (read 2026-11).

import type { JsonObject } from "../../../contracts/json.js";
import type { ServerToolUse } from "../../../contracts/message.js";
import { type OptionRule, optionOf } from "../../../json/check-options.js";
import { isObject } from "../../../json/is-object.js";
import { serverCall, serverResult } from "../../shared/server-tool-use.js";

/** The domains and the number of uses of a tool that reaches the web. */
interface WebLimits {
  readonly max_uses?: number;
  readonly allowed_domains?: readonly string[];
  readonly blocked_domains?: readonly string[];
}

/**
 * A tool that Anthropic's servers run, as the API takes it, `name` aside: that follows from `type`, without its date. Rules, modes and events know it by that
 * name.
 */
export type AnthropicServerTool =
  | ({ readonly type: `web_search_${string}`; readonly user_location?: object } & WebLimits)
  | ({ readonly type: `web_fetch_${string}`; readonly max_content_tokens?: number } & WebLimits)
  /** With `toolOptions.allowedCallers` its programs call your tools, through the permission gate. */
  | { readonly type: `code_execution_${string}` }
  /** Finds tools whose `toolOptions` say `deferLoading`. */
  | { readonly type: `tool_search_tool_${"bm25" | "regex"}_${string}` }
  | {
      readonly type: `advisor_${string}`;
      readonly model: string;
      readonly max_uses?: number;
      readonly max_tokens?: number;
    };

const KNOWN = /^(?:(?:web_search|web_fetch|code_execution|advisor)|tool_search_tool_(?:bm25|regex))_\d{8}$/;

/** The rule of one server tool of the options. */
export const ANTHROPIC_SERVER_TOOL: OptionRule = optionOf(
  (tool) =>
    isObject(tool) &&
    typeof tool.type === "string" &&
    KNOWN.test(tool.type) &&
    (anthropicToolName(tool as AnthropicServerTool) !== "advisor" || typeof tool.model === "string"),
  'a tool of Anthropic\'s servers with its date, such as { type: "web_search_20250305" }; an advisor has a model',
);

/** E.g. `web_search` of `web_search_20250305`. */
export function anthropicToolName({ type }: AnthropicServerTool): string {
  return type.replace(/_\d{8}$/, "");
}

/** The tool whose programs call tools of the run. */
export const CODE_EXECUTION = "code_execution";

export function runsPrograms(tool: AnthropicServerTool): boolean {
  return anthropicToolName(tool) === CODE_EXECUTION;
}

/** The beta that a tool needs. Source: @ai-sdk/anthropic 4.0.105 and @anthropic-ai/sdk 1.14 (read 2026-11). */
export function betaOfServerTool({ type }: { readonly type?: unknown }): string | undefined {
  if (typeof type !== "string") return undefined;
  if (type.startsWith("advisor_")) return "advisor-tool-2026-03-01";
  if (type.startsWith("memory_")) return "context-management-2025-06-27";
  if (type.startsWith("web_fetch_2025")) return "web-fetch-2025-09-10";
  return type === "code_execution_20250825" ? "code-execution-2025-08-25" : undefined;
}

/** The work that a block holds, for other readers; `undefined` for blocks of another kind. `names` are those of the calls so far. */
export function workInBlock(block: JsonObject, names: Map<unknown, string>): ServerToolUse | undefined {
  const { type, id, name, input, tool_use_id, content, is_error, server_name } = block;
  if (type === "server_tool_use" || type === "mcp_tool_use") {
    const called = typeof server_name === "string" ? `mcp__${server_name}__${name}` : String(name);
    names.set(id, called);
    return serverCall(id, called, input);
  }
  if (typeof type !== "string" || !type.endsWith("_tool_result")) return undefined;
  const isError = is_error === true || (isObject(content) && String(content.type).endsWith("_error"));
  return serverResult(tool_use_id, names.get(tool_use_id) ?? type.replace(/_tool_result$/, ""), content, isError);
}
