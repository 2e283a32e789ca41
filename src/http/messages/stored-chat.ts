// A stored session as a chat: what the user said, and all that was done until they said something again. Both halves come from the
// entries that lead to the session's newest one; the assistant's is made of the events that a live view would have seen.
import type { PendingRequest } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { EngineEvent, EventBase } from "../../contracts/event.js";
import type { UserMessage } from "../../contracts/message.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { checkOptions, numberFrom, type OptionTable, optionError, TEXT } from "../../json/check-options.js";
import type { RunSource } from "../run-source.js";
import { eventsOfEntry } from "../views/session-events.js";

/** Options of `toUiMessages()` and `toAgUiMessages()`. */
export interface StoredChatOptions {
  /** The most messages that are returned: the newest ones. Default: all. */
  readonly limit?: number | undefined;
  /** Returns those before this message, as `before` of a page says. Default: up to the newest one. */
  readonly before?: string | undefined;
  /** The session's id, which entries do not have: messages carry it where those of a live stream do. */
  readonly sessionId?: string | undefined;
  /** The branch to show, by its id as `listBranches()` gives it. Default: the current one. */
  readonly branch?: string | undefined;
  /** Leaves out what this run has done: its live stream brings it. Default: nothing is left out. */
  readonly withoutRun?: string | undefined;
}

const OPTIONS = {
  limit: numberFrom(1, "messages"),
  before: TEXT,
  sessionId: TEXT,
  branch: TEXT,
  withoutRun: TEXT,
} satisfies OptionTable<StoredChatOptions>;

/** Some of a chat's messages, oldest first. */
export interface MessagePage<Message> {
  readonly messages: readonly Message[];
  /** What to pass as `before` for the page before this one; `null` on the first page. */
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

export function turnsOf(entries: readonly SessionEntry[], sessionId = ""): ChatTurn[] {
  const turns: ChatTurn[] = [];
  const reader = new EventReader(sessionId);
  for (const entry of entries) {
    if (entry.type === "message" && entry.message.role === "user") {
      const { content, origin } = entry.message;
      const { id } = entry;
      if (isSaid(entry)) turns.push({ role: "user", id, last: id, content, isSteering: origin === "steering" });
      continue;
    }
    const events = reader.read(entry);
    if (events.length === 0) continue;
    let turn = turns.at(-1);
    if (turn?.role !== "assistant") {
      turn = { role: "assistant", id: entry.id, last: entry.id, runs: [] };
      turns.push(turn);
    }
    turn.last = entry.id;
    const run = turn.runs.at(-1);
    if (run?.runId === entry.runId) run.events.push(...events);
    else turn.runs.push({ runId: entry.runId, events });
  }
  return turns;
}

/** Makes the events of entries in order. A run that goes on with earlier calls enters each of them again. */
class EventReader {
  readonly #calls = new Map<string, ToolCall>();
  readonly #requests = new Map<string, PendingRequest>();
  #runId = "";
  #entered = new Set<string>();

  constructor(private readonly sessionId: string) {}

  read(entry: SessionEntry): EngineEvent[] {
    const { runId, turn, at } = entry;
    if (runId !== this.#runId) this.#entered = new Set();
    this.#runId = runId;
    const { sessionId } = this;
    const base: EventBase = { runId, sessionId, turn, agentPath: [], at, seq: 0 };
    switch (entry.type) {
      case "pending": {
        const { request } = entry;
        this.#requests.set(request.id, request);
        return [...this.#enter(base, request.toolCallId), ...eventsOfEntry(entry, baseOf(base, request))];
      }
      case "answer": {
        const request = this.#requests.get(entry.answer.id);
        const { answer } = entry;
        return request ? [{ ...baseOf(base, request), type: "approval-answered", request, answer }] : [];
      }
      case "tool-result":
        return [...this.#enter(base, entry.result.toolCallId), ...eventsOfEntry(entry, base)];
      case "run-end": {
        const { usage, status } = entry;
        return [
          { ...base, type: "usage", usage, costUsd: null },
          { ...base, type: "run-end", status },
        ];
      }
      default: {
        const events = eventsOfEntry(entry, base);
        for (const event of events) if (event.type === "tool-call-start") this.#keep(event.call);
        return events;
      }
    }
  }

  #keep(call: ToolCall): void {
    this.#calls.set(call.id, call);
    this.#entered.add(call.id);
  }

  #enter(base: EventBase, id: string): EngineEvent[] {
    const call = this.#entered.has(id) ? undefined : this.#calls.get(id);
    if (!call) return [];
    this.#entered.add(id);
    return [{ ...base, type: "tool-call-start", call }];
  }
}

/** A sub-agent asks in the run of its own. */
function baseOf(base: EventBase, { agentPath }: PendingRequest): EventBase {
  return agentPath.length === 0 ? base : { ...base, agentPath, runId: `${base.runId}/${agentPath.join("/")}` };
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
  const {
    limit = Number.POSITIVE_INFINITY,
    before,
    sessionId = "",
    branch,
    withoutRun,
  } = checkOptions(owner, options, OPTIONS);
  const entries: SessionEntry[] = [];
  for await (const entry of session) entries.push(entry);
  if (branch !== undefined && !entries.some(({ id }) => id === branch))
    throw optionError(owner, "branch", branch, "the id of a branch of this session");
  const shown = branchOf(entries, branch).filter((entry) => entry.runId !== withoutRun || isSaid(entry));
  const all = await write(turnsOf(shown, sessionId));
  const end = before === undefined ? all.length : all.findIndex((message) => idOf(message) === before);
  if (end === -1) throw optionError(owner, "before", before, "the id of a message of this session");
  const from = Math.max(0, end - limit);
  return { messages: all.slice(from, end), before: from > 0 ? idOf(all[from]!) : null };
}
