// Sessions of Claude Code: one line for each message or piece of one, linked by `uuid` and `parentUuid`.
import type { ContentPart } from "../../contracts/content.js";
import type { JsonObject } from "../../contracts/json.js";
import { type Fields, fieldsOf, isObject, stringOf } from "../../json/is-object.js";
import {
  type ForeignPart,
  type ForeignPast,
  type ForeignStep,
  foreignContent,
  foreignInput,
  foreignOutput,
  jsonLinesOf,
  pathTo,
  timeIn,
  Untaken,
  usageOfTokens,
} from "./foreign-past.js";

/** Whether a line is one of Claude Code's. */
export function isClaudeCode(line: Fields): boolean {
  const isLinked = "sessionId" in line || "uuid" in line || "leafUuid" in line;
  return typeof line.type === "string" && (isLinked || line.type === "file-history-snapshot");
}

/** Never throws: what cannot be taken is counted. */
export function readClaudeCode(text: string): ForeignPast {
  const leftOut = new Untaken();
  const lines = jsonLinesOf(text, leftOut);
  const taken = new Set(branchIn(lines));
  const steps = lines.flatMap((line) => {
    if (taken.has(line)) return stepsOf(line, leftOut);
    const isMessage = line.type === "user" || line.type === "assistant";
    const where = line.isSidechain === true ? "side chain" : "another branch";
    leftOut.add(isMessage ? `message of ${where}` : stringOf(line.type) || "line of no type");
    return [];
  });
  const id = lines.map(({ sessionId }) => stringOf(sessionId)).findLast((one) => one !== "");
  return { format: "claude-code", id: id ?? "session", steps, leftOut };
}

/**
 * The lines that lead to the newest message of the main chain. Parallel calls make short branches of their own: their pieces and
 * results belong to it.
 */
function branchIn(lines: readonly Fields[]): Fields[] {
  const main = lines.filter((line) => line.isSidechain !== true && isConversation(line));
  const byId = new Map(lines.map((line) => [stringOf(line.uuid), line]));
  byId.delete("");
  const parentOf = (line: Fields) => stringOf(line.parentUuid) || stringOf(line.logicalParentUuid);
  const path = new Set(
    pathTo(
      main.findLast(({ uuid }) => uuid !== undefined),
      byId,
      parentOf,
    ).filter(isConversation),
  );
  const replies = new Set([...path].map(replyOf).filter((id) => id !== ""));
  const ofReplies = main.filter((line) => path.has(line) || replies.has(replyOf(line)));
  const calls = new Set(
    ofReplies.flatMap((line) => blocksOf(line).map(({ type, id }) => (type === "tool_use" ? id : ""))),
  );
  const isResult = (line: Fields) =>
    blocksOf(line).some(({ type, tool_use_id: id }) => type === "tool_result" && calls.has(id));
  return main.filter((line) => path.has(line) || replies.has(replyOf(line)) || isResult(line));
}

function isConversation({ type, subtype }: Fields): boolean {
  return type === "user" || type === "assistant" || (type === "system" && subtype === "compact_boundary");
}

function replyOf({ type, message }: Fields): string {
  return type === "assistant" ? stringOf(fieldsOf(message).id) : "";
}

function blocksOf({ message }: Fields): Fields[] {
  const { content } = fieldsOf(message);
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function stepsOf(line: Fields, leftOut: Untaken): ForeignStep[] {
  const at = timeIn(line.timestamp);
  const message = fieldsOf(line.message);
  // The summary itself is the user message that follows.
  if (line.type === "system") return [];
  if (line.type === "user") return userSteps(line, message, at, leftOut);
  if (line.isApiErrorMessage === true || message.model === "<synthetic>") {
    leftOut.add("message of the program itself");
    return [];
  }
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = fieldsOf(message.usage);
  const usage = usageOfTokens({
    input: input_tokens,
    output: output_tokens,
    cacheRead: cache_read_input_tokens,
    cacheWrite: cache_creation_input_tokens,
  });
  const parts = blocksOf(line).flatMap((block) => partOf(block, leftOut));
  const model = stringOf(message.model) || "unknown";
  const reply = stringOf(message.id) || stringOf(line.uuid);
  return [{ kind: "assistant", at, reply, parts, provider: "anthropic", model, usage }];
}

function userSteps(line: Fields, { content }: Fields, at: number, leftOut: Untaken): ForeignStep[] {
  const image = (block: Fields) => {
    const { media_type: mediaType, data } = fieldsOf(block.source);
    return { mediaType, data };
  };
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const results = blocks.flatMap((block): ForeignStep[] => {
    if (block.type !== "tool_result") return [];
    const output = foreignOutput(foreignContent(block.content, leftOut, image));
    return [{ kind: "result", at, callId: stringOf(block.tool_use_id), output, isError: block.is_error === true }];
  });
  const own = typeof content === "string" ? content : blocks.filter(({ type }) => type !== "tool_result");
  const said = foreignContent(own, leftOut, image);
  if (said.length === 0) return results;
  if (line.isCompactSummary === true) {
    const text = said.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    return [...results, { kind: "summary", at, text }];
  }
  const isTyped = (part: ContentPart) => line.isMeta !== true && !(part.type === "text" && NOT_TYPED.test(part.text));
  const step = (content: ContentPart[], origin?: "reminder"): ForeignStep[] =>
    content.length > 0 ? [{ kind: "user", at, content, origin }] : [];
  const others = said.filter((part) => !isTyped(part));
  return [...results, ...step(others, "reminder"), ...step(said.filter(isTyped))];
}

/** A part in one of the program's own tags, which have several words: the user has typed none but those of a command. */
const NOT_TYPED = /^\s*<(?!command-|bash-input>)[a-z]+(?:[-_][a-z]+)+>/;

function partOf(block: Fields, leftOut: Untaken): ForeignPart[] {
  switch (block.type) {
    case "text":
      return [{ kind: "text", text: stringOf(block.text) }];
    case "thinking": {
      const { signature } = block;
      const data = typeof signature === "string" && signature !== "" ? { signature } : undefined;
      return [{ kind: "thinking", text: stringOf(block.thinking), data }];
    }
    case "redacted_thinking":
      return [{ kind: "thinking", text: "", data: { block: block as JsonObject } }];
    case "tool_use":
      return [{ kind: "call", id: stringOf(block.id), name: stringOf(block.name), input: foreignInput(block.input) }];
    default:
      leftOut.add(`content ${stringOf(block.type) || "of no type"}`);
      return [];
  }
}
