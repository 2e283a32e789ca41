import type { PendingRequest } from "../contracts/approval.js";
import type { SessionEntry, SessionStore } from "../contracts/session.js";
import { loadLoop } from "../engine/load-loop.js";
import { branchOf } from "../engine/transcript/branch.js";
import { noSession } from "./session-tree.js";

/**
 * The questions that wait in a session, in call order. Reads the session and changes nothing, also while a run uses it.
 *
 * @throws SessionError `SESSION_NOT_FOUND` for an unknown session, and what the store throws
 */
export async function findPending(
  store: Pick<SessionStore, "read">,
  sessionId: string,
): Promise<readonly PendingRequest[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(sessionId)) entries.push(entry);
  if (entries.length === 0) throw noSession(sessionId);
  const { Transcript, waitingQuestions } = await loadLoop();
  const transcript = new Transcript();
  for (const entry of branchOf(entries)) transcript.apply(entry);
  return waitingQuestions(transcript);
}
