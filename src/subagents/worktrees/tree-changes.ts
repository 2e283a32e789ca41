// The end of a work tree: what becomes of the changes in it.
import { writeFile } from "node:fs/promises";
import type { JsonValue } from "../../contracts/json.js";
import type { RunResult } from "../../contracts/run.js";
import type { ToolContext } from "../../contracts/tool.js";
import { describeHolder } from "./repository-turn.js";
import type { TreePlace } from "./tree-place.js";
import {
  applyPatch,
  changedFiles,
  commitAll,
  hasRepositoryInside,
  isDirty,
  isWhole,
  patchOf,
  releaseCommit,
  removeWorktree,
} from "./work-tree.js";
import type { WorktreeOptions } from "./worktree-options.js";
import { patchPathOf, removeRecord, shownPatch, type WorktreeRecord, writeRecord } from "./worktree-record.js";

const UNPATCHED = "Changes of a sub-agent";

/** The fate of the changes, for the parent to read and for the host. */
export interface WorktreeEnd {
  readonly note: string;
  readonly details: JsonValue;
}

export class TreeChanges {
  readonly #dir: string;

  constructor(
    /** The directory of the records. */
    dir: string,
    private readonly changes: WorktreeOptions["changes"] = "merge",
  ) {
    this.#dir = dir;
  }

  async close(
    place: TreePlace,
    record: WorktreeRecord,
    context: ToolContext,
    name: string,
    result: RunResult,
  ): Promise<WorktreeEnd> {
    const patch = await patchOf(place, record).catch(() => null);
    if (!patch || (await hasRepositoryInside(place, record))) return this.#keep(place, record, name, [], null);
    if (patch.length === 0) {
      await this.#removeWithHook(place, record, context);
      return { note: "[It changed no files.]", details: { files: [] } };
    }
    const files = await changedFiles(place, record);
    const { changes } = this;
    if (changes === "keep") return this.#keep(place, record, name, files, patch);
    const problem = changes === "merge" && result.status === "completed" ? await this.#merge(place, record, patch) : "";
    if (problem === null) {
      await this.#removeWithHook(place, record, context);
      return { note: `[Its changes are in your files now: ${files.join(", ")}.]`, details: { merged: true, files } };
    }
    const kept = await this.#keepPatch(record, context, patch);
    const shown = context.artifacts ? "" : shownPatch(patch);
    await this.#removeWithHook(place, record, context);
    if (problem === "") {
      const note = `[Its changes to ${files.join(", ")} are kept as a patch: ${kept}. They are not in your files.${shown}]`;
      return { note, details: { merged: false, files, patch: kept } };
    }
    return {
      note: `[Its changes conflict with yours (WORKTREE_CONFLICT), and nothing was changed: ${problem} They are kept as a patch: ${kept}. Read it, and make the changes by hand.${shown}]`,
      details: { merged: false, code: "WORKTREE_CONFLICT", files, patch: kept },
    };
  }

  /** Removes a work tree. What is in it and nowhere else is kept as a patch beside its record. */
  async discard(place: TreePlace, record: WorktreeRecord): Promise<void> {
    if (await isWhole(place, record)) await this.#keepDirt(place, record);
    await this.remove(place, record);
  }

  async #keepDirt(place: TreePlace, record: WorktreeRecord): Promise<void> {
    try {
      const patch = await patchOf(place, record);
      if (patch.length > 0 && (await isDirty(place, record))) await writeFile(patchPathOf(this.#dir, record), patch);
    } catch {
      await commitAll(place, record, UNPATCHED); // More than a patch may hold: its branch stays.
    }
  }

  /** `null`, or why the patch was not applied. */
  async #merge(place: TreePlace, { repository }: WorktreeRecord, patch: Uint8Array): Promise<string | null> {
    const merged = await place.inTurn(repository, () => applyPatch(place, repository, patch));
    return "value" in merged ? merged.value : describeHolder(merged.heldBy);
  }

  async #keep(
    place: TreePlace,
    record: WorktreeRecord,
    name: string,
    files: readonly string[],
    patch: Uint8Array | null,
  ): Promise<WorktreeEnd> {
    const { path, branch } = record;
    await commitAll(place, record, `Changes of the sub-agent ${name}`);
    await writeRecord(this.#dir, { ...record, state: "kept" });
    const what =
      files.length > 0
        ? `changes to ${files.join(", ")}`
        : "changes are too large for a patch, or hold a repository of their own; they";
    const note = `[Its ${what} are committed to the branch "${branch}", in the work tree "${path}". They are not in your files.${patch ? shownPatch(patch) : ""}]`;
    return { note, details: { merged: false, files: [...files], branch, path } };
  }

  /** As an artifact, or beside the work trees; resolves with its path. */
  async #keepPatch(record: WorktreeRecord, { artifacts }: ToolContext, patch: Uint8Array): Promise<string> {
    const { sessionId } = record;
    if (artifacts) return (await artifacts.put(patch, { sessionId, mediaType: "text/x-patch" })).path;
    const file = patchPathOf(this.#dir, record);
    await writeFile(file, patch);
    return file;
  }

  async #removeWithHook(place: TreePlace, record: WorktreeRecord, context: ToolContext): Promise<void> {
    if (place.machine === undefined) await context.notify?.("WorktreeRemove", { worktreePath: record.path });
    await this.remove(place, record);
  }

  async remove(place: TreePlace, record: WorktreeRecord): Promise<void> {
    await this.takeAway(place, record);
    if (record.state === "stored") await releaseCommit(place, record);
    await removeRecord(this.#dir, record);
  }

  async takeAway(place: TreePlace, record: WorktreeRecord): Promise<void> {
    const taken = await place.inTurn(record.repository, () => removeWorktree(place, record));
    if ("heldBy" in taken) await removeWorktree(place, record); // Its changes have been kept before.
  }
}
