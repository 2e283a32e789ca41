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

/** The container of the model's last message: `""` when none is known, `undefined` when its time is over. */
export function lastContainer(messages: readonly Message[], owner: string): string | undefined {
  const last = messages.findLast((message): message is AssistantMessage => message.role === "assistant");
  let found: { readonly id?: string; readonly expires_at?: unknown } = {};
  for (const part of last?.content ?? []) {
    const kept = part.type === "reasoning" ? codeCallIn(part.providerData, owner) : undefined;
    if (isObject(kept?.container)) found = kept.container;
  }
  return Date.parse(String(found.expires_at)) <= Date.now() ? undefined : (found.id ?? "");
}

/** The container that a request names; `""` when it names none. */
export function namedContainer(container: unknown): string {
  const id = isObject(container) ? container.id : container;
  return typeof id === "string" ? id : "";
}

/** Whether the server's own tools do what a block asks for. */
export function isServerUse({ type }: AnthropicBlock): boolean {
  return type === "server_tool_use" || type === "mcp_tool_use";
}

/** The uses of the server's tools that a block came of: as their result, or as a call that their program has made. */
export function usesBehind({ type, tool_use_id, caller }: AnthropicBlock): unknown[] {
  if (isServerResult(type)) return [tool_use_id];
  return isObject(caller) && caller.type !== "direct" ? [caller.tool_id] : [];
}

function isServerResult(type: string): boolean {
  return type.endsWith("_tool_result");
}

/**
 * The programs that get no further: the conversation has gone on without their end, or there is more behind the results that they
 * wait for. The API takes nothing but results there. What is put into a result reaches the program as its value, not the model; what
 * is held back until the program ends comes too late for the answer. So the program is left out, and its calls are the model's own.
 * `canResume`: whether the last one may still wait for its results.
 */
export function endedPrograms(
  said: readonly { readonly message: Message; readonly blocks: readonly AnthropicBlock[] }[],
  canResume: boolean,
): ReadonlySet<unknown> {
  const ended = new Set<unknown>();
  const finished = new Set<unknown>();
  const called = new Set<unknown>();
  let waiting: unknown[] = [];
  for (const { message, blocks } of said) {
    if (message.role === "assistant") {
      const callers = blocks.filter(({ type }) => !isServerResult(type)).flatMap(usesBehind);
      waiting = message.finishReason === "pause" ? [...waiting, ...callers] : callers;
      for (const program of callers) called.add(program);
      for (const { type, tool_use_id } of blocks) if (isServerResult(type)) finished.add(tool_use_id);
    } else if (blocks.some(({ type }) => type !== "tool_result")) for (const program of waiting) ended.add(program);
  }
  const isOpen = (program: unknown) => finished.has(program) || (canResume && waiting.includes(program));
  for (const program of called) if (!isOpen(program)) ended.add(program);
  return ended;
}

/** What came of a use that is not in the conversation, such as after a compaction, is refused: results are left out, and who called. */
export function withoutLostUses(blocks: AnthropicBlock[], uses: Set<unknown>): AnthropicBlock[] {
  return blocks.flatMap((block) => {
    const isLost = !usesBehind(block).every((use) => uses.has(use));
    if (isServerUse(block) && !isLost) uses.add(block.id);
    if (!isLost) return block;
    const { caller: _lost, ...rest } = block;
    return block.type === "tool_use" ? (rest as AnthropicBlock) : [];
  });
}
