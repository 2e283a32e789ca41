import type { ShellDirectories } from "../../contracts/workspace.js";

/** Keeps the directories in memory, by agent. */
export function createShellDirectories(): ShellDirectories {
  const directories = new Map<string, { readonly sessionId: string; readonly directory: string }>();

  return {
    get(transcriptId) {
      return directories.get(transcriptId)?.directory;
    },
    set({ transcriptId, sessionId }, directory) {
      if (directory === undefined) directories.delete(transcriptId);
      else directories.set(transcriptId, { sessionId, directory });
    },
    endSession(id) {
      for (const [transcriptId, { sessionId }] of directories) {
        if (id === undefined || transcriptId === id || sessionId === id) directories.delete(transcriptId);
      }
    },
  };
}
