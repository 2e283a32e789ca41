// Work trees of sub-agents, from the call that needs one to its end. Each has a record beside it that says who works in it;
// what a process that died has left is stored as a patch, from which the same call makes its work tree again.
import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import { Mutex } from "async-mutex";
import { ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { RunResult } from "../../contracts/run.js";
import type { BaseTool, SpawnOptions, ToolContext } from "../../contracts/tool.js";
import { checkOptions } from "../../json/check-options.js";
import { isAlive, newLockOwner } from "../../processes/process-lock.js";
import { git, topDirectoryOf } from "./git.js";
import { describeHolder, inTurn } from "./repository-turn.js";
import {
  addWorktree,
  applyPatch,
  changedFiles,
  commitAll,
  freeBranch,
  hasRepositoryInside,
  holdCommit,
  isDirty,
  isWhole,
  patchOf,
  releaseCommit,
  removeWorktree,
  snapshotOf,
} from "./work-tree.js";
import { WORKTREE_OPTIONS, type WorktreeOptions } from "./worktree-options.js";
import {
  patchPathOf,
  readRecord,
  readRecords,
  removeRecord,
  shownPatch,
  type WorktreeRecord,
  worktreeIdOf,
  writeRecord,
} from "./worktree-record.js";

/** The name of the entries in the session that say which work trees were made. */
const ENTRY = "subagents/worktree";

const UNPATCHED = "Changes of a sub-agent";

/** The fate of the changes, for the parent to read and for the host. */
interface WorktreeEnd {
  readonly note: string;
  readonly details: JsonValue;
}

/** Makes work trees for sub-agents, and takes care of what they have changed. Its git commands run one after another. */
export class Worktrees {
  readonly #options: WorktreeOptions;
  readonly #dir: string;
  readonly #oneByOne = new Mutex();
  readonly #me = newLockOwner();

  constructor(options: WorktreeOptions) {
    checkOptions("createSubagentTools()", options, WORKTREE_OPTIONS, { prefix: "worktrees." });
    this.#options = options;
    this.#dir = resolve(options.dir ?? join(homedir(), ".loopwright", "worktrees"));
  }

  /**
   * Does `work` in a work tree of the call's own; a call that is entered again finds the one it had. When `work` throws to
   * leave for a question, the work tree stays for the next time.
   */
  async run(context: ToolContext, name: string, work: (options: SpawnOptions) => Promise<RunResult>) {
    const record = await this.#oneByOne.runExclusive(() => this.#open(context, name));
    const tools = await this.#toolsIn(record);
    const result = await work({ tools }).catch(async (error) => {
      await writeRecord(this.#dir, { ...record, state: "waiting" });
      throw error;
    });
    const end = await this.#oneByOne.runExclusive(() => this.#close(record, context, name, result));
    return { result, ...end };
  }

  /** Stores what processes that died have left behind; their sub-agents go on when their sessions do. */
  async storeLeftovers(): Promise<void> {
    for (const { id } of await readRecords(this.#dir)) {
      await this.#oneByOne.runExclusive(async () => {
        const record = await readRecord(this.#dir, id);
        if (record?.state !== "working" || (await isAlive(record.owner))) return;
        // One that cannot be stored now stays as it is: that is not a reason to refuse the start.
        await this.#store(record).catch(() => {});
      });
    }
  }

  /**
   * Removes the work trees of a session that is over. What is in one and nowhere else is kept as a patch beside it. An
   * engine that closes, without a session, leaves them: a suspended sub-agent goes on in its own.
   */
  async endSession(sessionId: string | undefined): Promise<void> {
    if (sessionId === undefined) return;
    for (const record of await readRecords(this.#dir)) {
      if (record.sessionId === sessionId) await this.#oneByOne.runExclusive(() => this.#discard(record));
    }
  }

  /** Removes the work tree of a call that is not entered again. What is in it and nowhere else is kept as a patch. */
  async endCall(call: Pick<ToolContext, "transcriptId" | "toolCallId">): Promise<void> {
    const record = await readRecord(this.#dir, worktreeIdOf(call));
    if (record) await this.#oneByOne.runExclusive(() => this.#discard(record));
  }

  #rootIn(sessionId: string): string {
    const { root } = this.#options;
    return typeof root === "string" ? root : root(sessionId);
  }

  async #toolsIn(record: WorktreeRecord): Promise<readonly BaseTool[]> {
    try {
      const root = await realpath(this.#rootIn(record.sessionId));
      return await this.#options.tools(join(record.path, relative(record.repository, root)));
    } catch (error) {
      await this.#oneByOne.runExclusive(() => this.#discard(record));
      throw error;
    }
  }

  async #open(context: ToolContext, name: string): Promise<WorktreeRecord> {
    const id = worktreeIdOf(context);
    const owner = await this.#me;
    const known = await readRecord(this.#dir, id);
    if (known?.state === "stored") return this.#restore({ ...known, state: "working", owner });
    if (known && isWhole(known)) {
      const record: WorktreeRecord = { ...known, state: "working", owner };
      await writeRecord(this.#dir, record);
      return record;
    }
    if (known) await this.#remove(known); // A crash in the middle of making it.
    const repository = await topDirectoryOf(this.#rootIn(context.sessionId));
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const base = await snapshotOf(repository, join(this.#dir, `${id}.index`));
    const made = await context.notify?.("WorktreeCreate", { name: `${name}-${id}` });
    const foreign = made?.worktreePath;
    const record: WorktreeRecord = {
      v: 2,
      id,
      sessionId: context.sessionId,
      repository: await realpath(repository),
      path: foreign ?? join(this.#dir, id),
      branch: await freeBranch(repository, `loopwright/${name.replace(/[^\w-]+/g, "-")}-${id}`),
      base: foreign ? await git(foreign, "rev-parse", "HEAD") : base,
      isForeign: foreign !== undefined,
      state: "working",
      owner,
    };
    const { path, branch } = record;
    await context.record?.(ENTRY, { id, agent: name, repository: record.repository, path, branch, base: record.base });
    await writeRecord(this.#dir, record);
    if (!foreign) await this.#add(record);
    return record;
  }

  /** Makes a work tree again as it was when its process died. */
  async #restore(known: WorktreeRecord): Promise<WorktreeRecord> {
    await this.#takeAway(known); // A crash in the middle of storing it.
    const record = { ...known, branch: await freeBranch(known.repository, known.branch) };
    await writeRecord(this.#dir, { ...record, state: "stored" });
    await this.#add(record);
    const patch = await readFile(patchPathOf(this.#dir, record));
    const problem = patch.length > 0 ? await applyPatch(record.path, patch) : null;
    if (problem !== null)
      throw new ToolError("TOOL_FAILED", { message: `The work tree was not made again: ${problem}` });
    await writeRecord(this.#dir, record);
    await rm(patchPathOf(this.#dir, record), { force: true });
    await releaseCommit(record);
    return record;
  }

  /** A work tree made by a hook is the hook's to clear away. */
  async #store(record: WorktreeRecord): Promise<void> {
    if (record.isForeign) return;
    if (!isWhole(record) || !existsSync(record.repository)) return this.#remove(record);
    await writeFile(patchPathOf(this.#dir, record), await patchOf(record));
    await holdCommit(record);
    await writeRecord(this.#dir, { ...record, state: "stored" });
    await this.#takeAway(record);
  }

  async #discard(record: WorktreeRecord): Promise<void> {
    if (isWhole(record)) await this.#keepDirt(record);
    await this.#remove(record);
  }

  async #keepDirt(record: WorktreeRecord): Promise<void> {
    try {
      const patch = await patchOf(record);
      if (patch.length > 0 && (await isDirty(record))) await writeFile(patchPathOf(this.#dir, record), patch);
    } catch {
      await commitAll(record, UNPATCHED); // More than a patch may hold: its branch stays.
    }
  }

  async #close(record: WorktreeRecord, context: ToolContext, name: string, result: RunResult): Promise<WorktreeEnd> {
    const patch = await patchOf(record).catch(() => null);
    if (!patch || (await hasRepositoryInside(record))) return this.#keep(record, name, [], null);
    if (patch.length === 0) {
      await this.#removeWithHook(record, context);
      return { note: "[It changed no files.]", details: { files: [] } };
    }
    const files = await changedFiles(record);
    const { changes = "merge" } = this.#options;
    if (changes === "keep") return this.#keep(record, name, files, patch);
    const problem = changes === "merge" && result.status === "completed" ? await this.#merge(record, patch) : "";
    if (problem === null) {
      await this.#removeWithHook(record, context);
      return { note: `[Its changes are in your files now: ${files.join(", ")}.]`, details: { merged: true, files } };
    }
    const kept = await this.#keepPatch(record, context, patch);
    const shown = context.artifacts ? "" : shownPatch(patch);
    await this.#removeWithHook(record, context);
    if (problem === "") {
      const note = `[Its changes to ${files.join(", ")} are kept as a patch: ${kept}. They are not in your files.${shown}]`;
      return { note, details: { merged: false, files, patch: kept } };
    }
    return {
      note: `[Its changes conflict with yours (WORKTREE_CONFLICT), and nothing was changed: ${problem} They are kept as a patch: ${kept}. Read it, and make the changes by hand.${shown}]`,
      details: { merged: false, code: "WORKTREE_CONFLICT", files, patch: kept },
    };
  }

  /** `null`, or why the patch was not applied. */
  async #merge({ repository }: WorktreeRecord, patch: Uint8Array): Promise<string | null> {
    const merged = await inTurn(repository, await this.#me, () => applyPatch(repository, patch));
    return "value" in merged ? merged.value : describeHolder(merged.heldBy);
  }

  async #add(record: WorktreeRecord): Promise<void> {
    const added = await inTurn(record.repository, await this.#me, () => addWorktree(record));
    if ("heldBy" in added)
      throw new ToolError("TOOL_FAILED", { message: `The work tree was not made: ${describeHolder(added.heldBy)}` });
  }

  async #takeAway(record: WorktreeRecord): Promise<void> {
    const taken = await inTurn(record.repository, await this.#me, () => removeWorktree(record));
    if ("heldBy" in taken) await removeWorktree(record); // What is needed of it has been kept before.
  }

  async #keep(
    record: WorktreeRecord,
    name: string,
    files: readonly string[],
    patch: Uint8Array | null,
  ): Promise<WorktreeEnd> {
    const { path, branch } = record;
    await commitAll(record, `Changes of the sub-agent ${name}`);
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

  async #removeWithHook(record: WorktreeRecord, context: ToolContext): Promise<void> {
    await context.notify?.("WorktreeRemove", { worktreePath: record.path });
    await this.#remove(record);
  }

  async #remove(record: WorktreeRecord): Promise<void> {
    await this.#takeAway(record);
    if (record.state === "stored") await releaseCommit(record);
    await removeRecord(this.#dir, record);
  }
}
