import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { mkdir, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ToolError } from "../contracts/errors.js";
import type { ArtifactRef, ArtifactStore } from "../contracts/workspace.js";
import { describeFileFailure } from "../files/file-failure.js";
import { sha256 } from "../files/sha256.js";
import { byDefault, checkOptions, FLAG, numberFrom, type OptionTable, PATH, required } from "../json/check-options.js";
import { keepInFile, type WrittenFile } from "./artifact-file.js";
import { removeAll } from "./remove-all.js";

/** Larger content keeps its head and tail. Unit: bytes. */
export const MAX_ARTIFACT_BYTES = 64 * 1024 * 1024;

/** Options of `createArtifactStore()`. */
export interface ArtifactStoreOptions {
  /** Made when the first artifact comes. Absolute and real. */
  readonly dir: string;
  /** At least 2. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * Artifacts outlive the process, as the sessions of a file store do: `close` leaves them, any process that keeps in the
   * same directory finds them, and `endSession` removes them. Default: `false`.
   */
  readonly keep?: boolean | undefined;
}

const OPTIONS = {
  dir: required(PATH),
  maxBytes: byDefault(MAX_ARTIFACT_BYTES, numberFrom(2, "bytes")),
  keep: byDefault(false, FLAG),
} satisfies OptionTable<ArtifactStoreOptions>;

/**
 * Keeps artifacts as files in one directory, named by the digest of what is kept.
 *
 * Content over the limit keeps head and tail with a line between that says how much there was. Streamed content goes to
 * disk as it comes, so that memory stays flat. An artifact is removed when the last session that put it ends, and a session's
 * directory for temporary files with the session; `close` removes the directory, unless artifacts are to be kept.
 *
 * @throws ToolError `PATH_NOT_FOUND` from `get` for an unknown id
 */
export function createArtifactStore(
  options: ArtifactStoreOptions,
): ArtifactStore &
  Required<Pick<ArtifactStore, "putStream" | "directoryOf" | "directory">> & { close(): Promise<void> } {
  const { dir, maxBytes, keep } = checkOptions("createArtifactStore()", options, OPTIONS);
  const references = keep ? new ArtifactReferences(dir) : undefined;
  const kept = new Map<string, { readonly ref: ArtifactRef; readonly sessions: Set<string> }>();

  async function putStream(
    content: AsyncIterable<Uint8Array> | readonly Uint8Array[],
    { sessionId, mediaType = "text/plain" }: { readonly sessionId: string; readonly mediaType?: string },
  ): Promise<ArtifactRef> {
    try {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      return await keepInFile(content, { dir, maxBytes, place: (file) => place(file, { sessionId, mediaType }) });
    } catch (error) {
      throw unkept(error);
    }
  }

  // Naming a file and noting who keeps it are one step, as are forgetting and removing it: in between, another session
  // could end, or put the same. The disk answers such calls at once.
  function place(
    file: WrittenFile,
    { sessionId, mediaType }: { readonly sessionId: string; readonly mediaType: string },
  ) {
    const { id, bytes, temporaryPath } = file;
    const path = join(dir, `${id}.${mediaType.startsWith("text/") ? "txt" : "bin"}`);
    const known = kept.get(id) ?? { ref: { id, path, bytes, mediaType }, sessions: new Set() };
    renameSync(temporaryPath, known.ref.path);
    if (!known.sessions.has(sessionId)) references?.add(sessionId, known.ref.path);
    known.sessions.add(sessionId);
    kept.set(id, known);
    return known.ref;
  }

  const directoryOf = (sessionId: string) => join(dir, `${sha256(sessionId)}.temporary`);

  return {
    put: (content, about) => putStream([typeof content === "string" ? Buffer.from(content) : content], about),
    putStream,
    async get(id) {
      const path = kept.get(id)?.ref.path ?? references?.find(id);
      if (path === undefined) throw unknown(id);
      return readFile(path).catch((error) => {
        throw error?.code === "ENOENT" ? unknown(id) : error;
      });
    },
    async endSession(sessionId) {
      for (const [id, { ref, sessions }] of kept) {
        if (!sessions.delete(sessionId) || sessions.size > 0) continue;
        kept.delete(id);
        if (!references) rmSync(ref.path, { force: true });
      }
      references?.endSession(sessionId);
      await removeAll(directoryOf(sessionId));
    },
    directoryOf,
    directory: dir,
    async close() {
      kept.clear();
      if (!keep) await removeAll(dir);
    },
  };
}

/** A store of a workspace's own. Its directory's name cannot be guessed; the directory is made when the first artifact comes. */
export async function temporaryArtifacts() {
  const dir = join(await realpath(tmpdir()), `loopwright-artifacts-${randomBytes(12).toString("hex")}`);
  return createArtifactStore({ dir });
}

/** Errors of the content's own source are passed on. */
function unkept(error: unknown): unknown {
  const why = describeFileFailure(error);
  if (why === undefined) return error;
  return new ToolError("TOOL_FAILED", { message: `The artifact could not be kept: ${why}.`, cause: error });
}

function unknown(id: string): ToolError {
  return new ToolError("PATH_NOT_FOUND", {
    message: `There is no artifact "${id}". It may have been removed with its session.`,
    details: { id },
  });
}

// The artifacts that each session names, on disk: one small file for each session, so that any process can end a session
// that another one began.

const SUFFIX = ".session";
const ENDINGS = [".txt", ".bin"];

class ArtifactReferences {
  constructor(private readonly dir: string) {}

  /** Notes that a session names an artifact. */
  add(sessionId: string, path: string): void {
    appendFileSync(this.#fileOf(sessionId), `${basename(path)}\n`, { mode: 0o600 });
  }

  /** The place of an artifact that another process has put; `undefined` for one that does not exist. */
  find(id: string): string | undefined {
    if (!/^[\w-]+$/.test(id)) return undefined;
    return ENDINGS.map((ending) => join(this.dir, `${id}${ending}`)).find((path) => existsSync(path));
  }

  /** Removes what no other session names. */
  endSession(sessionId: string): void {
    const file = this.#fileOf(sessionId);
    const own = namesIn(file);
    rmSync(file, { force: true });
    if (own.size === 0) return;
    const others = readdirSync(this.dir).filter((name) => name.endsWith(SUFFIX));
    const named = new Set(others.flatMap((name) => [...namesIn(join(this.dir, name))]));
    for (const name of own) if (!named.has(name)) rmSync(join(this.dir, name), { force: true });
  }

  #fileOf(sessionId: string): string {
    // A digest is no path, whatever is in the id.
    return join(this.dir, `${sha256(sessionId)}${SUFFIX}`);
  }
}

function namesIn(file: string): Set<string> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return new Set(); // A session without artifacts.
  }
  // A line that was cut off by a crash names nothing, and nothing outside the directory is ever named.
  return new Set(text.split("\n").filter((name) => /^[\w-]+\.(?:txt|bin)$/.test(name)));
}
