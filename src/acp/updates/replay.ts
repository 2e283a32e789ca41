// A recorded session as updates: what the editor would have shown, had it been there.
import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { MessageOrigin } from "../../contracts/message.js";
import type { SessionEntry } from "../../contracts/session.js";
import { storedDescription } from "../../engine/transcript/describe-call.js";
import type { StoredEntry } from "../../engine/transcript/stored-calls.js";
import { endOfCall, serverToolUpdate } from "./call-end.js";
import { lookOf } from "./call-look.js";
import { inPlace } from "./call-place.js";
import { editorBlock } from "./editor-block.js";
import { planEntries } from "./plan-entries.js";

/** The messages that the user has written; the rest of the user messages is for the model. */
const USERS_OWN: readonly (MessageOrigin | undefined)[] = [undefined, "user", "steering"];

/** In the order of the session. Results are shown where they came, as updates of their calls. */
export function* replay(stored: Iterable<StoredEntry>, cwd: string): Generator<SessionUpdate> {
  const contents = new Map<string, readonly ToolCallContent[]>();
  for (const { entry, within } of stored) {
    if (entry.type === "message") yield* replayMessage(entry, cwd, contents, within);
    if (entry.type !== "tool-result") continue;
    const { result } = entry;
    const content = contents.get(result.toolCallId);
    if (!content) continue;
    contents.delete(result.toolCallId);
    const plan = result.name === "todo_write" && !result.isError ? planEntries(result.details) : undefined;
    if (plan) yield { sessionUpdate: "plan", entries: plan };
    yield endOfCall(result.toolCallId, result, { content });
  }
}

function* replayMessage(
  { id: messageId, message, descriptions }: Extract<SessionEntry, { type: "message" }>,
  cwd: string,
  contents: Map<string, readonly ToolCallContent[]>,
  within: string | undefined,
): Generator<SessionUpdate> {
  if (message.role === "user") {
    if (!USERS_OWN.includes(message.origin)) return;
    for (const part of message.content) {
      yield { sessionUpdate: "user_message_chunk", messageId, content: editorBlock(part) };
    }
    return;
  }
  for (const part of message.content) {
    if (part.type === "text") {
      yield { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text: part.text } };
    } else if (part.type === "reasoning") {
      if (part.serverTool) yield serverToolUpdate(part.serverTool.id, part.serverTool);
      if (part.text === "") continue;
      yield { sessionUpdate: "agent_thought_chunk", messageId, content: { type: "text", text: part.text } };
    } else if (part.type !== "tool-call") {
      yield { sessionUpdate: "agent_message_chunk", messageId, content: editorBlock(part) };
    } else {
      const { id: toolCallId, name, arguments: rawInput } = part;
      const description = storedDescription(descriptions, toolCallId);
      const look = lookOf({ name, input: rawInput, description }, cwd);
      contents.set(toolCallId, look.content);
      const place = inPlace(look.title, { agentPath: [], within });
      yield { sessionUpdate: "tool_call", toolCallId, name, status: "pending", rawInput, ...look, ...place };
    }
  }
}
