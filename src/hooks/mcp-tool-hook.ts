import type { Hook, HookPoint } from "../contracts/hook.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import { checkOptions, FUNCTION, type OptionTable, optionOf, PATH, required, STRING } from "../json/check-options.js";
import { isObject } from "../json/is-object.js";
import { textOrJson } from "../text/describe-value.js";
import { FILTER_OPTIONS, type FilteredHookOptions, filteredHook } from "./filtered-hook.js";
import { toWire, WIRE_OPTIONS, type WireContext } from "./hook-input-json.js";
import { answerOfText, askedOf } from "./hook-output.js";

const DEFAULT_TIMEOUT_MS = 600_000;

/** Calls a tool of a connected MCP server, and returns the text of its result. Rejects when the call fails. */
export type McpToolCaller = (
  call: { readonly server: string; readonly tool: string; readonly input: JsonObject },
  context: { readonly signal: AbortSignal },
) => Promise<string>;

/** Options of `mcpToolHook()`. */
export interface McpToolHookOptions extends WireContext, FilteredHookOptions {
  /** Name of the connected server. */
  readonly server: string;
  /** Name of the tool, as the server calls it. */
  readonly tool: string;
  /** The tool's input. `${tool_input.file_path}` in a string is filled in from the event. */
  readonly input?: JsonObject | undefined;
  /** Calls it: `mcpToolCaller()` makes one from connections. */
  readonly callTool: McpToolCaller;
  /** Unit: milliseconds. Default: 600_000. */
  readonly timeoutMs?: number | undefined;
  /** The meaning of a failed call or broken JSON. Default: `block` at the points that guard, else `continue`. */
  readonly onFailure?: "block" | "continue" | undefined;
}

const OPTIONS = {
  server: required(STRING),
  tool: required(STRING),
  input: optionOf(isObject, "an object"),
  callTool: required(FUNCTION),
  dir: PATH,
  ...WIRE_OPTIONS,
  ...FILTER_OPTIONS,
} satisfies OptionTable<McpToolHookOptions>;

/**
 * A hook that is a tool of an MCP server: the text of its result is read like the standard output of a command.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function mcpToolHook<P extends HookPoint = HookPoint>(options: McpToolHookOptions): Hook<P> {
  checkOptions("mcpToolHook()", options, OPTIONS);
  const { server, tool, input: template = {}, callTool, onFailure, timeoutMs = DEFAULT_TIMEOUT_MS } = options;

  return filteredHook(options, { timeoutMs, onFailure }, async (event, signal) => {
    const input = filled(template, toWire(event, options)) as JsonObject;
    const text = await callTool({ server, tool, input }, { signal }).catch((cause: unknown) => {
      throw new Error(`the tool "${tool}" of the MCP server "${server}" failed`, { cause: String(cause) });
    });
    return answerOfText(String(text), askedOf(event));
  });
}

/** A string that is one placeholder takes the value as it is; in a longer string it becomes text. */
function filled(template: JsonValue, event: JsonObject): JsonValue {
  if (Array.isArray(template)) return template.map((item: JsonValue) => filled(item, event));
  if (typeof template === "object" && template !== null) {
    return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, filled(value, event)]));
  }
  if (typeof template !== "string") return template;
  const [, whole] = /^\$\{([\w.]+)\}$/.exec(template) ?? [];
  if (whole !== undefined) return valueAt(event, whole) ?? "";
  return template.replace(/\$\{([\w.]+)\}/g, (_all, path: string) => {
    const value = valueAt(event, path) ?? "";
    return textOrJson(value);
  });
}

function valueAt(event: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = event;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}
