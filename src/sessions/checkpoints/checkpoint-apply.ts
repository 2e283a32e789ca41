// Carries out the plan of a rewind so that every file is in the end as it was before, or as it was wanted.
//
// The plan is on disk before the first file is touched, and so is what every file holds now and shall hold. Each step
// takes a path from one known state to another in one step of the file system. So any process that finds a plan can go on with it
// in either direction; what is in neither state has been changed by others since and is left alone.

import { isHarnessError, SessionError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";
import { sha256 } from "../../files/sha256.js";
import type { KeptContents } from "./checkpoint-content.js";
import { type CheckpointRecord, isSame, type PathState } from "./checkpoint-record.js";
import { lookAt } from "./checkpoint-state.js";
import type { CheckpointStore } from "./checkpoint-store.js";
import { sweepTemporaries } from "./checkpoint-sweep.js";

interface PlannedStep {
  readonly path: string;
  readonly from: PathState;
  readonly to: PathState;
}

export type RewindPlan = CheckpointRecord & { readonly kind: "rewind"; readonly steps: readonly PlannedStep[] };

/** A path that is in no state the plan knows. */
export class ChangedMeanwhile extends Error {
  constructor(
    readonly path: string,
    readonly why: string,
  ) {
    super(`"${path}": ${why}`);
  }
}

export class PlanRunner {
  constructor(
    private readonly store: CheckpointStore,
    private readonly workspace: Workspace,
  ) {}

  /**
   * Makes every step and records the rewind, or makes none.
   *
   * @throws ChangedMeanwhile when others change a file at this moment, and what failed; everything is as it was then
   */
  async run(sessionId: string, plan: RewindPlan): Promise<void> {
    if (plan.steps.length === 0) return this.store.append(sessionId, plan);
    await this.#keepPresent(sessionId, plan);
    await this.store.writePlan(sessionId, plan);
    await this.#forward(sessionId, plan);
  }

  /** Ends what a crash has cut off. Resolves with what became of it; `null` when there was nothing. */
  async finish(sessionId: string): Promise<"finished" | "taken-back" | null> {
    const plan = (await this.store.findPlan(sessionId)) as RewindPlan | null;
    if (!plan) return null;
    // A directory is removed only when it is empty.
    await sweepTemporaries(this.workspace, this.store.contentsOf(sessionId), plan.steps);
    const records = await this.store.records(sessionId);
    if (records.some(({ id }) => id === plan.id)) {
      await this.store.removePlan(sessionId);
      return "finished";
    }
    try {
      await this.#forward(sessionId, plan);
      return "finished";
    } catch (error) {
      if (isHarnessError(error, "REWIND_UNFINISHED")) throw error;
      return "taken-back";
    }
  }

  async #forward(sessionId: string, plan: RewindPlan): Promise<void> {
    const contents = this.store.contentsOf(sessionId);
    try {
      for (const step of plan.steps) await this.#take(contents, step);
      await this.#settle(plan);
      await this.store.append(sessionId, plan);
    } catch (error) {
      await this.#back(sessionId, plan, error);
      throw error;
    }
    // One that stays is recognised by its record.
    await this.store.removePlan(sessionId).catch(() => {});
  }

  async #back(sessionId: string, plan: RewindPlan, reason: unknown): Promise<void> {
    const contents = this.store.contentsOf(sessionId);
    try {
      for (const { path, from, to } of [...plan.steps].reverse()) {
        await this.#take(contents, { path, from: to, to: from }).catch((error: unknown) => {
          if (!(error instanceof ChangedMeanwhile)) throw error;
        });
      }
      await this.#settle(plan);
      await this.store.removePlan(sessionId);
    } catch (cause) {
      throw unfinished(sessionId, reason, cause);
    }
  }

  /** The files are as they shall be before anything says so. */
  async #settle({ steps }: RewindPlan): Promise<void> {
    if (this.workspace.files.onDisk) await this.store.settle(steps.map(({ path }) => path));
  }

  async #take(contents: KeptContents, { path, from, to }: PlannedStep): Promise<void> {
    const { files } = this.workspace;
    await this.#stateOf(path);
    await files.withLock(path, "write", async () => {
      const state = await this.#stateOf(path);
      if (isSame(state, to)) return;
      if (!isSame(state, from)) throw new ChangedMeanwhile(path, "something else changed it at that moment");
      if (to === "directory") return files.makeDirectory(path);
      if (to === null && state === "directory") {
        if ((await files.list(path)).length === 0) await files.remove!(path);
        return;
      }
      if (to === null) return files.remove!(path);
      const content = await contents.find(to.digest);
      if (content === null) throw lost(path);
      const mode = state === null && to.mode !== null ? { mode: to.mode } : undefined;
      await files.write(path, content, mode);
    });
  }

  async #stateOf(path: string): Promise<PathState> {
    const found = await lookAt(this.workspace, path);
    if ("trouble" in found) throw new ChangedMeanwhile(path, found.trouble);
    return found.state;
  }

  /** Keeps what the files hold now, so that the rewind can be taken back and undone. */
  async #keepPresent(sessionId: string, { steps }: RewindPlan): Promise<void> {
    const contents = this.store.contentsOf(sessionId);
    for (const { path, from } of steps) {
      if (from === null || from === "directory") continue;
      const content = await this.workspace.files.read(path);
      if (sha256(content) !== from.digest) {
        throw new ChangedMeanwhile(path, "something else changed it at that moment");
      }
      await contents.keep(content);
      if (!(await contents.holds(from.digest))) throw tooLarge(path, content.length);
    }
  }
}

function tooLarge(path: string, bytes: number): SessionError {
  return new SessionError("REWIND_REFUSED", {
    message: `No file was rewound: "${path}" has ${bytes} bytes, more than checkpoints may keep, so the rewind could not be undone. Raise "maxBytes", or skip the file.`,
    details: { files: [{ path, why: "it is too large to keep" }] },
  });
}

function lost(path: string): SessionError {
  return new SessionError("SESSION_READ", {
    message: `What "${path}" held is no longer kept: it was removed or damaged while the rewind was under way.`,
    details: { path },
  });
}

function unfinished(sessionId: string, reason: unknown, cause: unknown): SessionError {
  const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
  return new SessionError("REWIND_UNFINISHED", {
    message: `A rewind of session "${sessionId}" failed (${textOf(reason)}) and could not be taken back (${textOf(cause)}). Remove the cause and call open() again: it ends the rewind.`,
    retryable: true,
    cause,
  });
}
