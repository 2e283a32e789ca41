// Thinking goes back exactly as it came: text, signature and place. What else only the vendor understands (redacted
// thinking, server tools and their results) is kept whole in the same way.

import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { AssistantMessage, AssistantPart } from "../../contracts/message.js";
import { isObject } from "../../json/is-object.js";
import { usesBehind } from "./server/code-calls.js";
import type { AnthropicBlock } from "./wire.js";

/** The rules for sending earlier thinking back to the server. */
export interface ReplayRules {
  /** The adapter's `id` and `model`: signatures are valid for the model that made them. */
  readonly owner: string;
  /** `false` leaves all earlier thinking out. */
  readonly sendsThinking: boolean;
  /** `false` leaves out the other blocks that were kept whole. */
  readonly sendsServerWork: boolean;
  /** `false` when the container of the last message is lost: a program that waits in it goes no further. */
  readonly resumesPrograms: boolean;
  /** The uses of the server's tools that are left out, with what came of them. Default: none. */
  readonly without?: ReadonlySet<unknown>;
  /** Whether the messages are to be compacted: then nobody has to speak last. */
  readonly isCompacting?: boolean;
}

/** The `providerData` of reasoning. */
export function signatureData(owner: string, signature: string | undefined): JsonObject {
  return { by: owner, ...(signature !== undefined && { signature }) };
}

/** A block that goes back unread. */
export function opaqueBlockData(owner: string, block: JsonObject): JsonObject {
  const isServerWork = /_tool_(?:use|result)$/.test(String(block.type));
  return { by: owner, block, ...(isServerWork && { serverWork: true }) };
}

/** The block that a reasoning part came as; `null` when another model wrote it, it is not whole, or does not go back. */
export function blockFromReasoning(
  part: Extract<AssistantPart, { type: "reasoning" }>,
  message: AssistantMessage,
  { owner, sendsThinking, sendsServerWork, without }: ReplayRules,
): AnthropicBlock | null {
  const { providerData } = part;
  if (!sendsThinking || !isObject(providerData)) return null;
  const { by = `${part.provider}/${message.model}`, signature, block } = providerData as { [field: string]: JsonValue };
  if (by !== owner) return null;
  if (isObject(block) && typeof block.type === "string") {
    const kept = block as AnthropicBlock;
    if (without && [kept.id, ...usesBehind(kept)].some((use) => without.has(use))) return null;
    return sendsServerWork || isThinkingBlock(kept) ? kept : null;
  }
  // Servers that do not sign still want their thinking back.
  return { type: "thinking", thinking: part.text, signature: typeof signature === "string" ? signature : "" };
}

export function isThinkingBlock({ type }: AnthropicBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}
