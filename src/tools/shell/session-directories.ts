import { join } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { ToolContext } from "../../contracts/tool.js";
import type { CommandOutcome, Workspace } from "../../contracts/workspace.js";
import { quoteName } from "../../text/quote-name.js";

/** The directory a command starts in. */
export interface StartingPlace {
  readonly directory: string;
  /** The directory that `cd -` goes back to. */
  readonly previous?: string;
  /** The reason why it is not where the last command ended. */
  readonly note?: string;
}

/** The directory in which each agent's shell stands: `cd` in one command lasts to the next, and never leads out of the workspace. */
export class SessionDirectories {
  /** By agent. */
  readonly #previous = new Map<string, { readonly sessionId: string; readonly directory: string }>();

  constructor(private readonly workspace: Workspace) {}

  /** The directory the next command of this agent starts in. */
  async enter(context: ToolContext): Promise<StartingPlace> {
    const { root, shellDirectories } = this.workspace;
    const kept = shellDirectories.get(context.transcriptId);
    const previous = this.#previous.get(context.transcriptId)?.directory;
    if (kept === undefined || (await this.#isUsable(kept))) return { directory: kept ?? root, previous };
    this.#move(context, kept, undefined);
    const note = `The directory ${quoteName(kept)} is gone or may not be entered; this command ran in ${quoteName(root)}`;
    return { directory: root, note, previous };
  }

  /** Keeps where a command ended. Answers a note when it stays where it started instead. */
  async leave(
    context: ToolContext,
    { directory: from }: StartingPlace,
    { cwd, previousCwd }: CommandOutcome,
  ): Promise<string | undefined> {
    if (cwd === null) return;
    // The command has been run: its answer matters more than trouble with the directory.
    if (cwd !== from && !(await this.#isUsable(cwd).catch(() => false))) {
      return `The shell ended in ${quoteName(cwd)}, which is gone, outside the workspace or may not be entered; the next command starts in ${quoteName(from)}`;
    }
    const { transcriptId, sessionId } = context;
    if (previousCwd !== undefined) this.#previous.set(transcriptId, { sessionId, directory: previousCwd });
    if (cwd !== from) this.#move(context, from, cwd);
  }

  /** Forgets the directories of a session or of one agent; without an id, all. */
  endSession(id?: string): void {
    this.workspace.shellDirectories.endSession(id);
    for (const [transcriptId, { sessionId }] of this.#previous) {
      if (id === undefined || transcriptId === id || sessionId === id) this.#previous.delete(transcriptId);
    }
  }

  #move({ transcriptId, sessionId, notify }: ToolContext, oldCwd: string, directory: string | undefined): void {
    this.workspace.shellDirectories.set({ transcriptId, sessionId }, directory);
    notify?.("CwdChanged", { oldCwd, newCwd: directory ?? this.workspace.root });
  }

  async #isUsable(directory: string): Promise<boolean> {
    try {
      // A name below it is refused, too, when the directory may not be entered.
      await this.workspace.resolve(join(directory, "name"), "read");
      // Outside the roots, where it takes approval to read.
      if ((await this.workspace.needsApproval(join(directory, "name"), "read")) !== null) return false;
      return (await this.workspace.files.stat(directory)).kind === "directory";
    } catch (error) {
      // Trouble of the machine passes, and a command that ran elsewhere meanwhile would do its work in the wrong directory.
      if (!isHarnessError(error) || isHarnessError(error, "TOOL_FAILED")) throw error;
      return false;
    }
  }
}
