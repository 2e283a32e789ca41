import { join } from "node:path";
import type { ToolContext } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";

/** Where the shell of each agent stands: `cd` in one command lasts to the next, and never leads out of the workspace. */
export class SessionFolders {
  readonly #folders = new Map<string, { readonly sessionId: string; readonly folder: string }>();

  constructor(private readonly workspace: Workspace) {}

  /** The folder the next command starts in, and a note when it is not the one the last command ended in. */
  async enter({ transcriptId }: ToolContext): Promise<{ readonly folder: string; readonly note?: string }> {
    const kept = this.#folders.get(transcriptId);
    if (!kept || (await this.#isUsable(kept.folder))) return { folder: kept?.folder ?? this.workspace.root };
    this.#folders.delete(transcriptId);
    const note = `The folder "${kept.folder}" is gone or may not be entered; this command ran in "${this.workspace.root}"`;
    return { folder: this.workspace.root, note };
  }

  /** Keeps where a command ended. Answers a note when it stays at `from` instead. */
  async leave({ transcriptId, sessionId }: ToolContext, from: string, to: string | null): Promise<string | undefined> {
    if (to === null || to === from) return;
    if (!(await this.#isUsable(to))) {
      return `The shell ended in "${to}", which is outside the workspace or may not be entered; the next command starts in "${from}"`;
    }
    this.#folders.set(transcriptId, { sessionId, folder: to });
  }

  /** Forgets the folders of a session or of one agent; without an id, all. */
  endSession(id?: string): void {
    for (const [transcriptId, { sessionId }] of this.#folders) {
      if (id === undefined || transcriptId === id || sessionId === id) this.#folders.delete(transcriptId);
    }
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
