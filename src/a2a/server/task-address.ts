// The ids of others' tasks. A session's id begins with a digest of its user, so a context or a task of another user names a session
// that does not exist, and a foreign id takes the same way as an unknown one: there is nothing to check.
import { strongDigest } from "../../json/digest.js";

/** The user of a request; `null` where nobody is asked for a name, and all are one user. */
export type UserId = string | null;

/** A task: a run of a session, and the runs that went on with it after answers. */
export interface TaskAddress {
  /** `contextId.runId`. */
  readonly id: string;
  readonly contextId: string;
  readonly sessionId: string;
  /** The task's first run. */
  readonly runId: string;
}

const CONTEXT_ID = /^[\w-][\w.-]{0,127}$/;
const RUN_ID = /^[\w-]{1,128}$/;

export const CONTEXT_ID_RULE = "1 to 128 letters, digits and . _ -, of which the first is no dot";

export function isContextId(id: string): boolean {
  return CONTEXT_ID.test(id);
}

/** The prefix of the ids of all sessions of a user. */
export function sessionPrefix(user: UserId): string {
  return `a2a-${strongDigest(user).slice(0, 32)}-`;
}

export function taskAddress(user: UserId, contextId: string, runId: string): TaskAddress {
  return { id: `${contextId}.${runId}`, contextId, sessionId: sessionPrefix(user) + contextId, runId };
}

/** `undefined` for an id that no task can have. */
export function readTaskId(user: UserId, id: string): TaskAddress | undefined {
  const at = id.lastIndexOf(".");
  const [contextId, runId] = [id.slice(0, at), id.slice(at + 1)];
  return at > 0 && isContextId(contextId) && RUN_ID.test(runId) ? taskAddress(user, contextId, runId) : undefined;
}
