import type { Editor } from "@earendil-works/pi-tui";
import type { Workspace } from "../../../contracts/workspace.js";
import { COMMANDS } from "../commands/all-commands.js";
import { Completion } from "./completion.js";
import { readPromptHistory } from "./prompt-history.js";
import { WorkspaceFiles } from "./workspace-files.js";

/** Gives the editor what it completes with, and the prompts of earlier sessions for its arrow keys. */
export async function prepareEditor(editor: Editor, workspace: Workspace, historyFile?: string): Promise<void> {
  const files = new WorkspaceFiles(workspace);
  editor.setAutocompleteProvider(new Completion(COMMANDS, (signal) => files.list(signal)));
  for (const prompt of await readPromptHistory(historyFile)) editor.addToHistory(prompt);
}
