// Calls that a program makes which the model has written and the server runs (programmatic tool calling). The program
// waits in a container: its calls say again who has made them, and their results go to that container.

import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import type { AssistantMessage, Message } from "../../../contracts/message.js";
import { isObject } from "../../../json/is-object.js";
import type { AnthropicBlock } from "../wire.js";

/** The data kept of a call's caller in front of the call; `undefined` when the model has called. */
export function callerData(owner: string, caller: unknown): JsonObject | undefined {
  return isObject(caller) && caller.type !== "direct" ? { by: owner, caller: caller as JsonObject } : undefined;
}

/** The data kept of the container that a response was made in. */
export function containerData(owner: string, container: unknown): JsonObject | undefined {
  return isObject(container) && typeof container.id === "string"
    ? { by: owner, container: container as JsonObject }
    : undefined;
}

/** The caller or container in kept data; `undefined` when it is neither, or another model's. */
export function codeCallIn(
  data: JsonValue | undefined,
  owner: string,
): { readonly caller?: JsonValue; readonly container?: JsonValue } | undefined {
  if (!isObject(data) || data.by !== owner) return undefined;
  return data.caller !== undefined || data.container !== undefined ? (data as JsonObject) : undefined;
}

/** The container in which a program waits for the results that end the conversation. */
export function waitingContainer(messages: readonly Message[], owner: string): string | undefined {
  const last = messages.findLast((message): message is AssistantMessage => message.role === "assistant");
  let id: string | undefined;
  let isCalled = false;
  for (const part of last?.content ?? []) {
    const kept = part.type === "reasoning" ? codeCallIn(part.providerData, owner) : undefined;
    isCalled ||= kept?.caller !== undefined;
    if (isObject(kept?.container) && typeof kept.container.id === "string") id = kept.container.id;
  }
  return isCalled ? id : undefined;
}

/** Whether the server's own tools do what a block asks for. */
export function isServerUse({ type }: AnthropicBlock): boolean {
  return type === "server_tool_use" || type === "mcp_tool_use";
}

/** The uses of the server's tools that a block came of: as their result, or as a call that their program has made. */
export function usesBehind({ type, tool_use_id, caller }: AnthropicBlock): unknown[] {
  if (type.endsWith("_tool_result")) return [tool_use_id];
  return type === "tool_use" && isObject(caller) ? [caller.tool_id] : [];
}

/** What came of a use that is not in the conversation, such as after a compaction, is refused: results are left out, and who called. */
export function withoutLostUses(blocks: AnthropicBlock[], uses: Set<unknown>): AnthropicBlock[] {
  return blocks.flatMap((block) => {
    if (isServerUse(block)) uses.add(block.id);
    if (usesBehind(block).every((use) => uses.has(use))) return block;
    const { caller: _lost, ...rest } = block;
    return block.type === "tool_use" ? (rest as AnthropicBlock) : [];
  });
}
