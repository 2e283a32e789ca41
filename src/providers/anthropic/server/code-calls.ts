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

/** Callers whose program is not in the conversation, such as after a compaction, are refused: they are left out. */
export function withoutLostCallers(blocks: AnthropicBlock[], programs: Set<unknown>): AnthropicBlock[] {
  return blocks.map((block) => {
    if (block.type === "server_tool_use") programs.add(block.id);
    const { caller, ...rest } = block;
    const isLost = block.type === "tool_use" && isObject(caller) && !programs.has(caller.tool_id);
    return isLost ? (rest as AnthropicBlock) : block;
  });
}
