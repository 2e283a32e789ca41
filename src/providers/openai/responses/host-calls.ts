// Calls of OpenAI's own kinds of tools that are left to the program: a custom tool that takes free text, a shell, patches.
// Each becomes an ordinary call, and goes back, with its result, as the item it came as.

import { ProviderError } from "../../../contracts/errors.js";
import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import type { ToolResultPart } from "../../../contracts/message.js";
import type { ToolCall } from "../../../contracts/tool-call.js";
import { type Fields, isObject } from "../../../json/is-object.js";

/** A tool's output: text, or parts where there is more than text. */
type Said = string | readonly Fields[];

/** The fields that the output of such a call has beside its type and its call's id. */
type Output = (said: Said, result: ToolResultPart, item: JsonObject) => Fields;

interface HostTool {
  /** The tool that runs the call. Default: the one that the item names. */
  readonly name?: string;
  /** The field that holds the arguments. */
  readonly input: string;
  readonly output: Output;
}

const HOST_TOOLS: Readonly<Record<string, HostTool>> = {
  custom_tool_call: { input: "input", output: (output) => ({ output }) },
  local_shell_call: { name: "local_shell", input: "action", output: (said) => ({ output: textOf(said) }) },
  apply_patch_call: {
    name: "apply_patch",
    input: "operation",
    output: (said, { isError }) => ({ status: isError ? "failed" : "completed", output: textOf(said) }),
  },
  shell_call: {
    name: "shell",
    input: "action",
    output: (said, { isError }, { action }) => ({
      output: [{ stdout: textOf(said), stderr: "", outcome: { type: "exit", exit_code: isError ? 1 : 0 } }],
      ...(isObject(action) && action.max_output_length != null && { max_output_length: action.max_output_length }),
    }),
  },
};

/** Whether the server waits for the program to do what the item says. */
export function isLeftToHost({ type, execution, environment }: Fields): boolean {
  if (type === "shell_call") return !isObject(environment) || environment.type === "local";
  if (type === "tool_search_call") return execution === "client";
  return type === "computer_call" || type === "mcp_approval_request" || Object.hasOwn(HOST_TOOLS, String(type));
}

/** The item as a call, `id` being free; `null` when a tool's result cannot be the reply to it. */
export function hostCallOf(item: Fields): ToolCall | null {
  const tool = toolOf(item);
  if (!tool) return null;
  const id = typeof item.call_id === "string" ? item.call_id : String(item.id ?? "");
  const name = tool.name ?? (typeof item.name === "string" ? item.name : "");
  const said = item[tool.input];
  if (item.status === "incomplete" || said == null) return { id, name, arguments: {}, malformed: String(said ?? "") };
  return { id, name, arguments: (isObject(said) ? said : { [tool.input]: said }) as JsonObject };
}

/** The item kept in front of its call, as `providerData`. */
export function hostCallData(item: Fields): JsonObject {
  return { call: item as JsonObject };
}

/** The item that was kept for a call; `undefined` when none was. */
export function hostItemIn(data: JsonValue | undefined): JsonObject | undefined {
  return isObject(data) && isObject(data.call) && toolOf(data.call) ? (data.call as JsonObject) : undefined;
}

/** The result of a call as the item that the API wants for it. */
export function hostOutput(item: JsonObject, result: ToolResultPart, said: Said): Fields {
  const fields = toolOf(item)!.output(said, result, item);
  const caller = isObject(item.caller) && { caller: item.caller };
  return { type: `${item.type}_output`, call_id: item.call_id ?? item.id ?? "", ...fields, ...caller };
}

/** The error for what no result of a tool can be the reply to. */
export function cannotReply(provider: string, { type, name, server_label: server }: Fields): ProviderError {
  const message =
    type === "mcp_approval_request"
      ? `Provider "${provider}" asks for approval of "${name}" of its MCP server "${server}", and cannot be told here. Give that server require_approval "never" in providerOptions, or connect to it from this program, where the permission rules decide.`
      : `Provider "${provider}" waits for the result of an item of type "${type}", which this adapter cannot send. Take that tool out of providerOptions, and offer a tool of your own in its place.`;
  return new ProviderError("BAD_REQUEST", { message, details: { item: String(type) } });
}

/** Images and files cannot be sent where the API takes text alone. */
function textOf(said: Said): string {
  if (typeof said === "string") return said;
  return said.map(({ text, type }) => (typeof text === "string" ? text : `[${type}]`)).join("\n");
}

function toolOf(item: Fields): HostTool | undefined {
  const { type } = item;
  return typeof type === "string" && Object.hasOwn(HOST_TOOLS, type) && isLeftToHost(item)
    ? HOST_TOOLS[type]
    : undefined;
}
