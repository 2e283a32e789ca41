// Work trees of sub-agents, from the call that needs one to its end. Each has a record beside it that says who works in it;
// what a process that died has left is stored as a patch, from which the same call makes its work tree again.
import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { Mutex } from "async-mutex";
import { RunError, ToolError } from "../../contracts/errors.js";
import type { RunResult } from "../../contracts/run.js";
import type { SpawnOptions, ToolContext } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import { checkOptions } from "../../json/check-options.js";
import { isAlive, newLockOwner } from "../../processes/process-lock.js";
import { diskPlace } from "./disk-place.js";
import { git, topDirectoryOf } from "./git.js";
import { machinePlace } from "./machine-place.js";
import { describeHolder } from "./repository-turn.js";
import { TreeChanges, type TreeEnding } from "./tree-changes.js";
import type { TreePlace } from "./tree-place.js";
import {
  addWorktree,
  applyPatch,
  freeBranch,
  hasRepositoryInside,
  holdCommit,
  ignoredFiles,
  isWhole,
  patchOf,
  releaseCommit,
  snapshotOf,
  unlock,
} from "./work-tree.js";
import { WORKTREE_OPTIONS, type WorktreeOptions } from "./worktree-options.js";
import {
  cutOffNote,
  patchPathOf,
  readRecord,
  readRecords,
  removeRecord,
  type WorktreeEnd,
  type WorktreeRecord,
  withIgnored,
  worktreeIdOf,
  writeRecord,
} from "./worktree-record.js";

/** The name of the entries in the session that say which work trees were made. */
const ENTRY = "subagents/worktree";

/** Makes work trees for sub-agents, and takes care of what they have changed. Its git commands run one after another on each machine. */
export class Worktrees {
  readonly #options: WorktreeOptions;
  readonly #dir: string;
  /** By machine; `""`: this disk. */
  readonly #turns = new Map<string, Mutex>();
  readonly #me = newLockOwner();
  readonly #disk: TreePlace;
  readonly #changes: TreeChanges;

  constructor(options: WorktreeOptions) {
    checkOptions("createSubagentTools()", options, WORKTREE_OPTIONS, { prefix: "worktrees." });
    this.#options = options;
    this.#dir = resolve(options.dir ?? join(homedir(), ".loopwright", "worktrees"));
    this.#disk = diskPlace(this.#dir, this.#me);
    this.#changes = new TreeChanges(this.#dir, options.changes);
  }

  /**
   * Does `work` in a work tree of the call's own; a call that is entered again finds the one it had, or how that has
   * ended. When `work` throws to leave for a question, the work tree stays for the next time.
   */
  async run(context: ToolContext, name: string, work: (options: SpawnOptions) => Promise<RunResult>) {
    const { place, root } = await this.#whereIn(context.sessionId);
    const end = await this.#inTurn(place, () => this.#changes.endOf(place, context));
    if (end) return { result: await work({}), ...end };
    const record = await this.#inTurn(place, () => this.#open(place, root, context, name));
    const tree = await this.#treeIn(place, root, record);
    context.whenCutOff?.(() => cutOffNote(this.#dir, record, context.runId));
    try {
      const result = await work({ tools: tree.tools }).catch(async (error) => {
        await writeRecord(this.#dir, { ...record, state: "waiting" });
        throw error;
      });
      return { result, ...(await this.#inTurn(place, () => this.#end({ place, record, context, name, result }))) };
    } finally {
      await tree.workspace?.close();
    }
  }

  /** Stores what processes that died have left behind; their sub-agents go on when their sessions do. */
  async storeLeftovers(): Promise<void> {
    for (const { id } of await readRecords(this.#dir)) {
      await this.#inTurn({}, async () => {
        const record = await readRecord(this.#dir, id);
        if (record?.state !== "working" && record?.state !== "ended") return;
        // One on a machine is there when its session comes back.
        if (record.machine !== undefined || (await isAlive(record.owner))) return;
        // One that cannot be stored now stays as it is: that is not a reason to refuse the start.
        await this.#store(record).catch(() => {});
      });
    }
  }

  /** Every call that a transcript has made has its result on record there. What is left to say to its agent, or `null`. */
  onRecorded(transcriptId: string): string | null {
    return this.#changes.onRecorded(transcriptId);
  }

  /**
   * Removes the work trees of a session that is over. What is in one and nowhere else is kept as a patch beside it. One that
   * another process works in is left to it. An engine that closes, without a session, leaves them: a suspended
   * sub-agent goes on in its own.
   */
  async endSession(sessionId: string | undefined): Promise<void> {
    if (sessionId === undefined) return;
    const me = await this.#me;
    for (const record of await readRecords(this.#dir)) {
      if (record.sessionId !== sessionId) continue;
      const { state, owner } = record;
      if (state === "working" && owner.token !== me.token && (await isAlive(owner))) continue;
      await this.#inTurn(record, () => this.#discard(record));
    }
  }

  /** Removes the work tree of a call that is not entered again. What is in it and nowhere else is kept as a patch; the main agent hears where. */
  async endCall(call: Pick<ToolContext, "transcriptId" | "toolCallId" | "sessionId">): Promise<void> {
    const record = await readRecord(this.#dir, worktreeIdOf(call));
    const where = record && (await this.#inTurn(record, () => this.#discard(record)));
    if (where) this.#changes.onLeftOpen(call.sessionId, where);
  }

  async #inTurn<T>({ machine = "" }: { readonly machine?: string }, work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(machine) ?? new Mutex();
    this.#turns.set(machine, turn);
    try {
      return await turn.runExclusive(work);
    } finally {
      if (!turn.isLocked()) this.#turns.delete(machine);
    }
  }

  /** The place of work trees in a session, and the real path of the directory there that the parent works in. */
  async #whereIn(sessionId: string): Promise<{ readonly place: TreePlace; readonly root: string }> {
    const { root } = this.#options;
    const found = typeof root === "function" ? root(sessionId) : root;
    const directory = typeof found === "string" ? found : found.files.onDisk && found.root;
    if (directory) return { place: this.#disk, root: await realpath(directory) };
    const workspace = found as Workspace;
    return { place: machinePlace(workspace), root: workspace.root };
  }

  /** The place of a work tree; `null` when its machine is not the session's any more, or cannot be reached. */
  async #placeOf(record: WorktreeRecord): Promise<TreePlace | null> {
    if (record.machine === undefined) return this.#disk;
    try {
      const { place } = await this.#whereIn(record.sessionId);
      if (place.machine !== record.machine) return null;
      await isWhole(place, record);
      return place;
    } catch {
      return null;
    }
  }

  async #treeIn(place: TreePlace, root: string, record: WorktreeRecord) {
    try {
      const dir = place.paths.join(record.path, place.paths.relative(record.repository, root));
      const workspace = await place.open(dir);
      return { workspace, tools: await this.#options.tools(dir, workspace) };
    } catch (error) {
      await this.#inTurn(record, () => this.#discard(record));
      throw error;
    }
  }

  async #open(place: TreePlace, root: string, context: ToolContext, name: string): Promise<WorktreeRecord> {
    const id = worktreeIdOf(context);
    const owner = await this.#me;
    const read = await readRecord(this.#dir, id);
    const known = read?.state === "ended" ? undefined : read;
    if (known && known.machine !== place.machine) throw await this.#gone(known);
    if (known?.state === "working") await unlock(place, known);
    if (known?.state === "stored") return this.#restore({ ...known, state: "working", owner });
    if (known && (await isWhole(place, known))) {
      const { end, ...rest } = known;
      // All that was kept is still in it.
      const record: WorktreeRecord = { ...(known.state === "kept" ? rest : known), state: "working", owner };
      await writeRecord(this.#dir, record);
      return record;
    }
    if (known?.isMade) throw await this.#gone(known);
    if (known) await this.#changes.remove(place, known); // A crash in the middle of making it.
    const repository = await topDirectoryOf(place, root);
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await place.makeDirectory(place.dir);
    const base = await snapshotOf(place, repository, place.paths.join(place.dir, `${id}.index`));
    // Hooks are programs of this machine.
    const isHere = place.machine === undefined;
    const made = isHere ? await context.notify?.("WorktreeCreate", { name: `${name}-${id}` }) : undefined;
    const foreign = made?.worktreePath;
    const record: WorktreeRecord = {
      v: 2,
      id,
      sessionId: context.sessionId,
      transcriptId: context.transcriptId,
      ...(place.machine !== undefined && { machine: place.machine }),
      repository: isHere ? await realpath(repository) : repository,
      path: foreign ?? place.paths.join(place.dir, id),
      branch: await freeBranch(place, repository, `loopwright/${name.replace(/[^\w-]+/g, "-")}-${id}`),
      base: foreign ? await git(place, foreign, "rev-parse", "HEAD") : base,
      isForeign: foreign !== undefined,
      isMade: foreign !== undefined,
      state: "working",
      owner,
      ...(read?.state === "ended" && { end: read.end }),
    };
    const { path, branch, machine } = record;
    const recorded = { id, agent: name, repository: record.repository, path, branch, base: record.base };
    await context.record?.(ENTRY, { ...recorded, ...(machine !== undefined && { machine }) });
    await writeRecord(this.#dir, record);
    if (foreign) return record;
    await this.#add(place, record);
    const whole = { ...record, isMade: true };
    await writeRecord(this.#dir, whole);
    return whole;
  }

  /** Its machine has been lost, and with it what was only there. */
  async #gone(record: WorktreeRecord): Promise<RunError> {
    const { machine, path, branch } = record;
    // A patch on this disk is still of use.
    if (machine !== undefined) removeRecord(this.#dir, record);
    const where = machine === undefined ? "on this disk" : `of the workspace "${machine}"`;
    const message = `The sub-agent cannot go on: its work tree "${path}" ${where} is not there any more, and what was only in it is lost. Give the work to a new sub-agent.`;
    return new RunError("WORKSPACE_GONE", {
      message,
      details: { path, branch, ...(machine !== undefined && { machine }) },
    });
  }

  /** Makes a work tree again as it was when its process died. */
  async #restore(known: WorktreeRecord): Promise<WorktreeRecord> {
    const place = this.#disk;
    await this.#changes.takeAway(place, known); // A crash in the middle of storing it.
    const record = { ...known, branch: await freeBranch(place, known.repository, known.branch) };
    await writeRecord(this.#dir, { ...record, state: "stored" });
    await this.#add(place, record);
    const patch = await readFile(patchPathOf(this.#dir, record));
    const problem = patch.length > 0 ? await applyPatch(place, record.path, patch) : null;
    if (problem !== null)
      throw new ToolError("TOOL_FAILED", { message: `The work tree was not made again: ${problem}` });
    await writeRecord(this.#dir, record);
    await rm(patchPathOf(this.#dir, record), { force: true });
    await releaseCommit(place, record);
    return record;
  }

  /** A work tree made by a hook is the hook's to clear away. */
  async #store(record: WorktreeRecord): Promise<void> {
    if (record.isForeign) return;
    const place = this.#disk;
    if (record.state === "ended") return this.#changes.clearLater(place, record);
    await unlock(place, record);
    if (!(await isWhole(place, record)) || !(await place.exists(record.repository)))
      return this.#changes.remove(place, record);
    const patch = await patchOf(place, record);
    // What no patch can hold stays where it is, for the call that comes back.
    if (await hasRepositoryInside(place, record)) return writeRecord(this.#dir, { ...record, state: "waiting" });
    await writeFile(patchPathOf(this.#dir, record), patch);
    await holdCommit(place, record);
    const note = withIgnored(record.end ? [record.end.note] : [], await ignoredFiles(place, record));
    const end = note && { end: { details: null, status: "aborted" as const, ...record.end, note } };
    await writeRecord(this.#dir, { ...record, ...(end || {}), state: "stored" });
    await this.#changes.takeAway(place, record);
  }

  async #discard(record: WorktreeRecord): Promise<string> {
    const place = await this.#placeOf(record);
    if (place) return this.#changes.discard(place, record);
    removeRecord(this.#dir, record);
    return "";
  }

  /** @throws RunError `WORKSPACE_GONE` when the machine has gone meanwhile */
  async #end(ending: TreeEnding): Promise<WorktreeEnd> {
    const { place, record } = ending;
    try {
      return await this.#changes.close(ending);
    } catch (error) {
      const isThere = await isWhole(place, record).catch(() => false);
      if (place.machine !== undefined && !isThere) throw await this.#gone(record);
      throw error;
    }
  }

  async #add(place: TreePlace, record: WorktreeRecord): Promise<void> {
    const added = await place.inTurn(record.repository, () => addWorktree(place, record));
    if ("heldBy" in added)
      throw new ToolError("TOOL_FAILED", { message: `The work tree was not made: ${describeHolder(added.heldBy)}` });
  }
}
