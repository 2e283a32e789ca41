import { dirname } from "node:path";
import { isHarnessError, SandboxError } from "../contracts/errors.js";
import type { OpenFile, Workspace } from "../contracts/workspace.js";
import type { ProjectEntry, ProjectFiles } from "../files/project-files.js";
import { diskFiles, ProjectFileError } from "../files/project-files.js";

/** The limit of all files together that configure one agent. Unit: bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 10_000;
const PIECE_BYTES = 64 * 1024;
const missing = () => new ProjectFileError("missing", "it is not there");
const noFile = () => new ProjectFileError("not a file", "it is not a file");

/**
 * The files of a workspace as those that configure an agent: for `instructionFiles()`, `loadSkills()`, `loadSubagents()`,
 * `loadSettings()` and `loadMcpConfig()`.
 *
 * Unless they are on this machine's disk, each is read once and stays as it was then: what an agent writes later becomes no
 * rule, skill or instruction of the same agent. More than 16 MB, or 10,000 names in one directory, are not read.
 */
export function projectFiles({ files }: Workspace): ProjectFiles {
  if (files.onDisk) return diskFiles;
  let left = MAX_BYTES;

  async function entriesIn(directory: string): Promise<readonly ProjectEntry[]> {
    const entries = await files.list(directory).catch(() => []);
    return entries.slice(0, MAX_ENTRIES);
  }

  async function realPathOf(path: string): Promise<string> {
    const real = await files.resolve(path, "read").catch(async (cause) => {
      throw (await isBelowFile(path)) ? missing() : cause;
    });
    await files.stat(real);
    return real;
  }

  async function isBelowFile(path: string): Promise<boolean> {
    for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
      const about = await files.stat(above).catch(() => null);
      if (about) return about.kind !== "directory";
    }
    return false;
  }

  async function contentOf(path: string, maxBytes: number) {
    const file = await files.open(path);
    try {
      const { kind, size } = file.stat;
      if (kind !== "file") throw noFile();
      left -= Math.min(size, maxBytes);
      if (left < 0)
        throw new ProjectFileError("unreadable", `it was not read: all files take over ${MAX_BYTES} bytes; keep fewer`);
      return { bytes: await startOf(file, Math.min(size, maxBytes)), size };
    } finally {
      await file.close();
    }
  }

  return {
    list: once(entriesIn),
    realPath: once(realPathOf),
    read: once(contentOf),
  };
}

/** Asks for each answer once, also when several ask at a time. A failure is an answer. */
function once<Asked extends readonly (string | number)[], T>(
  ask: (...asked: Asked) => Promise<T>,
): (...asked: Asked) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (...asked) => {
    const key = JSON.stringify(asked);
    const answer =
      answers.get(key) ??
      ask(...asked).catch((cause) => {
        throw troubleOf(cause);
      });
    answers.set(key, answer);
    return answer;
  };
}

function troubleOf(cause: unknown): ProjectFileError {
  if (cause instanceof ProjectFileError) return cause;
  if (!isHarnessError(cause)) return new ProjectFileError("unreadable", `it cannot be read (${String(cause)})`);
  if (cause instanceof SandboxError && cause.code === "PATH_OUTSIDE") {
    return new ProjectFileError("outside", "it is a link that leads out of the workspace, so it was not read");
  }
  if (cause.code === "PATH_NOT_FOUND") return missing();
  if (cause.code === "FILE_UNSUPPORTED") return noFile();
  return new ProjectFileError("unreadable", `it cannot be read (${cause.code})`);
}

async function startOf(file: OpenFile, count: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let position = 0;
  while (position < count) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, count - position));
    const read = await file.read(piece, position);
    if (read <= 0) break;
    pieces.push(piece.subarray(0, read));
    position += read;
  }
  return Buffer.concat(pieces);
}
