import type { ShellFolders } from "../contracts/workspace.js";

/** Keeps the directories in memory, by agent. */
export function createShellFolders(): ShellFolders {
  const folders = new Map<string, { readonly sessionId: string; readonly folder: string }>();

  return {
    get(transcriptId) {
      return folders.get(transcriptId)?.folder;
    },
    set({ transcriptId, sessionId }, folder) {
      if (folder === undefined) folders.delete(transcriptId);
      else folders.set(transcriptId, { sessionId, folder });
    },
    endSession(id) {
      for (const [transcriptId, { sessionId }] of folders) {
        if (id === undefined || transcriptId === id || sessionId === id) folders.delete(transcriptId);
      }
    },
  };
}
