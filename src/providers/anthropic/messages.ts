// The transcript in the words of the Messages API. The same messages always give the same bytes, and a longer transcript
// begins with the bytes of a shorter one, so that prompt caches hit.

import type { JsonValue } from "../../contracts/json.js";
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from "../../contracts/message.js";
import { argumentsObject } from "../shared/request/arguments-text.js";
import { portableCallId, portableToolName } from "../shared/request/portable-names.js";
import { type GoesBack, withShownMedia } from "../shared/request/shown-media.js";
import { contentBlock, textBlock } from "./content.js";
import { codeCallIn, endedPrograms, isServerUse, usesBehind, withoutLostUses } from "./server/code-calls.js";
import { fromSummary } from "./server/server-compaction.js";
import { blockFromReasoning, isThinkingBlock, type ReplayRules } from "./thinking-blocks.js";
import type { AnthropicBlock, AnthropicMessage } from "./wire.js";

/** The text of a message that says nothing, where there has to be one. */
const NOTHING = "(empty)";

/** The user's last message when the conversation ends with the model's words: newer models refuse to complete them. */
const GO_ON = "Continue.";

/**
 * The messages of a request. Consecutive messages of one role become one; the first and the last are the user's, but for a summary of the
 * server's, which leads.
 */
export function anthropicMessages(all: readonly Message[], rules: ReplayRules): AnthropicMessage[] {
  const wire: { role: "user" | "assistant"; content: AnthropicBlock[] }[] = [];
  const { block: summary, rest: messages } = rules.sendsServerWork
    ? fromSummary(all, rules.owner)
    : { block: undefined, rest: all };
  if (summary) wire.push({ role: "assistant", content: [summary] });
  const newest = messages.at(-1);
  // A paused message goes back alone, as it came: the server goes on with it.
  const isPaused = newest?.role === "assistant" && newest.finishReason === "pause";
  const whole = saidBy(messages, rules);
  const ended = endedPrograms(whole, rules.resumesPrograms);
  const said = ended.size === 0 ? whole : saidBy(messages, { ...rules, without: ended });
  const answered = new Set(said.flatMap(({ blocks }) => blocks.flatMap(usesBehind)));
  const uses = new Set<unknown>();
  for (const { message, blocks } of said) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const open = isPaused && message === newest ? blocks : withoutUnanswered(blocks, answered);
    const content = withoutLastThoughts(withoutLostUses(open, uses));
    if (content.length === 0) continue;
    const last = wire.at(-1);
    if (last?.role === role) last.content.push(...content);
    else wire.push({ role, content });
  }
  if (wire[0]?.role !== "user" && !summary) wire.unshift({ role: "user", content: [{ type: "text", text: NOTHING }] });
  if (wire.at(-1)!.role === "assistant" && !isPaused && !rules.isCompacting)
    wire.push({ role: "user", content: [{ type: "text", text: GO_ON }] });
  return wire;
}

function saidBy(messages: readonly Message[], rules: ReplayRules) {
  const goesBack: GoesBack = (part, message) =>
    part.type === "reasoning" && blockFromReasoning(part, message, rules) !== null;
  return withShownMedia(messages, goesBack).map((message) => ({ message, blocks: blocksOf(message, rules) }));
}

function blocksOf(message: Message, rules: ReplayRules): AnthropicBlock[] {
  if (message.role === "user") return userBlocks(message);
  return message.role === "tool" ? resultBlocks(message) : assistantBlocks(message, rules);
}

function userBlocks({ content }: UserMessage): AnthropicBlock[] {
  return content.map(contentBlock).filter((block) => block !== null);
}

function assistantBlocks(message: AssistantMessage, rules: ReplayRules): AnthropicBlock[] {
  const blocks: AnthropicBlock[] = [];
  let caller: JsonValue | undefined;
  for (const part of message.content) {
    const kept = part.type === "reasoning" ? codeCallIn(part.providerData, rules.owner) : undefined;
    if (kept && rules.sendsThinking) caller = kept.caller;
    const block = kept ? null : assistantBlock(part, message, rules);
    if (block) blocks.push(block.type === "tool_use" && caller !== undefined ? { ...block, caller } : block);
    if (part.type === "tool-call") caller = undefined;
  }
  return blocks;
}

/** Thinking that nothing follows is refused. */
function withoutLastThoughts(blocks: AnthropicBlock[]): AnthropicBlock[] {
  return blocks.slice(0, blocks.findLastIndex((block) => !isThinkingBlock(block)) + 1);
}

/**
 * Without the calls of the server's own tools that the conversation has left open: the API refuses them without their results,
 * unless they wait for those of our tools.
 */
function withoutUnanswered(blocks: AnthropicBlock[], answered: ReadonlySet<unknown>): AnthropicBlock[] {
  if (blocks.some(({ type }) => type === "tool_use")) return blocks;
  return blocks.filter((block) => !isServerUse(block) || answered.has(block.id));
}

function assistantBlock(part: AssistantPart, message: AssistantMessage, rules: ReplayRules): AnthropicBlock | null {
  if (part.type === "text") return textBlock(part.text);
  if (part.type === "tool-call") {
    return {
      type: "tool_use",
      id: portableCallId(part.id),
      name: portableToolName(part.name),
      input: argumentsObject(part),
    };
  }
  if (part.type !== "reasoning") return null; // Images and files are shown by the user.
  return blockFromReasoning(part, message, rules);
}

/** The results come first, as the API wants; images of failed calls follow, since an error holds text only. */
function resultBlocks({ content }: ToolMessage): AnthropicBlock[] {
  const attached: AnthropicBlock[] = [];
  const results = content.map((result) => resultBlock(result, attached));
  return [...results, ...attached];
}

function resultBlock(result: ToolResultPart, attached: AnthropicBlock[]): AnthropicBlock {
  const { toolCallId, isError, output, name } = result;
  const parts = typeof output === "string" ? [textBlock(output)] : output.map(contentBlock);
  let blocks = parts.filter((block) => block !== null);
  if (isError) {
    const others = blocks.filter(({ type }) => type !== "text");
    blocks = blocks.filter(({ type }) => type === "text");
    if (others.length > 0)
      attached.push({ type: "text", text: `Attached to the failed result of ${name}:` }, ...others);
    if (blocks.length === 0) blocks = [{ type: "text", text: "The call failed without a message." }];
  }
  return {
    type: "tool_result",
    tool_use_id: portableCallId(toolCallId),
    ...(blocks.length > 0 && { content: typeof output === "string" ? blocks[0]!.text : blocks }),
    ...(isError && { is_error: true }),
  };
}
