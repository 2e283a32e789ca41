import { resolve } from "node:path";
import { SessionError } from "../../contracts/errors.js";
import type { SessionStore } from "../../contracts/session.js";
import type { ChangeJournal, FileChange, Workspace } from "../../contracts/workspace.js";
import { sha256 } from "../../files/sha256.js";
import {
  byDefault,
  checkOptions,
  type OptionTable,
  oneOf,
  optionOf,
  PATH,
  required,
  withMethods,
} from "../../json/check-options.js";
import { type FileSystem, nodeFiles, sessionFailure } from "../file-system.js";
import type { Durability } from "../session-file-writer.js";
import type { PathState, Step } from "./checkpoint-record.js";
import { type FileRewinder, openRewinder } from "./checkpoint-rewind.js";
import { CheckpointStore } from "./checkpoint-store.js";

/** Options of `createCheckpoints()`. */
export interface CheckpointOptions {
  /**
   * The directory of the checkpoints: it holds what files held. Made when the first change comes. Best outside the workspace;
   * inside it, name it among the workspace's `protectedPaths`.
   */
  readonly dir: string;
  /** The store of the sessions whose entries one rewinds to. */
  readonly sessions: SessionStore;
  /** The moment at which a change counts as kept: as with `createFileSessionStore`. Default: `"power"`. */
  readonly durability?: Durability | undefined;
  /** The room for each session. Beyond it the oldest contents go. Unit: bytes. Default: 1 GiB. */
  readonly maxBytes?: number | undefined;
}

/** The journal of a workspace, and the way back. */
export interface Checkpoints extends ChangeJournal {
  /**
   * Gives what takes the files of a workspace back. Ends first what a crash has cut off, so call it when the program
   * starts, before sessions go on: until then their changes are stopped with `REWIND_UNFINISHED`.
   *
   * @throws SessionError `REWIND_UNFINISHED` when that fails
   */
  open(workspace: Workspace): Promise<FileRewinder>;
  /** Removes everything kept of a session, for one that is deleted. Its files stay as they are. */
  forget(sessionId: string): Promise<void>;
}

/**
 * Keeps what files were before tools change them, so that they can be taken back to any entry of a session.
 *
 * Pass it to the workspace as `journal`. The content of a file is on disk before the file is changed; a change whose
 * content cannot be kept, because the disk is full, is not made. The same content is kept once.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a wrong option
 * @example
 * const checkpoints = createCheckpoints({ dir: "checkpoints", sessions });
 * const workspace = await createWorkspace({ root: "project", journal: checkpoints });
 * const rewinder = await checkpoints.open(workspace);
 */
export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  return checkpointsOn(nodeFiles, options);
}

/** Checkpoints over given file operations. */
export function checkpointsOn(files: FileSystem, options: CheckpointOptions): Checkpoints {
  const { sessions, ...settings } = readOptions(options);
  const store = new CheckpointStore(files, settings);

  async function before(change: FileChange): Promise<void> {
    const { sessionId, path, toolCallId = null, transcriptId = sessionId, runId = "", turn } = change;
    try {
      if (await store.findPlan(sessionId)) throw cutOff(sessionId);
      const contents = store.contentsOf(sessionId);
      const digest = change.before ? await contents.keep(change.before) : undefined;
      // A command may write over it before another tool does.
      if (change.after) await contents.keep(change.after);
      await store.append(sessionId, {
        kind: "change",
        id: globalThis.crypto.randomUUID(),
        at: Date.now(),
        runId,
        turn,
        toolCallId,
        isMainAgent: transcriptId === sessionId,
        steps: stepsOf(change, digest),
      });
      await contents.trim(digest);
    } catch (cause) {
      throw sessionFailure(
        "SESSION_WRITE",
        `"${path}" was not changed, because its earlier content could not be kept`,
        cause,
      );
    }
  }

  return {
    before,
    open: (workspace) => openRewinder(store, sessions, workspace),
    forget: (sessionId) => store.forget(sessionId),
  };
}

function stepsOf(change: FileChange, digest: string | undefined): Step[] {
  const { path, before, after, mode, mtimeMs, directories = [] } = change;
  const made = directories.map((directory): Step => ({ path: directory, from: null, to: "directory" }));
  if (directories.at(-1) === path) return made;
  const from: PathState = before ? { digest: digest!, bytes: before.length, mode, mtimeMs } : null;
  const to = after ? { digest: sha256(after), bytes: after.length, mode: before ? mode : null } : ("unknown" as const);
  return [...made, { path, from, to }];
}

const OPTIONS = {
  dir: required(PATH),
  sessions: required(withMethods("read", "lock")),
  durability: byDefault("power", oneOf("power", "process")),
  maxBytes: byDefault(
    1024 * 1024 * 1024,
    optionOf((value) => typeof value === "number" && value >= 1, "a number of bytes, at least 1"),
  ),
} satisfies OptionTable<CheckpointOptions>;

function readOptions(options: CheckpointOptions) {
  const settings = checkOptions("createCheckpoints()", options, OPTIONS);
  return { ...settings, dir: resolve(settings.dir) };
}

function cutOff(sessionId: string): SessionError {
  return new SessionError("REWIND_UNFINISHED", {
    message: `A rewind of session "${sessionId}" was interrupted, so its files are partly rewound. Call open() of the checkpoints, which completes it, then continue.`,
  });
}
