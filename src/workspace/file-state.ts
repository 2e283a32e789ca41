import type { FileNote, FileState, SeenPart } from "../contracts/workspace.js";
import { SeenLines } from "./seen-lines.js";

/** More files than a session works on. Beyond, the file noted longest ago is forgotten and has to be read again. */
const MAX_FILES = 20_000;

interface NotedFile {
  readonly sessionId: string;
  readonly path: string;
  readonly digest: string;
  /** `null` when it was gone, `undefined` when it is not known. */
  version: string | null | undefined;
  readonly seen: "all" | SeenLines;
  readonly how: FileNote | undefined;
}

/** The knowledge after a part of a content was seen, given the knowledge before it. */
function seenNow(part: SeenPart, digest: string, before: NotedFile | undefined): NotedFile["seen"] {
  if (part === "all") return "all";
  const hasSeenAll = before !== undefined && (before.seen === "all" || before.seen.unseen === null);
  if (part === "as before") return hasSeenAll ? "all" : new SeenLines();
  const isSame = before?.digest === digest;
  if (isSame && hasSeenAll) return "all";
  const lines = isSame && before.seen !== "all" ? before.seen : new SeenLines();
  lines.add(part);
  return lines;
}

/** File digests and versions per session, in memory, bounded over all sessions. */
export function createFileState(maxFiles = MAX_FILES): FileState {
  const noted = new Map<string, NotedFile>();
  const keyOf = (sessionId: string, path: string) => `${sessionId}\0${path}`;

  return {
    note(sessionId, path, digest, version, part = "all", how) {
      const key = keyOf(sessionId, path);
      const seen = seenNow(part, digest, noted.get(key));
      noted.delete(key);
      noted.set(key, { sessionId, path, digest, version, seen, how });
      const [oldest] = noted.keys();
      if (noted.size > maxFiles && oldest !== undefined) noted.delete(oldest);
    },
    get: (sessionId, path) => noted.get(keyOf(sessionId, path))?.digest,
    how: (sessionId, path) => noted.get(keyOf(sessionId, path))?.how,
    unseen(sessionId, path) {
      const seen = noted.get(keyOf(sessionId, path))?.seen;
      return seen instanceof SeenLines ? seen.unseen : null;
    },
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
