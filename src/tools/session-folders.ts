import { join } from "node:path";
import type { ToolContext } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";

/** Where the shell of each agent stands: `cd` in one command lasts to the next, and never leads out of the workspace. */
export class SessionFolders {
  constructor(private readonly workspace: Workspace) {}

  /** The folder the next command starts in, and a note when it is not the one the last command ended in. */
  async enter({ transcriptId, sessionId }: ToolContext): Promise<{ readonly folder: string; readonly note?: string }> {
    const kept = this.workspace.shellFolders.get(transcriptId);
    if (kept === undefined || (await this.#isUsable(kept))) return { folder: kept ?? this.workspace.root };
    this.workspace.shellFolders.set({ transcriptId, sessionId }, undefined);
    const note = `The folder "${kept}" is gone or may not be entered; this command ran in "${this.workspace.root}"`;
    return { folder: this.workspace.root, note };
  }

  /** Keeps where a command ended. Answers a note when it stays at `from` instead. */
  async leave({ transcriptId, sessionId }: ToolContext, from: string, to: string | null): Promise<string | undefined> {
    if (to === null || to === from) return;
    if (!(await this.#isUsable(to))) {
      return `The shell ended in "${to}", which is outside the workspace or may not be entered; the next command starts in "${from}"`;
    }
    this.workspace.shellFolders.set({ transcriptId, sessionId }, to);
  }

  async #isUsable(folder: string): Promise<boolean> {
    try {
      // A name below it is refused, too, when the folder may not be entered.
      await this.workspace.resolve(join(folder, "name"), "read");
      return (await this.workspace.files.stat(folder)).kind === "directory";
    } catch {
      // Refused by the sandbox or gone: not usable either way, and the caller says so.
      return false;
    }
  }
}
