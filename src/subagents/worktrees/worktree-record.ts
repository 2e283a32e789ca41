// The record of each work tree, in a file beside it: written before the work tree is made, removed once it is gone
// and its call has a result on record.
// So whatever a crash leaves behind can be found, used again by the same call, and cleared away.

import { rmSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonValue } from "../../contracts/json.js";
import type { RunStatus } from "../../contracts/run.js";
import type { ToolContext } from "../../contracts/tool.js";
import { entryPaths, writeAtomically } from "../../files/atomic-write.js";
import { sha256 } from "../../files/sha256.js";
import type { LockOwner } from "../../processes/process-lock.js";
import { firstCharacters } from "../../text/cut.js";

/** The fate of the changes, for the parent to read and for the host. */
export interface WorktreeEnd {
  readonly note: string;
  readonly details: JsonValue;
}

export interface WorktreeRecord {
  readonly v: 2;
  readonly id: string;
  readonly sessionId: string;
  /** The transcript of its call. Absent in records of earlier versions. */
  readonly transcriptId?: string;
  /** The top directory of the repository. */
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  /** The commit that the work tree begins with, the parent's own uncommitted changes included. */
  readonly base: string;
  /** The workspace that names the machine it is on. Absent: it is on this disk. */
  readonly machine?: string;
  /** `false`: git has not filled it yet. Absent in records of earlier versions. */
  readonly isMade?: boolean;
  /** Made by a WorktreeCreate hook, which also removes it. */
  readonly isForeign: boolean;
  /**
   * `working`: a sub-agent of `owner` is at work in it. `waiting`: its sub-agent goes on after an answer. `kept`: for the
   * user, until the session is ended. `stored`: its process died; the work tree is gone, and its changes are a patch.
   * `ended`: the work tree is gone, or goes now; the call may not have its result on record yet.
   */
  readonly state: "working" | "waiting" | "kept" | "stored" | "ended";
  /** The last end of a sub-agent in it. */
  readonly end?: WorktreeEnd & { readonly status: RunStatus };
  readonly owner: LockOwner;
}

/** The most ignored files that a result names. */
const MAX_IGNORED = 10;
const SUFFIX = ".worktree.json";

/** The same call has the same work tree whenever it is entered. */
export function worktreeIdOf({ transcriptId, toolCallId }: Pick<ToolContext, "transcriptId" | "toolCallId">): string {
  return sha256(JSON.stringify([transcriptId, toolCallId])).slice(0, 16);
}

/** The place of a removed work tree's changes. */
export function patchPathOf(dir: string, { id }: Pick<WorktreeRecord, "id">): string {
  return join(dir, `${id}.patch`);
}

/** The place of the changes of a call that is cut off in a run: known before there are any. */
export function cutOffPatchPathOf(dir: string, { id }: WorktreeRecord, runId: string): string {
  return patchPathOf(dir, { id: `${id}-${sha256(runId).slice(0, 8)}` });
}

/** For the result of that call. */
export function cutOffNote(dir: string, record: WorktreeRecord, runId: string): string {
  const patch = cutOffPatchPathOf(dir, record, runId);
  return `[Its changes are not in your files. They are kept as a patch, if it made any: ${patch}. What no patch can hold is in its work tree "${record.path}".]`;
}

export async function writeRecord(dir: string, record: WorktreeRecord): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeAtomically(entryPaths(dir), record.id + SUFFIX, Buffer.from(`${JSON.stringify(record)}\n`));
}

export async function readRecord(dir: string, id: string): Promise<WorktreeRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(join(dir, id + SUFFIX), "utf8")) as WorktreeRecord;
    return record.v === 2 && record.id === id ? record : undefined;
  } catch {
    return undefined;
  }
}

export async function readRecords(dir: string): Promise<readonly WorktreeRecord[]> {
  const names = await readdir(dir).catch(() => []);
  const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
  const records = await Promise.all(ids.map((id) => readRecord(dir, id)));
  return records.flatMap((record) => record ?? []);
}

export function removeRecord(dir: string, { id }: Pick<WorktreeRecord, "id">): void {
  rmSync(join(dir, id + SUFFIX), { force: true });
}

/** For the results of calls, after what has been said before. */
export function withIgnored(said: readonly string[], ignored: readonly string[]): string {
  const more = ignored.length > MAX_IGNORED ? ` and ${ignored.length - MAX_IGNORED} more` : "";
  const names = ignored.slice(0, MAX_IGNORED).join(", ");
  const note = `[Git ignores ${names}${more}: they are not handed over, and go with its work tree.]`;
  return [...said, ...(ignored.length > 0 ? [note] : [])].join("\n\n");
}

/** The most of a patch that a result shows. Unit: characters. */
const MAX_SHOWN_PATCH_CHARS = 15_000;

/** A model cannot read outside its workspace: what it is to read of a patch that lies there is in the result. */
export function shownPatch(patch: Uint8Array): string {
  const text = new TextDecoder().decode(patch);
  const rest = text.length - MAX_SHOWN_PATCH_CHARS;
  const end = rest > 0 ? `\n[… ${rest} characters are left out; ask the user for the rest of the patch.]` : "";
  return `\n\n${firstCharacters(text, MAX_SHOWN_PATCH_CHARS)}${end}\n`;
}
