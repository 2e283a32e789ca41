import { isHarnessError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";
import { digestOf } from "./checkpoint-content.js";
import type { CheckpointRecord } from "./checkpoint-record.js";
import { filesChangedSince } from "./checkpoint-since.js";

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
    return `sha256:${digestOf(await files.read(path))}`;
  } catch (error) {
    if (isHarnessError(error)) return null;
    throw error;
  }
}
