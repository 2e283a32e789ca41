// A call as it ends, and calls that nothing has announced.
import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { ServerToolUse } from "../../contracts/message.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { fenced, resultContent, textContent } from "./result-content.js";

/** The end of a call. A change of a file keeps its diff, a command its terminal; of everything else the output is shown. */
export function endOfCall(
  toolCallId: string,
  result: ToolResult,
  call: { readonly content: readonly ToolCallContent[]; readonly terminalId?: string | undefined } | undefined,
): SessionUpdate {
  const status = result.isError ? "failed" : "completed";
  const keeps = !result.isError && (call?.terminalId !== undefined || hasTrueDiff(call?.content ?? [], result));
  const shown = keeps ? {} : { content: contentOf(result, call?.terminalId) };
  return { sessionUpdate: "tool_call_update", toolCallId, status, ...shown, rawOutput: rawOutputOf(result) };
}

function contentOf(result: ToolResult, terminalId: string | undefined): ToolCallContent[] {
  const { change, diff } = Object(result.details) as { change?: unknown; diff?: unknown };
  if (change === "replaced" && typeof diff === "string") return [textContent(fenced(diff, "diff"))];
  const terminal: ToolCallContent[] = terminalId === undefined ? [] : [{ type: "terminal", terminalId }];
  return [...terminal, ...resultContent(result.output)];
}

/** The diff of a file that was replaced, and of which nobody knew what it held, would show it as new. */
function hasTrueDiff(content: readonly ToolCallContent[], { details }: ToolResult): boolean {
  const wasReplaced = Object(details).change === "replaced";
  return content.some((each) => each.type === "diff" && !(wasReplaced && each.oldText === null));
}

function rawOutputOf({ output, details, status }: ToolResult): unknown {
  const { code } = Object(details) as { code?: unknown };
  const isText = typeof output === "string";
  return { status, ...(typeof code === "string" && { code }), ...(isText && { output }) };
}

/** A call that was never announced, as after a restart of the process. */
export function bareCall(toolCallId: string, name: string): SessionUpdate {
  return { sessionUpdate: "tool_call", toolCallId, title: name, name, kind: "other", status: "in_progress" };
}

/** A tool that the vendor's server has run: its call, its result under the same id, or both. */
export function serverToolUpdate(toolCallId: string, { name, input, output, isError }: ServerToolUse): SessionUpdate {
  const status = output === undefined ? "in_progress" : isError ? "failed" : "completed";
  const found = output === undefined ? {} : { content: [textContent(fenced(output))] };
  if (input === undefined) return { sessionUpdate: "tool_call_update", toolCallId, status, ...found };
  const call = { toolCallId, title: name, name, kind: "other", rawInput: input } as const;
  return { sessionUpdate: "tool_call", ...call, status, ...found };
}
