// A stored session together with the calls that its tools have made, which are in sessions of their own: in the order in which a
// listener would have heard of them.
import type { AssistantMessage } from "../../contracts/message.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import { childTranscriptId } from "./child-id.js";
import { toolCallsOf } from "./message-shape.js";
import { PROGRAM_PROVIDER } from "./transcript.js";
import { shownCalls } from "./wave-transcript.js";

/** An entry; `within`: the id of the call whose tool has made the call it is about. */
export interface StoredEntry {
  readonly entry: SessionEntry;
  readonly within?: string;
}

/** The entries that come before an entry of a tool's call that has the same time. */
const COMES_FIRST: ReadonlySet<SessionEntry["type"]> = new Set(["message", "tool-start", "answer", "run-start"]);

/**
 * The entries of one branch with the calls and results of tools among them. Calls that the store does not have are left out.
 *
 * @throws SessionError `SESSION_CORRUPT`
 */
export async function withToolCalls(
  entries: readonly SessionEntry[],
  sessions: Pick<SessionStore, "read">,
  sessionId: string,
): Promise<readonly StoredEntry[]> {
  const made = new Map<string, StoredEntry[]>();
  for (const [callId, id] of recordsOf(entries, sessionId)) {
    const record = await readRecord(sessions, id, callId);
    if (record.length > 0) made.set(callId, record);
  }
  const all: StoredEntry[] = [];
  /** The rest of each record of a call that was made by now. */
  const begun = new Map<string, StoredEntry[]>();
  const take = (isDue: (stored: StoredEntry, callId: string) => boolean) => {
    for (;;) {
      const due = [...begun].filter(([callId, [first]]) => isDue(first!, callId));
      const [earliest] = due.sort(([, [a]], [, [b]]) => a!.entry.at - b!.entry.at);
      if (!earliest) return;
      const [callId, rest] = earliest;
      all.push(rest.shift()!);
      if (rest.length === 0) begun.delete(callId);
    }
  };
  for (const entry of entries) {
    const { type, at } = entry;
    const ended = type === "tool-result" ? entry.result.toolCallId : undefined;
    const isBefore = (time: number) => (COMES_FIRST.has(type) ? time < at : time <= at);
    take((stored, callId) => callId === ended || isBefore(stored.entry.at));
    all.push({ entry });
    if (type !== "message" || entry.message.role !== "assistant") continue;
    for (const { id } of toolCallsOf(entry.message)) {
      const record = made.get(id);
      if (record) begun.set(id, record);
    }
  }
  take(() => true);
  return all;
}

/** The sessions of tools' calls, by the call that made them: as its result says, or as they are named while it has none. */
function recordsOf(entries: readonly SessionEntry[], sessionId: string): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (const entry of entries) {
    if (entry.type === "tool-start") records.set(entry.toolCallId, childTranscriptId(sessionId, entry.toolCallId, 1));
    if (entry.type !== "tool-result") continue;
    const { result, calls } = entry;
    if (calls !== undefined) records.set(result.toolCallId, calls);
    else records.delete(result.toolCallId);
  }
  return records;
}

/** The session of the calls that one call's tool has made, and how they ended; `undefined` when it has made none. */
export async function callsMade(sessions: Pick<SessionStore, "read">, recordId: string, toolCallId: string) {
  const id = childTranscriptId(recordId, toolCallId, 1);
  const made = new Map<string, { readonly name: string; readonly status: string }>();
  for (const { entry } of await readRecord(sessions, id, toolCallId)) {
    if (entry.type === "tool-result") made.set(entry.result.toolCallId, entry.result);
    if (entry.type !== "message") continue;
    for (const { id, name } of toolCallsOf(entry.message as AssistantMessage)) made.set(id, { name, status: "open" });
  }
  return made.size === 0 ? undefined : { calls: id, shown: shownCalls([...made.values()]) };
}

async function readRecord(sessions: Pick<SessionStore, "read">, id: string, callId: string): Promise<StoredEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of sessions.read(id)) entries.push(entry);
  // A sub-agent has a session that is named in the same way.
  if (!entries.some((entry) => entry.type === "message" && Reflect.get(entry.message, "provider") === PROGRAM_PROVIDER))
    return [];
  const inner = await withToolCalls(entries, sessions, id);
  return inner.flatMap(({ entry, within = callId }) =>
    entry.type === "message" || entry.type === "tool-result" ? [{ entry, within }] : [],
  );
}
