// What the page reads of sessions that are not under way: the list, and everything that one session holds.
import type { PendingRequest, SessionEntry, SessionInfo, SessionStore } from "loopwright";
import { findPending } from "loopwright/sessions";
import { subagentSessionId } from "loopwright/subagents";

/** Everything a page needs to show a session. What a run under way adds comes as its events, from the beginning. */
export interface SessionSnapshot {
  readonly entries: readonly SessionEntry[];
  readonly subagents: readonly {
    readonly id: string;
    readonly name: string;
    /** The main agent's call that it works for. */
    readonly toolCallId: string;
    readonly entries: readonly SessionEntry[];
  }[];
  /** What waits for an answer. */
  readonly questions: readonly PendingRequest[];
  /** Sent to the run under way, whose model has not read it. */
  readonly queued?: readonly string[];
  /** The run under way. */
  readonly runId: string | null;
}

/** `null` for a session that does not exist. */
export async function readSnapshot(
  store: SessionStore,
  id: string,
  runId: string | null,
): Promise<SessionSnapshot | null> {
  const entries = shownOf(await entriesOf(store, id));
  if (entries.length === 0) return null;
  const subagents = await Promise.all(
    taskCalls(entries).map(async ({ toolCallId, name }) => {
      const childId = subagentSessionId(id, toolCallId);
      return { id: childId, name, toolCallId, entries: shownOf(await entriesOf(store, childId)) };
    }),
  );
  const questions = runId === null ? await findPending(store, id) : [];
  return { entries, subagents: subagents.filter((one) => one.entries.length > 0), questions, runId };
}

/** The calls of the main agent that start sub-agents. */
function taskCalls(entries: readonly SessionEntry[]): { toolCallId: string; name: string }[] {
  return entries.flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "assistant") return [];
    return entry.message.content.flatMap((part) => {
      if (part.type !== "tool-call" || part.name !== "task") return [];
      const { subagent_type: type } = Object(part.arguments) as { readonly subagent_type?: unknown };
      return [{ toolCallId: part.id, name: typeof type === "string" ? type : "general-purpose" }];
    });
  });
}

const SHOWN: ReadonlySet<SessionEntry["type"]> = new Set([
  "run-start",
  "message",
  "tool-result",
  "pending",
  "answer",
  "run-end",
]);

/** The current branch, which ends in the newest entry, and of it what a page shows. */
function shownOf(entries: readonly SessionEntry[]): SessionEntry[] {
  const parents = new Map(entries.map((entry) => [entry.id, entry]));
  const branch: SessionEntry[] = [];
  for (let entry = entries.at(-1); entry; entry = entry.parent === null ? undefined : parents.get(entry.parent))
    branch.push(entry);
  return branch.reverse().filter(({ type }) => SHOWN.has(type));
}

export async function entriesOf(store: SessionStore, id: string): Promise<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(id)) entries.push(entry);
  return entries;
}

/** Whether the process ended while a run was under way. */
export function isUnfinished(entries: readonly SessionEntry[]): boolean {
  return entries.findLast(({ type }) => type === "run-start" || type === "run-end")?.type === "run-start";
}

interface ListedSession {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: number;
  readonly state: "running" | "waiting" | "idle";
  readonly runId: string | null;
}

interface KnownSession {
  readonly updatedAt: number;
  readonly title: string;
  readonly isWaiting: boolean;
}

/** The list of sessions. A session that has not changed is not read again. */
export class SessionList {
  #known = new Map<string, KnownSession>();

  constructor(private readonly store: SessionStore) {}

  async read(runIn: (sessionId: string) => string | null): Promise<ListedSession[]> {
    const listed: ListedSession[] = [];
    const known = new Map<string, KnownSession>();
    for await (const info of this.store.list({ limit: 100 })) {
      const { id, updatedAt } = info;
      const about = await this.#about(info);
      known.set(id, about);
      const runId = runIn(id);
      const state = runId !== null ? "running" : about.isWaiting ? "waiting" : "idle";
      listed.push({ id, title: about.title, updatedAt, state, runId });
    }
    this.#known = known;
    return listed;
  }

  async #about({ id, updatedAt }: SessionInfo): Promise<KnownSession> {
    const before = this.#known.get(id);
    if (before?.updatedAt === updatedAt) return before;
    const entries = await entriesOf(this.store, id);
    const end = entries.findLast(({ type }) => type === "run-end");
    const isWaiting = end?.type === "run-end" && end.status === "needs-approval";
    return { updatedAt, title: before?.title ?? titleOf(entries), isWaiting };
  }
}

const MAX_TITLE_CHARS = 80;

/** The first line of the first message. */
function titleOf(entries: readonly SessionEntry[]): string {
  for (const entry of entries) {
    if (entry.type !== "message" || entry.message.role !== "user") continue;
    const text = entry.message.content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
    const line = text.trim().split("\n", 1)[0] ?? "";
    return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS - 1)}…` : line || "Untitled";
  }
  return "Untitled";
}
