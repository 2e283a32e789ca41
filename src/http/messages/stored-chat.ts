// A stored session as a chat: what the user said, and all that was done until they said something again. Both halves come from the
// entries that lead to the session's newest one; the assistant's is made of the events that a live view would have seen.
import type { ContentPart } from "../../contracts/content.js";
import type { EngineEvent } from "../../contracts/event.js";
import type { UserMessage } from "../../contracts/message.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { type StoredEntry, withToolCalls } from "../../engine/transcript/stored-calls.js";
import { checkOptions, numberFrom, type OptionTable, optionError, optionOf, TEXT } from "../../json/check-options.js";
import type { RunSource } from "../run-source.js";
import { StoredEvents } from "../views/session-events.js";

/** Options of `toUiMessages()` and `toAgUiMessages()`. */
export interface StoredChatOptions {
  /** The most messages that are returned: the newest ones. Default: all. */
  readonly limit?: number | undefined;
  /** Returns those before this message, as `before` of a page says. Default: up to the newest one. */
  readonly before?: string | undefined;
  /** The session's id, which entries do not have: messages carry it where those of a live stream do. */
  readonly sessionId?: string | undefined;
  /** The store of the session, which has the calls of programs as well. Default: those that ask are shown, and no others. */
  readonly sessions?: Pick<SessionStore, "read"> | undefined;
  /** The branch to show, by its id as `listBranches()` gives it. Default: the current one. */
  readonly branch?: string | undefined;
  /** Leaves out what this run has done: its live stream brings it. What the user has said and answered stays. Default: nothing is left out. */
  readonly withoutRun?: string | undefined;
}

const OPTIONS = {
  limit: numberFrom(1, "messages"),
  before: TEXT,
  sessionId: TEXT,
  sessions: optionOf((value) => typeof Object(value).read === "function", "a session store"),
  branch: TEXT,
  withoutRun: TEXT,
} satisfies OptionTable<StoredChatOptions>;

/** Some of a chat's messages, oldest first. */
export interface MessagePage<Message> {
  readonly messages: readonly Message[];
  /** The value of `before` for the page before this one; `null` on the first page. */
  readonly before: string | null;
}

/** One side's turn in a chat. `id`: of its first entry; `last`: of its last one. */
export type ChatTurn =
  | {
      readonly role: "user";
      readonly id: string;
      readonly last: string;
      readonly content: readonly ContentPart[];
      readonly isSteering: boolean;
    }
  | { readonly role: "assistant"; readonly id: string; last: string; readonly runs: ChatRun[] };

/** The part of a run in one turn. */
export interface ChatRun {
  readonly runId: string;
  readonly events: EngineEvent[];
}

/** The run of a stored session: its events are all there is. */
export const STORED_RUN: RunSource = { async *[Symbol.asyncIterator]() {} };

/** The user has said it, also while the model was at work. */
export function isSaid(entry: SessionEntry): entry is SessionEntry & { readonly message: UserMessage } {
  if (entry.type !== "message" || entry.message.role !== "user") return false;
  const { origin = "user" } = entry.message;
  return origin === "user" || origin === "steering";
}

export function turnsOf(entries: readonly SessionEntry[]): ChatTurn[] {
  return turnsOfStored(
    entries.map((entry) => ({ entry })),
    "",
  );
}

function turnsOfStored(stored: readonly StoredEntry[], sessionId: string): ChatTurn[] {
  const turns: ChatTurn[] = [];
  const reader = new StoredEvents(sessionId);
  for (const { entry, within } of stored) {
    if (entry.type === "message" && entry.message.role === "user") {
      const { content, origin } = entry.message;
      const { id } = entry;
      if (isSaid(entry)) turns.push({ role: "user", id, last: id, content, isSteering: origin === "steering" });
      continue;
    }
    const events = within === undefined ? reader.read(entry) : reader.readInner(entry, within);
    if (events.length === 0) continue;
    let turn = turns.at(-1);
    if (turn?.role !== "assistant") {
      turn = { role: "assistant", id: entry.id, last: entry.id, runs: [] };
      turns.push(turn);
    }
    if (within === undefined) turn.last = entry.id;
    const run = turn.runs.at(-1);
    if (run?.runId === reader.runId) run.events.push(...events);
    else turn.runs.push({ runId: reader.runId, events });
  }
  return turns;
}

/** The turns of a branch with the calls of tools, where their store is known. */
export async function storedTurns(
  entries: readonly SessionEntry[],
  { sessionId = "", sessions, branch, withoutRun }: StoredChatOptions,
): Promise<ChatTurn[]> {
  const shown = branchOf(entries, branch).filter(
    (entry) => entry.runId !== withoutRun || isSaid(entry) || entry.type === "answer",
  );
  const inner = sessions
    ? await withToolCalls(shown, sessions, sessionId)
    : shown.map((entry): StoredEntry => ({ entry }));
  const until = entries.find(({ runId }) => runId === withoutRun)?.at ?? Number.POSITIVE_INFINITY;
  const stored = inner.filter(({ entry, within }) => within === undefined || entry.at < until);
  return turnsOfStored(stored, sessionId);
}

/**
 * Reads a page of a session's chat.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a message that the session does not have, SessionError `SESSION_CORRUPT`
 */
export async function readChat<Message>(
  owner: string,
  session: AsyncIterable<SessionEntry> | Iterable<SessionEntry>,
  options: StoredChatOptions,
  write: (turns: readonly ChatTurn[]) => readonly Message[] | Promise<readonly Message[]>,
  idOf: (message: Message) => string,
): Promise<MessagePage<Message>> {
  const settings = checkOptions(owner, options, OPTIONS);
  const { limit = Number.POSITIVE_INFINITY, before, branch } = settings;
  const entries: SessionEntry[] = [];
  for await (const entry of session) entries.push(entry);
  if (branch !== undefined && !entries.some(({ id }) => id === branch))
    throw optionError(owner, "branch", branch, "the id of a branch of this session");
  const all = await write(await storedTurns(entries, settings));
  const end = before === undefined ? all.length : all.findIndex((message) => idOf(message) === before);
  if (end === -1) throw optionError(owner, "before", before, "the id of a message of this session");
  const from = Math.max(0, end - limit);
  return { messages: all.slice(from, end), before: from > 0 ? idOf(all[from]!) : null };
}
