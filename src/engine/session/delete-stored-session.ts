// Deleting a session with what belongs to it.
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import { fieldsOf } from "../../json/is-object.js";
import { childTranscriptId, noteTranscriptId } from "../transcript/child-id.js";
import { isBegun } from "../transcript/is-begun.js";

/** The engine whose session it is, in as much as it has to let go of it. */
interface SessionOwner {
  readonly config: { readonly store: SessionStore };
  abortRun(sessionId: string): Promise<void>;
  endSession(sessionId: string): Promise<void>;
}

/** Leaves a session alone that another process uses. `first` removes the rest of the session, once nobody else can use it. */
export async function deleteFrom(owner: SessionOwner, id: string, first?: () => Promise<void>): Promise<void> {
  const { store } = owner.config;
  await owner.abortRun(id);
  const release = await store.lock(id);
  try {
    await first?.();
    await owner.endSession(id);
    for (const child of await childrenOf(store, id)) await deleteFrom(owner, child);
    await store.delete(noteTranscriptId(id));
  } finally {
    await release();
  }
  await store.delete(id);
  // The notes that were written beside the session until then.
  await store.delete(noteTranscriptId(id));
}

/** The sessions of a session's sub-agents, of all its branches; of a plan's, those of its tasks. */
async function childrenOf(store: SessionStore, id: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const entry of store.read(id)) {
    for (const own of entry.type === "custom" ? taskSessions(id, entry) : []) found.add(own);
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    for (const part of entry.message.content) {
      for (let nth = 1; part.type === "tool-call"; nth++) {
        const child = childTranscriptId(id, part.id, nth);
        if (found.has(child) || !(await isBegun(store, child))) break;
        found.add(child);
      }
    }
  }
  return found;
}

/** The sessions that a record of the scheduler names: an attempt at a task and what checked it, a planner. */
function taskSessions(
  id: string,
  { name, data }: Extract<SessionEntry, { readonly type: "custom" }>,
): readonly string[] {
  const { task, attempt, number } = fieldsOf(data);
  if (name === "scheduler/task") return [`${id}.${task}.${attempt}`, `${id}.${task}.${attempt}.verify`];
  if (name !== "scheduler/plan") return [];
  // One that was cut off has made no plan, and no record.
  const plan = typeof number === "number" ? number : 0;
  return [`${id}.plan-${plan}`, `${id}.plan-${plan + 1}`];
}
