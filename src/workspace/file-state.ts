import type { FileState } from "../contracts/workspace.js";

/** More files than a session works on. Beyond, the file noted longest ago is forgotten and has to be read again. */
const MAX_FILES = 20_000;

/** File digests per session, in memory, bounded over all sessions. */
export function createFileState(maxFiles = MAX_FILES): FileState {
  const digests = new Map<string, string>();
  const keyOf = (sessionId: string, path: string) => `${sessionId}\0${path}`;

  return {
    note(sessionId, path, digest) {
      const key = keyOf(sessionId, path);
      digests.delete(key);
      digests.set(key, digest);
      const [oldest] = digests.keys();
      if (digests.size > maxFiles && oldest !== undefined) digests.delete(oldest);
    },
    get: (sessionId, path) => digests.get(keyOf(sessionId, path)),
    endSession(sessionId) {
      for (const key of digests.keys()) {
        if (sessionId === undefined || key.startsWith(keyOf(sessionId, ""))) digests.delete(key);
      }
    },
  };
}
