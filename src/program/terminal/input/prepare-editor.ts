import type { Editor } from "@earendil-works/pi-tui";
import type { Workspace } from "../../../contracts/workspace.js";
import { COMMANDS } from "../commands/all-commands.js";
import { type CompletableCommand, Completion } from "./completion.js";
import { WorkspaceFiles } from "./workspace-files.js";

export interface EditorSources {
  readonly workspace: Workspace;
  /** Commands beside the program's own. */
  readonly commands: readonly CompletableCommand[];
  /** The prompts of earlier sessions, newest last. */
  readonly history: readonly string[];
}

/** Gives the editor what it completes with, and the prompts of earlier sessions for its arrow keys. */
export function prepareEditor(editor: Editor, { workspace, commands, history }: EditorSources): void {
  const files = new WorkspaceFiles(workspace);
  editor.setAutocompleteProvider(new Completion([...COMMANDS, ...commands], (signal) => files.list(signal)));
  for (const prompt of history) editor.addToHistory(prompt);
}
