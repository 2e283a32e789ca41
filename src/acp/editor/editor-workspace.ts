import type { PathAccess, Workspace } from "../../contracts/workspace.js";
import { checkOptions, FLAG, type OptionTable } from "../../json/check-options.js";
import type { ClientSide } from "../client-side.js";
import { editorFiles } from "./editor-files.js";
import { editorShell } from "./editor-shell.js";

/** The features of the editor in use, where it offers them. */
export interface EditorUse {
  /** Reads and writes text files through the editor. Default: `true`. */
  readonly files?: boolean | undefined;
  /** Runs commands in terminals of the editor, with its environment and without this workspace's shell. Default: `true`. */
  readonly terminal?: boolean | undefined;
}

const USE = { files: FLAG, terminal: FLAG } satisfies OptionTable<EditorUse>;

/** @throws ConfigurationError `OPTION_INVALID` */
export function checkEditorUse(use: EditorUse): void {
  checkOptions("session.withEditor()", use, USE);
}

/**
 * The same workspace with the editor's files and terminals. Its sandbox still decides every path, its locks, artifacts and journal
 * stay, and closing it closes the workspace.
 */
export function editorWorkspace(
  inner: Workspace,
  client: ClientSide,
  { files: usesFiles = true, terminal: usesTerminal = true }: EditorUse,
  onTerminal: (command: string, terminalId: string) => Promise<void>,
): Workspace {
  const { readsFiles, writesFiles, runsCommands } = client.editor;
  const files = usesFiles && (readsFiles || writesFiles) ? editorFiles(inner.files, client) : inner.files;
  const resolve: Workspace["resolve"] = (path, access) => inner.resolve(path, access);
  const shell =
    usesTerminal && runsCommands ? editorShell({ client, root: inner.root, resolve, onTerminal }) : undefined;
  const { artifacts, journal } = inner;
  return {
    root: inner.root,
    files,
    fileState: inner.fileState,
    shell: shell ?? inner.shell,
    shellDirectories: inner.shellDirectories,
    ...(artifacts && { artifacts }),
    ...(journal && { journal }),
    resolve,
    needsApproval: (path, access, sessionId) => inner.needsApproval(path, access, sessionId),
    ...(inner.addDirectories && {
      addDirectories: (sessionId: string, directories: readonly string[]) =>
        inner.addDirectories!(sessionId, directories),
    }),
    ...(inner.removeDirectories && {
      removeDirectories: (sessionId: string, directories: readonly string[]) =>
        inner.removeDirectories!(sessionId, directories),
    }),
    ...(inner.allowOutside && {
      allowOutside: (name: string, access: PathAccess, matches: (path: string) => boolean) =>
        inner.allowOutside!(name, access, matches),
    }),
    async close() {
      await shell?.close();
      await inner.close();
    },
  };
}
