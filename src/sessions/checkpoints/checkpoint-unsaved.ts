import { join } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { FileAccess, Workspace } from "../../contracts/workspace.js";
import { sha256 } from "../../files/sha256.js";
import type { CheckpointRecord } from "./checkpoint-record.js";

/** A file that was changed or removed and of which nothing was kept. */
export interface UnkeptChange {
  /** Absolute. */
  readonly path: string;
  readonly change: "change" | "unlink";
}

/** Larger files are distinguished by their version, as file tools do. */
const MAX_DIGESTED_BYTES = 16 * 1024 * 1024;
/** As many as a session works on; beyond, the newest. */
const MAX_COMPARED = 500;

/**
 * Compares what the session knows of files it did not change with what they are, and finds the others that were written
 * `since` a moment. Which of them a command of the session wrote, and which somebody else, is not known.
 */
export async function findUnkept(
  workspace: Workspace,
  sessionId: string,
  records: readonly CheckpointRecord[],
  since: number,
): Promise<UnkeptChange[]> {
  const { fileState, files, root } = workspace;
  const own = new Set(records.flatMap(({ steps }) => steps.map(({ path }) => path)));
  const changed: UnkeptChange[] = [];
  const others = fileState.paths(sessionId).filter((path) => !own.has(path));
  for (const path of others.slice(0, MAX_COMPARED)) {
    const known = fileState.get(sessionId, path);
    const now = await digestNow(workspace, path);
    if (known !== undefined && known !== now) changed.push({ path, change: now === null ? "unlink" : "change" });
  }
  const compared = new Set([...own, ...others]);
  const written = (await filesChangedSince(files, root, since)).filter((path) => !compared.has(path));
  return [...changed, ...written.slice(0, MAX_COMPARED).map((path) => ({ path, change: "change" as const }))];
}

/** As file tools note it: of large files the version alone. */
async function digestNow({ files }: Workspace, path: string): Promise<string | null> {
  try {
    const { size, version } = await files.stat(path);
    if (size > MAX_DIGESTED_BYTES) return `version:${version}`;
    return `sha256:${sha256(await files.read(path))}`;
  } catch (error) {
    if (isHarnessError(error)) return null;
    throw error;
  }
}

/** Directories that tools of their own keep: what is in them is not the user's work. */
const NOT_LOOKED_INTO = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"]);
/** Files and directories that are looked at, breadth first: a rewind may take a second, not minutes. */
const MAX_LOOKED_AT = 20_000;
const AT_ONCE = 32;

/**
 * Files under `root` that were written after a moment, in the order of their paths. Links are not followed; what cannot
 * be read is passed over.
 *
 * `since`: milliseconds since the epoch.
 */
async function filesChangedSince(files: FileAccess, root: string, since: number): Promise<string[]> {
  const changed: string[] = [];
  const directories = [root];
  let looked = 0;
  for (
    let directory = directories.shift();
    directory !== undefined && looked < MAX_LOOKED_AT;
    directory = directories.shift()
  ) {
    const here = directory;
    const entries = (await files.list(here).catch(none)).slice(0, MAX_LOOKED_AT - looked);
    looked += entries.length;
    for (const { name, kind } of entries) {
      if (kind === "directory" && !NOT_LOOKED_INTO.has(name)) directories.push(join(here, name));
    }
    const names = entries.filter(({ kind }) => kind === "file").map(({ name }) => join(here, name));
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const some = names.slice(at, at + AT_ONCE);
      const times = await Promise.all(some.map((path) => files.stat(path).catch(nothing)));
      changed.push(...some.filter((_, index) => Math.floor(times[index]?.mtimeMs ?? 0) > since));
    }
  }
  return changed.sort();
}

function none(error: unknown): [] {
  if (!isHarnessError(error)) throw error;
  return [];
}

function nothing(error: unknown): null {
  if (!isHarnessError(error)) throw error;
  return null;
}
