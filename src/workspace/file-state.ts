import type { FileState } from "../contracts/workspace.js";

/** More files than a session works on. Beyond, the file noted longest ago is forgotten and has to be read again. */
const MAX_FILES = 20_000;

interface NotedFile {
  readonly sessionId: string;
  readonly path: string;
  readonly digest: string;
  /** `null` when it was gone, `undefined` when nobody has said. */
  version: string | null | undefined;
}

/** File digests and versions per session, in memory, bounded over all sessions. */
export function createFileState(maxFiles = MAX_FILES): FileState {
  const noted = new Map<string, NotedFile>();
  const keyOf = (sessionId: string, path: string) => `${sessionId}\0${path}`;

  return {
    note(sessionId, path, digest, version) {
      const key = keyOf(sessionId, path);
      noted.delete(key);
      noted.set(key, { sessionId, path, digest, version });
      const [oldest] = noted.keys();
      if (noted.size > maxFiles && oldest !== undefined) noted.delete(oldest);
    },
    get: (sessionId, path) => noted.get(keyOf(sessionId, path))?.digest,
    paths(sessionId) {
      const files = [...noted.values()].filter((file) => file.sessionId === sessionId);
      return files.map(({ path }) => path).reverse();
    },
    see(sessionId, path, version) {
      const file = noted.get(keyOf(sessionId, path));
      if (!file) return null;
      const before = file.version;
      file.version = version;
      if (before === undefined || before === version) return null;
      if (version === null) return "unlink";
      return before === null ? "add" : "change";
    },
    endSession(sessionId) {
      for (const [key, file] of noted) {
        if (sessionId === undefined || file.sessionId === sessionId) noted.delete(key);
      }
    },
  };
}
