// The chats of a user, newest first, and those in which words were said.
import type { SessionEntry, SessionInfo, SessionStore } from "../../contracts/session.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { optionError } from "../../json/check-options.js";
import { clip } from "../../text/cut.js";
import { asOneLine } from "../../text/one-line.js";
import { shownTurn } from "../messages/shown-message.js";
import { isSaid, turnsOf } from "../messages/stored-chat.js";
import { textOfInput } from "../requests/prompt-content.js";
import { readNote, type SessionNote } from "./session-note.js";

/** A chat in a list. */
export interface ChatSession {
  readonly id: string;
  /** One line: as somebody has called it, as a model has, or the beginning of its first prompt; "" where that has no words. */
  readonly title: string;
  /** The time of its first entry, and of its newest. Unit: milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly isArchived: boolean;
  /** The token of the page that shows it to anybody; `null`: none does. */
  readonly share: string | null;
  readonly isRunning: boolean;
}

/** Some chats, newest first. */
export interface ChatSessionPage {
  readonly sessions: readonly ChatSession[];
  /** The value of `before` for the older ones; `null` on the last page. */
  readonly before: string | null;
}

/** The query of a list. */
export interface ListQuery {
  readonly limit: number;
  readonly before: string | undefined;
  /** Words that were all said, or are in the title. "": any chat. */
  readonly search: string;
  readonly archived: boolean;
}

/** The source of the chats, and what is asked before one of them is read. */
export interface ListSource {
  readonly store: SessionStore;
  readonly prefix: string;
  mayList(sessionId: string): Promise<boolean>;
  isRunning(sessionId: string): boolean;
  /** Nobody waits for the list any more. */
  readonly signal: AbortSignal;
}

export const MAX_TITLE_CHARS = 200;
const MAX_MADE_CHARS = 80;

export async function listSessions(source: ListSource, query: ListQuery): Promise<ChatSessionPage> {
  const { store, prefix, mayList, signal } = source;
  const words = query.search.toLowerCase().split(/\s+/).filter(Boolean);
  const isBehind = behind(query.before);
  const sessions: ChatSession[] = [];
  for await (const info of store.list({ prefix })) {
    if (signal.aborted) break;
    if (!isBehind(info) || !(await mayList(info.id))) continue;
    const note = await readNote(store, info.id);
    if ((note.isArchived ?? false) !== query.archived) continue;
    const title = await chatTitleOf(store, info.id, note);
    if (!(await hasWords(store, info.id, title, words))) continue;
    if (sessions.length === query.limit) return { sessions, before: cursorOf(sessions.at(-1)!) };
    sessions.push(sessionOf(info, title, note, source.isRunning(info.id)));
  }
  return { sessions, before: null };
}

export function sessionOf(
  info: Omit<SessionInfo, "entries">,
  title: string,
  note: SessionNote,
  isRunning: boolean,
): ChatSession {
  const { id, createdAt, updatedAt } = info;
  return {
    id,
    title,
    createdAt,
    updatedAt,
    isArchived: note.isArchived ?? false,
    share: note.share ?? null,
    isRunning,
  };
}

export async function chatTitleOf(store: SessionStore, id: string, note: SessionNote): Promise<string> {
  const given = note.title ?? note.madeTitle;
  return given === undefined || given === "" ? madeTitle(await firstPrompt(store, id)) : given;
}

/** One short line of what a model, or a prompt, says. */
export function madeTitle(text: string): string {
  return clip(asOneLine(text), MAX_MADE_CHARS);
}

export async function firstPrompt(store: SessionStore, id: string): Promise<string> {
  for await (const entry of store.read(id)) {
    if (!isSaid(entry)) continue;
    return textOfInput(entry.message.content);
  }
  return "";
}

/** A session is read no further than its title if that has them all. */
async function hasWords(store: SessionStore, id: string, title: string, words: readonly string[]): Promise<boolean> {
  const missing = (text: string) => words.filter((word) => !text.toLowerCase().includes(word));
  if (missing(title).length === 0) return true;
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(id)) entries.push(entry);
  const said = turnsOf(branchOf(entries)).map((turn) => shownTurn(turn).text);
  return missing([title, ...said].join("\n")).length === 0;
}

function cursorOf({ id, updatedAt }: ChatSession): string {
  return `${updatedAt} ${id}`;
}

/** Whether a chat comes behind this place of a list, which is newest first. One that has changed since is at its beginning. */
function behind(before: string | undefined): (info: SessionInfo) => boolean {
  if (before === undefined) return () => true;
  const [, at, last] = /^(\d+) (.+)$/su.exec(before) ?? [];
  if (at === undefined) throw optionError("sessions", "before", before, "what a page of the list says");
  let hasSeen = false;
  return ({ id, updatedAt }) => {
    if (updatedAt < Number(at)) return true;
    const isBehind = hasSeen && updatedAt === Number(at);
    if (id === last) hasSeen = true;
    return isBehind;
  };
}
