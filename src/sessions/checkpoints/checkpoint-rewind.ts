import { ConfigurationError, isHarnessError, SessionError } from "../../contracts/errors.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import type { Workspace } from "../../contracts/workspace.js";
import { byDefault, checkOptions, FLAG, type OptionTable, oneOf, type WithDefaults } from "../../json/check-options.js";
import { noSession } from "../session-tree.js";
import { ChangedMeanwhile, PlanRunner, type RewindPlan } from "./checkpoint-apply.js";
import { momentOf } from "./checkpoint-boundary.js";
import { decideSteps, type RestoreDecision, type Wish, wishesFor, wishFor, withOthers } from "./checkpoint-plan.js";
import type { CheckpointStore } from "./checkpoint-store.js";
import { findUnkept, type UnkeptChange } from "./checkpoint-unsaved.js";

/** Options of `rewindFiles()` and `undoRewind()`. */
export interface RewindOptions {
  /** Says what would be done and does nothing. Also while a run uses the session. Default: `false`. */
  readonly dryRun?: boolean | undefined;
  /**
   * The way to treat a file that a command or somebody else changed after the session: `"refuse"` the
   * whole rewind, `"skip"` the file, or `"overwrite"` it where the earlier content is kept. What is overwritten comes back
   * with `undoRewind`. Default: `"refuse"`.
   */
  readonly onConflict?: "refuse" | "skip" | "overwrite" | undefined;
}

const OPTIONS = {
  dryRun: byDefault(false, FLAG),
  onConflict: byDefault("refuse", oneOf("refuse", "skip", "overwrite")),
} satisfies OptionTable<RewindOptions>;

type RewindSettings = WithDefaults<RewindOptions, typeof OPTIONS>;

/** A file or directory of a rewind. */
export interface RewoundFile {
  /** Absolute. */
  readonly path: string;
  readonly kind: "file" | "directory";
  /**
   * `write`: gets the content it had. `remove`: it did not exist. `make`: the directory is made again. `none`: it is already
   * as it was. `keep`: it is left as it is, for the reason in `why`.
   */
  readonly action: "write" | "remove" | "make" | "none" | "keep";
  readonly why?: string;
}

/** The effects of a rewind, done or planned. */
export interface RewindReport {
  /** Names the rewind, also one that had nothing to do; `null` of a dry run. */
  readonly id: string | null;
  /** The session's changes since, files before directories. */
  readonly files: readonly RewoundFile[];
  /** Whether conflicts would stop the rewind: only ever `true` of a dry run. */
  readonly wouldRefuse: boolean;
  /**
   * Files that a command or somebody else has written since, or, of those the session read, removed, before any file tool of
   * the session changed them. Nothing was kept of what they were, so that cannot be brought back; of what a tool did later, what it
   * found is.
   *
   * Those it read are compared by content, as long as the workspace is open; the others are found by their time, among the
   * first 20,000 files and directories. At most 500 of each.
   */
  readonly notKept: readonly UnkeptChange[];
}

/** Takes the files of one workspace back to what they were. */
export interface FileRewinder {
  /**
   * Takes back what this session's file tools did after an entry was recorded, rewinds included: each file they changed is
   * again what it was, each they created is gone, directories they made are gone if nothing is in them.
   *
   * No other file is touched. A file that exists keeps its mode, for file tools change none; one that comes back has the
   * mode it had. All of it happens or nothing: what fails is taken back, and what a crash cuts off is ended by `open`.
   *
   * @throws SessionError `REWIND_REFUSED` with `details.files` when files were changed by others; nothing is touched.
   * `REWIND_UNFINISHED` when a failure could not be taken back. `SESSION_BUSY` while a run uses the session,
   * `SESSION_NOT_FOUND`, and what stores and workspace throw
   * @throws ConfigurationError `OPTION_INVALID` when the session has no such entry
   */
  rewindFiles(sessionId: string, toEntry: string, options?: RewindOptions): Promise<RewindReport>;
  /**
   * Takes back the newest rewind, also if that was an undo. Files that were changed since are conflicts.
   *
   * @throws ConfigurationError `OPTION_INVALID` when there is not one; and as `rewindFiles`
   */
  undoRewind(sessionId: string, options?: RewindOptions): Promise<RewindReport>;
  /** Rewinds a crash had cut off, and what `open` made of them: all of it, or nothing. */
  readonly recovered: readonly { readonly sessionId: string; readonly outcome: "finished" | "taken-back" }[];
}

/** Ends what crashes have cut off, and gives the rewinder. */
export async function openRewinder(
  store: CheckpointStore,
  sessions: SessionStore,
  workspace: Workspace,
): Promise<FileRewinder> {
  const runner = new PlanRunner(store, workspace);
  const recovered: { sessionId: string; outcome: "finished" | "taken-back" }[] = [];
  for (const sessionId of await store.sessionsWithPlan()) {
    // A session that is locked is being rewound by a process that lives.
    const outcome = await locked(sessions, sessionId, () => runner.finish(sessionId)).catch((error: unknown) => {
      if (isHarnessError(error, "SESSION_BUSY")) return null;
      throw error;
    });
    if (outcome) recovered.push({ sessionId, outcome });
  }

  async function rewind(
    sessionId: string,
    { dryRun, onConflict }: RewindSettings,
    wishes: readonly Wish[],
    { newest, at }: { readonly newest: SessionEntry; readonly at: number },
    unkept: readonly UnkeptChange[] = [],
  ): Promise<RewindReport> {
    const contents = store.contentsOf(sessionId);
    const decisions = await decideSteps(workspace, contents, wishes, onConflict === "overwrite");
    const conflicts = onConflict === "refuse" ? decisions.filter(({ isConflict }) => isConflict) : [];
    const files = decisions.map(({ path, kind, action, why }) => ({ path, kind, action, ...(why && { why }) }));
    if (!dryRun && conflicts.length > 0) throw refused(sessionId, conflicts);
    const plan = planOf(decisions, newest);
    // All that can fail comes before the files are touched.
    const notKept = [...unkept, ...(await findUnkept(workspace, sessionId, await store.records(sessionId), at))];
    if (!dryRun) {
      await runner.run(sessionId, plan).catch((error: unknown) => {
        throw error instanceof ChangedMeanwhile ? refused(sessionId, [error]) : error;
      });
    }
    return { id: dryRun ? null : plan.id, files, wouldRefuse: conflicts.length > 0, notKept };
  }

  return {
    recovered,
    rewindFiles: (sessionId, toEntry, options = {}) =>
      withSession(sessionId, options, async (settings) => {
        const moment = await momentOf(sessions, sessionId, toEntry, await store.records(sessionId));
        const { wishes, unkept } = await withOthers(workspace, moment, wishesFor(moment));
        return rewind(sessionId, settings, wishes, moment, unkept);
      }),
    undoRewind: (sessionId, options = {}) =>
      withSession(sessionId, options, async (settings) => {
        const last = (await store.records(sessionId)).filter(({ kind }) => kind === "rewind").at(-1);
        if (!last) throw nothingToUndo(sessionId);
        const newest = await newestOf(sessions, sessionId);
        return rewind(sessionId, settings, last.steps.map(wishFor), { newest, at: last.at });
      }),
  };

  async function withSession<T>(
    sessionId: string,
    options: RewindOptions,
    work: (settings: RewindSettings) => Promise<T>,
  ): Promise<T> {
    const settings = checkOptions("rewindFiles()", options, OPTIONS);
    if (settings.dryRun) return work(settings);
    return locked(sessions, sessionId, async () => {
      await runner.finish(sessionId);
      return work(settings);
    });
  }
}

async function locked<T>(sessions: SessionStore, sessionId: string, work: () => Promise<T>): Promise<T> {
  const release = await sessions.lock(sessionId);
  try {
    return await work();
  } finally {
    await release();
  }
}

function planOf(decisions: readonly RestoreDecision[], newest: SessionEntry): RewindPlan {
  // Directories are there before what is in them and go after it; so, too, when the steps are taken back in reverse.
  const made = decisions.filter(({ action }) => action === "make").reverse();
  const files = decisions.filter(({ kind, action }) => kind === "file" && (action === "write" || action === "remove"));
  const left = decisions.filter(({ kind, action }) => kind === "directory" && action === "remove");
  return {
    id: `rewind.${globalThis.crypto.randomUUID()}`,
    at: Date.now(),
    runId: newest.runId,
    turn: newest.turn,
    kind: "rewind",
    afterEntry: newest.id,
    steps: [...made, ...files, ...left].map(({ path, from, to }) => ({ path, from, to })),
  };
}

async function newestOf(sessions: SessionStore, sessionId: string): Promise<SessionEntry> {
  let newest: SessionEntry | undefined;
  for await (const entry of sessions.read(sessionId)) newest = entry;
  if (!newest) throw noSession(sessionId);
  return newest;
}

const MAX_NAMED = 10;

function refused(sessionId: string, files: readonly { readonly path: string; readonly why?: string }[]): SessionError {
  const named = files.slice(0, MAX_NAMED).map(({ path, why }) => `"${path}" (${why})`);
  const more = files.length > MAX_NAMED ? `, and ${files.length - MAX_NAMED} more` : "";
  return new SessionError("REWIND_REFUSED", {
    message: `The files of session "${sessionId}" were not rewound, none was touched: ${named.join(", ")}${more}. Look at them, then pass onConflict: "skip" to leave them, or "overwrite".`,
    details: { files: files.map(({ path, why = "" }) => ({ path, why })) },
  });
}

function nothingToUndo(sessionId: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `Session "${sessionId}" has no rewind of files to undo. Check the id, or call rewindFiles() first.`,
  });
}
