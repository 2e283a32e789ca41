// A fork takes along what waits: a question of a sub-agent is in the sub-agent's own session.

import type { SessionEntry, SessionStore } from "../contracts/session.js";
import { branchOf } from "../engine/transcript/branch.js";
import { childTranscriptId } from "../engine/transcript/child-id.js";
import { isBegun } from "../engine/transcript/is-begun.js";
import { copiedBackgroundIds, withBackgroundIds, withNewStarts } from "./background-copies.js";
import { beginSession, checkNewId, existsAlready, noEntry, noSession, readdressed } from "./session-tree.js";

/**
 * Begins a new session with the past of another: every entry that leads to `atEntry`, and `atEntry` itself.
 *
 * Resolves with the new session's id. Both go on independently of each other; either may be deleted. Questions that wait
 * in the past wait in both, also those of sub-agents, whose sessions are copied for as long as they have not ended; one
 * that goes on in the background goes on in each for itself. The entries behind `atEntry` are not looked at, so a session
 * that is damaged there can be saved in this way. All or none of the past is kept; the original is only read. Memory: the
 * past, as when it is resumed.
 *
 * @throws SessionError `SESSION_NOT_FOUND` for an unknown session, and what the store throws
 * @throws ConfigurationError `OPTION_INVALID` when the session has no such entry, or `newId` is a session already or not one
 * that a run takes
 */
export async function forkSession(
  store: SessionStore,
  sessionId: string,
  atEntry: string,
  newId: string = globalThis.crypto.randomUUID(),
): Promise<string> {
  checkNewId("forkSession()", "newId", newId);
  const past = branchOf(await entriesUpTo(store, sessionId, atEntry));
  if (await isBegun(store, newId)) throw existsAlready(newId);
  await beginSession(store, newId, await forkChildren(store, past, { from: sessionId, to: newId }));
  return newId;
}

async function entriesUpTo(store: SessionStore, sessionId: string, atEntry: string): Promise<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(sessionId)) {
    entries.push(entry);
    if (entry.id === atEntry) return entries;
  }
  if (entries.length === 0) throw noSession(sessionId);
  throw noEntry("forkSession", sessionId, atEntry);
}

/** A session and its copy. */
interface Fork {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies the sessions of the sub-agents that have not ended, and theirs in turn: of those that work for a call that `past`
 * leaves open, and of those in the background. Resolves with `past` as it is to be kept. `root`: the sessions of the main
 * agents, which questions name.
 */
async function forkChildren(
  store: SessionStore,
  past: readonly SessionEntry[],
  { from, to }: Fork,
  root: Fork = { from, to },
): Promise<readonly SessionEntry[]> {
  const background = copiedBackgroundIds(past, from, to);
  const restarted = new Set<string>();
  for (const [from, to] of background) {
    // Work that waits at the end of the past had not ended, whatever the clock says: one millisecond holds many entries.
    await forkChild(store, { from, to }, root, isWaiting(past, from) ? Number.NEGATIVE_INFINITY : past.at(-1)!.at);
    if (!(await isBegun(store, to))) restarted.add(to);
  }
  for (const callId of openCallsOf(past)) {
    for (let nth = 1; ; nth++) {
      const child = { from: childTranscriptId(from, callId, nth), to: childTranscriptId(to, callId, nth) };
      if (background.has(child.from)) continue;
      if (!(await forkChild(store, child, root))) break;
    }
  }
  return withNewStarts(withBackgroundIds(readdressed(past, root.from, root.to), background), restarted);
}

/**
 * Copies one that has not ended. `false` when there is no such session.
 *
 * `backgroundAt`: the end of the past, for one in the background. What had ended before that is copied, too, as its end is
 * still to be delivered; one that its parent has left goes on.
 */
async function forkChild(store: SessionStore, child: Fork, root: Fork, backgroundAt?: number): Promise<boolean> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(child.from)) entries.push(entry);
  if (entries.length === 0) return false;
  const branch = branchOf(entries);
  const end = endOf(branch);
  const isLeft = backgroundAt !== undefined && end && (end.status === "aborted" || end.at <= backgroundAt);
  const isOver = end !== undefined && !isLeft;
  // A fork that failed half-way may have left its copy.
  if (isOver || (await isBegun(store, child.to))) return true;
  await beginSession(store, child.to, await forkChildren(store, branch, child, root));
  return true;
}

/** Whether a question of the sub-agent in the background is unanswered where `entries` end. */
function isWaiting(entries: readonly SessionEntry[], childId: string): boolean {
  const open = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "pending" && entry.via === childId) open.add(entry.request.id);
    if (entry.type === "answer") open.delete(entry.answer.id);
  }
  return open.size > 0;
}

/** The calls of the last assistant message that have no result. */
function openCallsOf(entries: readonly SessionEntry[]): ReadonlySet<string> {
  const open = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "tool-result") open.delete(entry.result.toolCallId);
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    open.clear();
    for (const part of entry.message.content) if (part.type === "tool-call") open.add(part.id);
  }
  return open;
}

/** The end of the last run, unless it waits for an answer. */
function endOf(entries: readonly SessionEntry[]): Extract<SessionEntry, { readonly type: "run-end" }> | undefined {
  const last = entries.findLast(({ type }) => type === "run-start" || type === "run-end");
  return last?.type === "run-end" && last.status !== "needs-approval" ? last : undefined;
}
