// The end of a work tree: what becomes of the changes in it.
import { stat, writeFile } from "node:fs/promises";
import { FINISHED_CHILD, type RunResult } from "../../contracts/run.js";
import type { ToolContext } from "../../contracts/tool.js";
import { sha256 } from "../../files/sha256.js";
import { describeHolder } from "./repository-turn.js";
import type { TreePlace } from "./tree-place.js";
import {
  applyPatch,
  changedFiles,
  commitAll,
  hasRepositoryInside,
  ignoredFiles,
  isDirty,
  isWhole,
  patchOf,
  releaseCommit,
  removeWorktree,
} from "./work-tree.js";
import type { WorktreeOptions } from "./worktree-options.js";
import {
  cutOffPatchPathOf,
  patchPathOf,
  readRecord,
  removeRecord,
  shownPatch,
  type WorktreeEnd,
  type WorktreeRecord,
  withIgnored,
  worktreeIdOf,
  writeRecord,
} from "./worktree-record.js";

const UNCHANGED = "[It changed no files.]";
const UNPATCHED = "Changes of a sub-agent";

/** A sub-agent's end in its work tree. */
export interface TreeEnding {
  readonly place: TreePlace;
  readonly record: WorktreeRecord;
  readonly context: ToolContext;
  readonly name: string;
  readonly result: RunResult;
}

interface Settled extends WorktreeEnd {
  readonly state: "kept" | "ended";
}

export class TreeChanges {
  readonly #dir: string;
  /** Those whose directory is gone, by the transcript of their call. */
  readonly #ended = new Map<string, Set<string>>();
  /** By session, until its main agent is asked again. */
  readonly #untold = new Map<string, readonly string[]>();

  constructor(
    /** The directory of the records. */
    dir: string,
    private readonly changes: WorktreeOptions["changes"] = "merge",
  ) {
    this.#dir = dir;
  }

  /** What becomes of the changes is on record before the work tree goes. */
  async close(ending: TreeEnding): Promise<WorktreeEnd> {
    const { place, record, context, result } = ending;
    const ignored = await ignoredFiles(place, record);
    const { state, note: own, details } = await this.#settle(ending);
    const said = ignored.length > 0 && own === UNCHANGED ? [] : [own];
    const note = withIgnored(record.end ? [record.end.note, ...said] : said, ignored);
    const end = { note, details, status: result.status };
    await writeRecord(this.#dir, { ...record, state, end });
    if (state === "kept") return end;
    await this.#clear(place, record, context);
    // A call that was aborted has its result from the engine, and is not entered again.
    if (result.status === "aborted" && context.signal.aborted) removeRecord(this.#dir, record);
    return end;
  }

  /** The end that the work tree of a call has had in an earlier process, where its sub-agent has nothing left to do. */
  async endOf(place: TreePlace, context: ToolContext): Promise<WorktreeEnd | null> {
    const record = await readRecord(this.#dir, worktreeIdOf(context));
    if (!record?.end || (record.state !== "ended" && record.state !== "kept")) return null;
    if (record.state === "ended" && record.machine === place.machine) await this.#clear(place, record, context);
    return FINISHED_CHILD.has(record.end.status) ? record.end : null;
  }

  /** Every call that a transcript has made has its result on record there: how its work trees ended is not asked again. What its agent has not heard yet, or `null`. */
  onRecorded(transcriptId: string): string | null {
    for (const id of this.#ended.get(transcriptId) ?? []) removeRecord(this.#dir, { id });
    this.#ended.delete(transcriptId);
    const notes = this.#untold.get(transcriptId);
    this.#untold.delete(transcriptId);
    return notes?.join("\n") ?? null;
  }

  /** `where`: of the changes of a call that is not entered again, for the main agent to hear. */
  onLeftOpen(sessionId: string, where: string): void {
    const note = `A sub-agent's call was left open. What it had changed is not in your files. It is kept ${where}.`;
    this.#untold.set(sessionId, [...(this.#untold.get(sessionId) ?? []), note]);
  }

  async #settle(ending: TreeEnding): Promise<Settled> {
    const { place, record, context, result } = ending;
    const patch = await patchOf(place, record).catch(() => null);
    if (!patch || (await hasRepositoryInside(place, record))) return this.#keep(ending, [], null);
    if (patch.length === 0) return { state: "ended", note: UNCHANGED, details: { files: [] } };
    const files = await changedFiles(place, record);
    const { changes } = this;
    if (changes === "keep") return this.#keep(ending, files, patch);
    const problem = changes === "merge" && result.status === "completed" ? await this.#merge(place, record, patch) : "";
    if (problem === null) {
      const note = `[Its changes are in your files now: ${files.join(", ")}.]`;
      return { state: "ended", note, details: { merged: true, files } };
    }
    const kept = await this.#keepPatch(record, context, patch);
    const shown = context.artifacts ? "" : shownPatch(patch);
    if (problem === "") {
      const note = `[Its changes to ${files.join(", ")} are kept as a patch: ${kept}. They are not in your files.${shown}]`;
      return { state: "ended", note, details: { merged: false, files, patch: kept } };
    }
    return {
      state: "ended",
      note: `[Its changes conflict with yours (WORKTREE_CONFLICT), and nothing was changed: ${problem} They are kept as a patch: ${kept}. Read it, and make the changes by hand.${shown}]`,
      details: { merged: false, code: "WORKTREE_CONFLICT", files, patch: kept },
    };
  }

  /** Removes a work tree. What is in it and nowhere else is kept as a patch beside its record, or in it; resolves with where, or `""`. */
  async discard(place: TreePlace, record: WorktreeRecord): Promise<string> {
    let where = "";
    if (record.state === "stored") where = await this.#storedPatch(record);
    else if (record.state !== "ended" && (await isWhole(place, record))) {
      const patch = await patchOf(place, record).catch(() => null);
      if (await hasRepositoryInside(place, record)) {
        await writeRecord(this.#dir, { ...record, state: "kept" });
        return `in its work tree "${record.path}", which holds a repository of its own`;
      }
      where = await this.#keepDirt(place, record, patch);
    }
    await this.remove(place, record);
    return where;
  }

  async #storedPatch(record: WorktreeRecord): Promise<string> {
    const path = patchPathOf(this.#dir, record);
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    return size > 0 ? `as a patch: ${path}` : "";
  }

  async #keepDirt(place: TreePlace, record: WorktreeRecord, patch: Uint8Array | null): Promise<string> {
    if (patch?.length === 0 || !(await isDirty(place, record))) return "";
    const file = patchPathOf(this.#dir, record);
    try {
      await writeFile(file, patch!);
      return `as a patch: ${file}`;
    } catch {
      await commitAll(place, record, UNPATCHED); // More than a patch may hold: its branch stays.
      return `on the branch "${record.branch}"`;
    }
  }

  /** `null`, or why the patch was not applied. */
  async #merge(place: TreePlace, { repository }: WorktreeRecord, patch: Uint8Array): Promise<string | null> {
    const merged = await place.inTurn(repository, () => applyPatch(place, repository, patch));
    return "value" in merged ? merged.value : describeHolder(merged.heldBy);
  }

  async #keep(
    { place, record, name }: TreeEnding,
    files: readonly string[],
    patch: Uint8Array | null,
  ): Promise<Settled> {
    const { path, branch } = record;
    await commitAll(place, record, `Changes of the sub-agent ${name}`);
    const what =
      files.length > 0
        ? `changes to ${files.join(", ")}`
        : "changes are too large for a patch, or hold a repository, which is in the work tree alone; they";
    const note = `[Its ${what} are committed to the branch "${branch}", in the work tree "${path}". They are not in your files.${patch ? shownPatch(patch) : ""}]`;
    return { state: "kept", note, details: { merged: false, files: [...files], branch, path } };
  }

  /** As an artifact, or beside the work trees, where no other patch is overwritten; resolves with its path. */
  async #keepPatch(record: WorktreeRecord, context: ToolContext, patch: Uint8Array): Promise<string> {
    const { id, sessionId } = record;
    const { artifacts, signal, runId } = context;
    if (artifacts && !signal.aborted)
      return (await artifacts.put(patch, { sessionId, mediaType: "text/x-patch" })).path;
    const file = signal.aborted
      ? cutOffPatchPathOf(this.#dir, record, runId)
      : patchPathOf(this.#dir, { id: `${id}-${sha256(patch).slice(0, 8)}` });
    await writeFile(file, patch);
    return file;
  }

  async #clear(place: TreePlace, record: WorktreeRecord, context: ToolContext): Promise<void> {
    this.#expect(context.transcriptId, record);
    if (!(await place.exists(record.path))) return;
    if (place.machine === undefined) await context.notify?.("WorktreeRemove", { worktreePath: record.path });
    await this.takeAway(place, record);
  }

  /** As `#clear`, in a process after the one in which it ended: its call may have its result on record, or is entered again. */
  async clearLater(place: TreePlace, record: WorktreeRecord): Promise<void> {
    if (record.transcriptId !== undefined) this.#expect(record.transcriptId, record);
    if (await place.exists(record.path)) await this.takeAway(place, record);
  }

  #expect(transcriptId: string, { id }: WorktreeRecord): void {
    this.#ended.set(transcriptId, (this.#ended.get(transcriptId) ?? new Set()).add(id));
  }

  async remove(place: TreePlace, record: WorktreeRecord): Promise<void> {
    await this.takeAway(place, record);
    if (record.state === "stored") await releaseCommit(place, record);
    removeRecord(this.#dir, record);
  }

  async takeAway(place: TreePlace, record: WorktreeRecord): Promise<void> {
    const taken = await place.inTurn(record.repository, () => removeWorktree(place, record));
    if ("heldBy" in taken) await removeWorktree(place, record); // Its changes have been kept before.
  }
}
