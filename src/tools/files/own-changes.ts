/*
 * Changes of this session's own hooks and commands to files that it knows, such as a formatter behind an edit. Who
 * changed such a file is known, so that an edit of it needs no new read; a change by others still does.
 *
 * A change counts as the session's own when the file was as the session knew it before the hook or the command ran, and as
 * it was left afterwards. What somebody else writes in that time stays in the file all the same: edits are made to what is
 * there, and never to what was there.
 */
import { isHarnessError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";

/** More calls than run at once and wait for their hooks. */
const MAX_WRITTEN = 64;
/** More files than a session changes by commands between two reads. */
const MAX_CHANGED = 1_000;
/** Larger contents are not kept for a diff. Unit: bytes. */
const MAX_KEPT_BYTES = 256 * 1024;

interface Written {
  readonly sessionId: string;
  readonly path: string;
  readonly version: string;
  readonly content: Uint8Array | null;
}

/** A change by the session itself of a file it knows. */
export interface OwnChange {
  readonly by: "hook" | "command";
  /** The content that the session knew; `null` when it was not kept. */
  readonly before: Uint8Array | null;
}

interface Changed extends OwnChange {
  readonly digest: string | undefined;
  readonly version: string;
}

interface OwnChanges {
  readonly written: Map<string, Written>;
  readonly changed: Map<string, Changed>;
  /** The digest that was known of files when others changed them. */
  readonly foreign: Map<string, string | undefined>;
}

const ofWorkspaces = new WeakMap<Workspace, OwnChanges>();

/** A call has written a file: hooks may change it before the next call does. */
export function noteWritten(workspace: Workspace, toolCallId: string, written: Written): void {
  const { content } = written;
  const isKept = content !== null && content.length <= MAX_KEPT_BYTES;
  keep(ofWorkspace(workspace).written, toolCallId, isKept ? written : { ...written, content: null }, MAX_WRITTEN);
}

/** The hooks behind a call have run. Never throws. */
export async function noteHooks(workspace: Workspace, toolCallId: string): Promise<void> {
  const { written } = ofWorkspace(workspace);
  const before = written.get(toolCallId);
  if (!before) return;
  written.delete(toolCallId);
  const { sessionId, path, content } = before;
  try {
    const { kind, version } = await workspace.files.stat(path);
    if (kind !== "file" || version === before.version) return;
    noteChanged(workspace, sessionId, path, { by: "hook", before: content, version });
  } catch (error) {
    if (!isHarnessError(error)) throw error; // It is gone, or nothing that may be looked at.
  }
}

/** A hook or a command of the session has changed a file that was as the session knew it. */
export function noteChanged(
  workspace: Workspace,
  sessionId: string,
  path: string,
  change: OwnChange & { readonly version: string },
): void {
  const digest = workspace.fileState.get(sessionId, path);
  keep(ofWorkspace(workspace).changed, `${sessionId}\0${path}`, { ...change, digest }, MAX_CHANGED);
}

/** The session's own changes to a file, when nothing else happened to it since the session knew it. */
export function ownChangeOf(workspace: Workspace, sessionId: string, path: string, version: string): OwnChange | null {
  const change = ofWorkspace(workspace).changed.get(`${sessionId}\0${path}`);
  const isLast = change?.version === version && change.digest === workspace.fileState.get(sessionId, path);
  return isLast ? change : null;
}

/** Others have changed a file of which the session knows this digest. */
export function noteForeign(workspace: Workspace, sessionId: string, path: string, digest: string | undefined): void {
  keep(ofWorkspace(workspace).foreign, `${sessionId}\0${path}`, digest, MAX_CHANGED);
}

/** Whether others have changed a file since the session came to know this digest. */
export function isForeign(workspace: Workspace, sessionId: string, path: string, digest: string | undefined): boolean {
  const { foreign } = ofWorkspace(workspace);
  const key = `${sessionId}\0${path}`;
  return foreign.has(key) && foreign.get(key) === digest;
}

function ofWorkspace(workspace: Workspace): OwnChanges {
  const known = ofWorkspaces.get(workspace) ?? { written: new Map(), changed: new Map(), foreign: new Map() };
  ofWorkspaces.set(workspace, known);
  return known;
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
