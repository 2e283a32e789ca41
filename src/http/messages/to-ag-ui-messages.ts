import type { SessionEntry } from "../../contracts/session.js";
import { type AgUiEvent, AgUiProtocol, contentPart } from "../views/ag-ui-protocol.js";
import { type ChatTurn, type MessagePage, readChat, STORED_RUN, type StoredChatOptions } from "./stored-chat.js";

/** A message of AG-UI. */
export interface StoredAgUiMessage {
  readonly id: string;
  readonly role: "user" | "assistant" | "tool" | "reasoning" | "activity";
  readonly content?: unknown;
  readonly toolCalls?: readonly AgUiToolCall[];
  readonly toolCallId?: string;
  readonly metadata?: unknown;
  readonly activityType?: string;
  /** Of a sub-agent's call that has asked, and of its result. */
  readonly subagentRunId?: string;
}

interface AgUiToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly metadata?: unknown;
}

/**
 * A stored session as AG-UI messages: what a client would have after the same chat, with tool calls and results, reasoning, and compactions
 * as activities. What a model made beside text is in no message, as AG-UI has none for it.
 *
 * @throws ConfigurationError `OPTION_INVALID`, SessionError `SESSION_CORRUPT`
 * @example
 * const { messages, before } = await toAgUiMessages(sessions.read(id), { limit: 50 });
 */
export function toAgUiMessages(
  session: AsyncIterable<SessionEntry> | Iterable<SessionEntry>,
  options: StoredChatOptions = {},
): Promise<MessagePage<StoredAgUiMessage>> {
  return readChat("toAgUiMessages()", session, options, agUiMessagesOf, ({ id }) => id);
}

function agUiMessagesOf(turns: readonly ChatTurn[]): StoredAgUiMessage[] {
  const messages: Writable[] = [];
  for (const turn of turns) {
    if (turn.role === "user") {
      const [only] = turn.content;
      const isText = turn.content.length === 1 && only?.type === "text";
      messages.push({ id: turn.id, role: "user", content: isText ? only.text : turn.content.map(contentPart) });
      continue;
    }
    for (const { events } of turn.runs) {
      const { fold } = new AgUiProtocol(STORED_RUN, {});
      for (const event of events.flatMap((each) => fold.add(each)).concat(fold.close())) add(messages, event);
    }
  }
  return messages;
}

type Writable = { -readonly [K in keyof StoredAgUiMessage]: StoredAgUiMessage[K] };

const ROLES: Readonly<Record<string, Writable["role"]>> = {
  TEXT_MESSAGE_START: "assistant",
  REASONING_MESSAGE_START: "reasoning",
};

/** Adds what AG-UI's client makes of an event. */
function add(messages: Writable[], event: AgUiEvent): void {
  const { type, messageId, toolCallId, delta, content, metadata, subagentRunId } = event as AgUiEvent & {
    readonly messageId: string;
    readonly toolCallId: string;
    readonly subagentRunId: string | undefined;
  };
  const by = subagentRunId !== undefined && { subagentRunId };
  switch (type) {
    case "TEXT_MESSAGE_START":
    case "REASONING_MESSAGE_START":
      messages.push({ id: messageId, role: ROLES[type]!, content: "" });
      break;
    case "TEXT_MESSAGE_CONTENT":
    case "REASONING_MESSAGE_CONTENT": {
      const message = messages.findLast(({ id }) => id === messageId)!;
      message.content = `${message.content}${delta}`;
      break;
    }
    case "ACTIVITY_SNAPSHOT":
      messages.push({ id: messageId, role: "activity", activityType: String(event.activityType), content });
      break;
    case "TOOL_CALL_START": {
      if (indexOfCall(messages, toolCallId) >= 0) break;
      const call = { name: String(event.toolCallName), arguments: "" };
      messages.push({
        id: toolCallId,
        role: "assistant",
        toolCalls: [{ id: toolCallId, type: "function", function: call, ...(metadata !== undefined && { metadata }) }],
        ...by,
      });
      break;
    }
    case "TOOL_CALL_ARGS": {
      const call = messages[indexOfCall(messages, toolCallId)]!.toolCalls![0]!;
      Object.assign(call.function, { arguments: delta });
      break;
    }
    case "TOOL_CALL_RESULT": {
      const at = indexOfCall(messages, toolCallId) + 1 || messages.length;
      messages.splice(at, 0, { id: messageId, role: "tool", toolCallId, content, metadata, ...by });
    }
  }
}

function indexOfCall(messages: readonly Writable[], id: string): number {
  return messages.findLastIndex(({ toolCalls }) => toolCalls?.[0]?.id === id);
}
