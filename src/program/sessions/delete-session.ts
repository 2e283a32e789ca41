// A session goes with everything that is kept for it: its sub-agents' sessions, artifacts, and what files were before.
import type { SessionStore } from "../../contracts/session.js";
import type { AgentEngine } from "../../engine/engine.js";
import { isBegun } from "../../sessions/session-tree.js";
import { subagentSessionId } from "../../subagents/subagent-id.js";

export interface SessionOwner {
  readonly engine: Pick<AgentEngine, "endSession">;
  readonly sessions: SessionStore;
  /** Removes the checkpoints of a session. */
  readonly forget?: ((sessionId: string) => Promise<void>) | undefined;
}

/** @throws SessionError `SESSION_BUSY` while another process runs the session, which is then left as it is */
export async function deleteSession(owner: SessionOwner, id: string): Promise<void> {
  const { engine, sessions, forget } = owner;
  // Whoever has it open keeps all of it.
  await (await sessions.lock(id))();
  await engine.endSession(id);
  for (const child of await subagentsOf(sessions, id)) await deleteSession(owner, child);
  await sessions.delete(id);
  await forget?.(id);
}

async function subagentsOf(sessions: SessionStore, id: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const entry of sessions.read(id)) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    for (const part of entry.message.content) {
      for (let nth = 1; part.type === "tool-call"; nth++) {
        const child = subagentSessionId(id, part.id, nth);
        if (!(await isBegun(sessions, child))) break;
        found.push(child);
      }
    }
  }
  return found;
}
