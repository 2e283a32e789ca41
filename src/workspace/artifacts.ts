import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../contracts/errors.js";
import type { ArtifactRef, ArtifactStore } from "../contracts/workspace.js";

/** Larger content keeps its head and tail. Unit: bytes. */
export const MAX_ARTIFACT_BYTES = 64 * 1024 * 1024;

export interface ArtifactStoreOptions {
  /** Made when the first artifact comes. Absolute and real. */
  readonly dir: string;
  /** Default: 64 MiB. */
  readonly maxBytes?: number;
}

/**
 * Keeps artifacts as files in one folder, named by the digest of their content.
 *
 * Content over the limit keeps head and tail with a line between that says how much is missing. An artifact is removed
 * when the last session that put it ends; `close` removes the folder.
 *
 * @throws ToolError `PATH_NOT_FOUND` from `get` for an unknown id
 */
export function createArtifactStore(options: ArtifactStoreOptions): ArtifactStore & { close(): Promise<void> } {
  const { dir, maxBytes = MAX_ARTIFACT_BYTES } = options;
  const kept = new Map<string, { readonly ref: ArtifactRef; readonly sessions: Set<string> }>();

  return {
    async put(content, { sessionId, mediaType = "text/plain" }) {
      const whole = typeof content === "string" ? Buffer.from(content) : content;
      const id = createHash("sha256").update(whole).digest("hex");
      const bytes = bounded(whole, maxBytes);
      const path = join(dir, `${id}.${mediaType.startsWith("text/") ? "txt" : "bin"}`);
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeInOneStep(path, bytes);
      const known = kept.get(id) ?? { ref: { id, path, bytes: whole.length, mediaType }, sessions: new Set() };
      known.sessions.add(sessionId);
      kept.set(id, known);
      return known.ref;
    },
    async get(id) {
      const known = kept.get(id);
      if (!known) throw unknown(id);
      return readFile(known.ref.path);
    },
    async endSession(sessionId) {
      for (const [id, { ref, sessions }] of kept) {
        if (!sessions.delete(sessionId) || sessions.size > 0) continue;
        kept.delete(id);
        await rm(ref.path, { force: true });
      }
    },
    async close() {
      kept.clear();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

let writes = 0;

async function writeInOneStep(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${++writes}.tmp`;
  try {
    await writeFile(temporary, bytes, { mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function bounded(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  const note = Buffer.from(`\n[… ${bytes.length} bytes in all; the middle was not kept …]\n`);
  const room = Math.max(0, maxBytes - note.length);
  const head = characterStart(bytes, Math.ceil(room / 2));
  const tail = characterStart(bytes, bytes.length - Math.floor(room / 2));
  return Buffer.concat([bytes.subarray(0, head), note, bytes.subarray(tail)]);
}

/** The start of the UTF-8 character that byte `index` is in. */
function characterStart(bytes: Uint8Array, index: number): number {
  let start = index;
  while (start > index - 4 && start > 0 && (bytes[start]! & 0xc0) === 0x80) start--;
  return start;
}

function unknown(id: string): ToolError {
  return new ToolError("PATH_NOT_FOUND", {
    message: `There is no artifact "${id}". It may have been removed with its session.`,
    details: { id },
  });
}
