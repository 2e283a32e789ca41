// A copy of a session has background sub-agents of its own: two sessions that go on with one would write into each other.

import type { JsonValue } from "../contracts/json.js";
import type { SessionEntry } from "../contracts/session.js";
import { BACKGROUND_START, type BackgroundStart } from "../engine/transcript/background-records.js";
import { branchOf } from "../engine/transcript/branch.js";
import { childTranscriptId } from "../engine/transcript/child-id.js";
import { Transcript } from "../engine/transcript/transcript.js";

/** Calls that start several sub-agents are rare; what is not found among them gets an id that is made from its own. */
const MAX_OF_A_CALL = 8;

/**
 * The new ids of the background sub-agents whose end `branch` does not hold, by their old ones. An id is the one that the
 * same call of the copy would give, so that a call that is entered again finds what it has started.
 */
export function copiedBackgroundIds(branch: readonly SessionEntry[], from: string, to: string): Map<string, string> {
  const ids = new Map<string, string>();
  if (!branch.some(isStart)) return ids;
  const transcript = new Transcript();
  for (const entry of branch) transcript.apply(entry);
  const open = new Set(transcript.background.open.map(({ id }) => id));
  for (const callId of callsOf(branch)) {
    for (let nth = 1; nth <= MAX_OF_A_CALL && ids.size < open.size; nth++) {
      const id = childTranscriptId(from, callId, nth);
      if (open.has(id)) ids.set(id, childTranscriptId(to, callId, nth));
    }
  }
  for (const id of open) if (!ids.has(id)) ids.set(id, childTranscriptId(to, id, 1));
  return ids;
}

/** The entries, with the sub-agents that they start in the background and the questions of these under new ids. */
export function withBackgroundIds(
  entries: readonly SessionEntry[],
  ids: ReadonlyMap<string, string>,
): readonly SessionEntry[] {
  if (ids.size === 0) return entries;
  return entries.map((entry) => {
    if (isStart(entry)) {
      const start = entry.data as unknown as BackgroundStart;
      const id = ids.get(start.id);
      return id === undefined ? entry : { ...entry, data: { ...start, id } as unknown as JsonValue };
    }
    const via = entry.type === "pending" && entry.via !== undefined ? ids.get(entry.via) : undefined;
    return via === undefined ? entry : ({ ...entry, via } as SessionEntry);
  });
}

/** The entries, and behind them a new start of each sub-agent that has asked and starts over: its questions are void. */
export function withNewStarts(
  entries: readonly SessionEntry[],
  restarted: ReadonlySet<string>,
): readonly SessionEntry[] {
  const branch = restarted.size === 0 ? [] : branchOf(entries);
  const asked = new Set(branch.flatMap((entry) => (entry.type === "pending" && entry.via ? entry.via : [])));
  const kept = [...entries];
  for (const entry of branch) {
    const id = isStart(entry) ? (entry.data as unknown as BackgroundStart).id : "";
    if (!isStart(entry) || !restarted.has(id) || !asked.delete(id)) continue;
    const { id: parent, at, runId, turn } = kept.at(-1)!;
    const { name, data } = entry;
    kept.push({
      v: 1,
      id: `restart.${globalThis.crypto.randomUUID()}`,
      parent,
      at,
      runId,
      turn,
      type: "custom",
      name,
      data,
    });
  }
  return kept;
}

function isStart(entry: SessionEntry): entry is Extract<SessionEntry, { readonly type: "custom" }> {
  return entry.type === "custom" && entry.name === BACKGROUND_START;
}

function callsOf(branch: readonly SessionEntry[]): string[] {
  return branch.flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "assistant") return [];
    return entry.message.content.flatMap((part) => (part.type === "tool-call" ? part.id : []));
  });
}
