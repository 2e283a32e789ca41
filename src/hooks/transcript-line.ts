// An entry of a session as a line of a transcript file, as Claude Code writes them.
import type { ContentPart } from "../contracts/content.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { AssistantPart } from "../contracts/message.js";
import type { SessionEntry } from "../contracts/session.js";
import type { Usage } from "../contracts/usage.js";
import { theirInput, theirToolName } from "./dialect.js";

interface LineContext {
  readonly sessionId: string;
  readonly cwd: string;
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: "end_turn",
  "tool-calls": "tool_use",
  length: "max_tokens",
  pause: "pause_turn",
  "content-filter": "refusal",
};

/** `null` for an entry that is neither a message nor a result. */
export function transcriptLine(entry: SessionEntry, { sessionId, cwd }: LineContext): JsonObject | null {
  const said = messageOf(entry, cwd);
  if (!said) return null;
  const { id: uuid, parent: parentUuid, at } = entry;
  return {
    type: said.role!,
    uuid,
    parentUuid,
    sessionId,
    cwd,
    timestamp: new Date(at).toISOString(),
    isSidechain: sessionId.startsWith("sub-"),
    userType: "external",
    message: said,
  };
}

function messageOf(entry: SessionEntry, cwd: string): JsonObject | null {
  if (entry.type === "tool-result") {
    const { toolCallId, output, isError } = entry.result;
    const content = typeof output === "string" ? output : output.map(contentPart);
    return { role: "user", content: [{ type: "tool_result", tool_use_id: toolCallId, content, is_error: isError }] };
  }
  if (entry.type !== "message") return null;
  const { message } = entry;
  if (message.role === "user") {
    const [only] = message.content;
    const isText = message.content.length === 1 && only?.type === "text";
    return { role: "user", content: isText ? only.text : message.content.map(contentPart) };
  }
  return {
    role: "assistant",
    type: "message",
    model: message.model,
    content: message.content.map((part) => assistantPart(part, cwd)),
    stop_reason: STOP_REASONS[message.finishReason] ?? null,
    ...(message.usage && { usage: theirUsage(message.usage) }),
  };
}

function contentPart(part: ContentPart): JsonValue {
  if (part.type === "text") return { type: "text", text: part.text };
  const type = part.type === "image" ? "image" : "document";
  return { type, source: { type: "base64", media_type: part.mediaType, data: part.data } };
}

function assistantPart(part: AssistantPart, cwd: string): JsonValue {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "reasoning") return { type: "thinking", thinking: part.text };
  if (part.type !== "tool-call") return contentPart(part);
  const { id, name, arguments: args } = part;
  return { type: "tool_use", id, name: theirToolName(name), input: theirInput(name, args, cwd) };
}

function theirUsage({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheWriteTokens,
  };
}
