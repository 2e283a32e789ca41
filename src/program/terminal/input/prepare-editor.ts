import type { Editor } from "@earendil-works/pi-tui";
import { COMMANDS } from "../commands/all-commands.js";
import type { TerminalAgent } from "../terminal-agent.js";
import { type CompletableCommand, Completion } from "./completion.js";
import { ServerResources } from "./server-resources.js";
import { WorkspaceFiles } from "./workspace-files.js";

export interface EditorSources {
  /** Its files are offered, and the resources of its servers. */
  readonly agent: Pick<TerminalAgent, "workspace" | "connections">;
  /** Commands beside the program's own. */
  readonly commands: readonly CompletableCommand[];
  /** The prompts of earlier sessions, newest last. */
  readonly history: readonly string[];
}

/** Gives the editor what it completes with, and the prompts of earlier sessions for its arrow keys. */
export function prepareEditor(editor: Editor, { agent, commands, history }: EditorSources): void {
  const files = new WorkspaceFiles(agent.workspace);
  const resources = new ServerResources(agent.connections ?? []);
  const named = async (signal: AbortSignal) => (await Promise.all([files.list(signal), resources.list()])).flat();
  editor.setAutocompleteProvider(new Completion([...COMMANDS, ...commands], named));
  for (const prompt of history) editor.addToHistory(prompt);
}
