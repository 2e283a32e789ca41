import type { AgentEngine } from "../engine/engine.js";
import { ENGINE_PARTS } from "../engine/engine-parts.js";
import { checkSessionId } from "../engine/options/read-options.js";
import { deleteFrom } from "../engine/session/delete-stored-session.js";

/**
 * Deletes a session of an engine's store, with the sessions of its sub-agents and of a plan's tasks, and its artifacts as `engine.endSession` does. A run under
 * way is aborted first. Other copies are left: forks, checkpoints (`checkpoints.forget`), an audit trail. An unknown session is no error.
 *
 * Cut off in the middle, it may be called again: the session itself goes last.
 *
 * Rejects with `SESSION_BUSY` while another process runs it, of which nothing is deleted then, and with what `endSession` and the store reject with.
 */
export async function deleteSession(engine: AgentEngine, sessionId: string): Promise<void> {
  checkSessionId(sessionId);
  await deleteFrom(ENGINE_PARTS.get(engine)!, sessionId);
}
