// A session as the messages of the AI SDK: for models, views and stores that read those.
import type { PendingRequest } from "../../contracts/approval.js";
import type { ContentPart, MediaPart } from "../../contracts/content.js";
import type { JsonValue } from "../../contracts/json.js";
import type { AssistantPart, Message, MessageOrigin } from "../../contracts/message.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { Transcript, waitingQuestions } from "../../engine/transcript/transcript.js";

/** A message of the AI SDK, of `ai` 6 and 7. */
export type ModelMessage =
  | { role: "user"; content: UserContent[]; providerOptions?: { loopwright: { origin: MessageOrigin } } }
  | { role: "assistant"; content: AssistantContent[] }
  | { role: "tool"; content: ToolResultContent[] };

type FileContent = { type: "file"; data: string; mediaType: string; filename?: string };
type UserContent = { type: "text"; text: string } | FileContent;
type AssistantContent =
  | UserContent
  | { type: "reasoning"; text: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: JsonValue }
  | { type: "tool-approval-request"; approvalId: string; toolCallId: string };
type ToolResultContent = { type: "tool-result"; toolCallId: string; toolName: string; output: ToolResultOutput };
type ToolResultOutput = { type: "text" | "error-text"; value: string } | { type: "content"; value: ToolResultPiece[] };
type ToolResultPiece =
  | { type: "text"; text: string }
  | { type: "image-data"; data: string; mediaType: string }
  | { type: "file-data"; data: string; mediaType: string; filename?: string };

/**
 * The messages of a session's current branch, oldest first, as the AI SDK has them: `toModelMessages(store.read(id))`.
 *
 * Everything that was said is there, also what compaction has taken out of the model's context. What the harness has added, such as a
 * reminder, is a user message with its origin in `providerOptions.loopwright`. A call that waits for an approval is followed by a
 * `tool-approval-request` with the id of the question; one that waits for anything else has no result yet.
 *
 * @throws SessionError `SESSION_CORRUPT`, `TRANSCRIPT_INVALID` for entries that are no session
 */
export async function toModelMessages(
  session: AsyncIterable<SessionEntry> | Iterable<SessionEntry>,
): Promise<ModelMessage[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of session) entries.push(entry);
  const transcript = new Transcript();
  for (const entry of branchOf(entries)) transcript.apply(entry);
  const messages = transcript.messages.map(messageOf);
  const last = messages.at(-1);
  if (transcript.open && last?.role === "assistant") last.content.push(...approvals(waitingQuestions(transcript)));
  const settled = transcript.open?.results.filter((result) => result !== undefined) ?? [];
  return settled.length > 0 ? [...messages, { role: "tool", content: settled.map(resultOf) }] : messages;
}

function messageOf(message: Message): ModelMessage {
  if (message.role === "tool") return { role: "tool", content: message.content.map(resultOf) };
  if (message.role === "assistant") return { role: "assistant", content: message.content.flatMap(assistantContent) };
  const { origin = "user" } = message;
  const content = message.content.map((part) => (part.type === "text" ? textOf(part) : fileOf(part)));
  return { role: "user", content, ...(origin !== "user" && { providerOptions: { loopwright: { origin } } }) };
}

function assistantContent(part: AssistantPart): AssistantContent[] {
  if (part.type === "text") return [textOf(part)];
  // The round-trip data of a provider in an empty thought is of no use to others.
  if (part.type === "reasoning") return part.text === "" ? [] : [{ type: "reasoning", text: part.text }];
  if (part.type !== "tool-call") return [fileOf(part)];
  const { id: toolCallId, name: toolName, arguments: args, malformed } = part;
  return [{ type: "tool-call", toolCallId, toolName, input: malformed ?? args }];
}

function approvals(waiting: readonly PendingRequest[]): AssistantContent[] {
  // A call that a sub-agent or a tool has made is in none of these messages.
  const asked = waiting.filter(
    ({ kind, agentPath, within }) => kind === "approval" && agentPath.length === 0 && within === undefined,
  );
  return asked.map(({ id, toolCallId }) => ({ type: "tool-approval-request", approvalId: id, toolCallId }));
}

function resultOf(result: Pick<ToolResult, "toolCallId" | "name" | "output" | "isError">): ToolResultContent {
  const { toolCallId, name: toolName, output, isError } = result;
  if (typeof output !== "string") {
    return { type: "tool-result", toolCallId, toolName, output: { type: "content", value: output.map(pieceOf) } };
  }
  return {
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type: isError ? "error-text" : "text", value: output },
  };
}

function pieceOf(part: ContentPart): ToolResultPiece {
  if (part.type === "text") return textOf(part);
  const { mediaType, data } = part;
  if (part.type === "image") return { type: "image-data", data, mediaType };
  return { type: "file-data", data, mediaType, ...(part.name !== undefined && { filename: part.name }) };
}

function textOf({ text }: { readonly text: string }): { type: "text"; text: string } {
  return { type: "text", text };
}

function fileOf({ mediaType, data, name }: MediaPart): FileContent {
  return { type: "file", data, mediaType, ...(name !== undefined && { filename: name }) };
}
