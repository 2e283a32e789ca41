import type { Answer } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { EventOf } from "../../contracts/event.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { RunSource } from "../run-source.js";
import type { UiChunk } from "../views/ui-message-chunks.js";
import { UiMessageProtocol } from "../views/ui-message-protocol.js";
import {
  type ChatRun,
  type ChatTurn,
  type MessagePage,
  readChat,
  STORED_RUN,
  type StoredChatOptions,
  storedTurns,
} from "./stored-chat.js";
import { UiMessageReader, type UiPart } from "./ui-message-reader.js";

/** A message of the AI SDK's `useChat`. */
export interface StoredUiMessage {
  /** The id of the entry that it begins with. */
  readonly id: string;
  readonly role: "user" | "assistant";
  /** Of an assistant message: run, session, status and usage, as in a live stream. Of a user message to a run under way: `steering`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly parts: readonly UiPart[];
}

/**
 * A stored session as messages of the AI SDK's `useChat`: what a client would have after the same chat, with tool calls and results,
 * reasoning, media, approvals asked and answered, and compactions as parts named `data-compaction`. Of sub-agents, the calls that
 * worked with them and the approvals they asked for are there.
 *
 * A call that has neither ended nor asked stays as it was when the session was written.
 *
 * @throws ConfigurationError `OPTION_INVALID`, SessionError `SESSION_CORRUPT`
 * @example
 * const { messages, before } = await toUiMessages(sessions.read(id), { limit: 50 });
 */
export function toUiMessages(
  session: AsyncIterable<SessionEntry> | Iterable<SessionEntry>,
  options: StoredChatOptions = {},
): Promise<MessagePage<StoredUiMessage>> {
  return readChat("toUiMessages()", session, options, uiMessagesOf, ({ id }) => id);
}

async function uiMessagesOf(turns: readonly ChatTurn[]): Promise<StoredUiMessage[]> {
  return Promise.all(turns.map((turn) => (turn.role === "user" ? userMessage(turn) : assistantMessage(turn))));
}

function userMessage({ id, content, isSteering }: Extract<ChatTurn, { role: "user" }>): StoredUiMessage {
  const parts = content.map(uiPartOf);
  return { id, role: "user", ...(isSteering && { metadata: { steering: true } }), parts };
}

function uiPartOf(part: ContentPart): UiPart {
  if (part.type === "text") return { type: "text", text: part.text };
  const { mediaType, data, name } = part;
  return {
    type: "file",
    mediaType,
    url: `data:${mediaType};base64,${data}`,
    ...(name !== undefined && { filename: name }),
  };
}

async function assistantMessage({ id, runs }: Extract<ChatTurn, { role: "assistant" }>): Promise<StoredUiMessage> {
  const reader = new UiMessageReader();
  for (const run of runs) await readRun(reader, run);
  const { metadata, parts } = reader;
  return { id, role: "assistant", metadata, parts };
}

/** The chunks that are about a run, and not about its message. */
const ABOUT_RUN: ReadonlySet<string> = new Set(["start", "finish", "abort", "error"]);

/** The message that a run goes on with, for a client that has not read it. `undefined`: the run begins one. */
export async function begunMessage(
  entries: readonly SessionEntry[],
  options: StoredChatOptions,
): ReturnType<NonNullable<RunSource["begun"]>> {
  const turn = (await storedTurns(entries, options)).at(-1);
  if (turn?.role !== "assistant") return undefined;
  let chunks: UiChunk[] = [];
  const reader: Pick<UiMessageReader, "add" | "answer"> = {
    add(chunk) {
      if (!ABOUT_RUN.has(chunk.type)) chunks.push(chunk);
    },
    // No chunk answers a question: it was not asked.
    answer({ id }) {
      chunks = chunks.filter(({ approvalId }) => approvalId !== id);
    },
  };
  for (const run of turn.runs) await readRun(reader, run);
  return { id: turn.id, chunks };
}

async function readRun(reader: Pick<UiMessageReader, "add" | "answer">, { events }: ChatRun): Promise<void> {
  const protocol = new UiMessageProtocol(STORED_RUN);
  let end: EventOf<"run-end"> | undefined;
  for (const event of events) {
    for (const chunk of protocol.fold.add(event)) reader.add(chunk);
    if (event.type === "approval-answered" && isDecision(event.answer)) reader.answer(event.answer);
    if (event.type === "run-end") end = event;
  }
  for (const chunk of end ? await protocol.finish(end) : protocol.fold.close()) reader.add(chunk);
}

function isDecision(answer: Answer): answer is Extract<Answer, { readonly decision: unknown }> {
  return "decision" in answer;
}
