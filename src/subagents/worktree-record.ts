// What is known of each work tree, in a file beside it: written before the work tree is made, removed after it is gone.
// So whatever a crash leaves behind can be found, used again by the same call, and cleared away with its session.
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { entryPaths, writeAtomically } from "../files/atomic-write.js";

export interface WorktreeRecord {
  readonly v: 1;
  readonly id: string;
  readonly sessionId: string;
  /** The top directory of the repository. */
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  /** The commit that the work tree begins with, the parent's own uncommitted changes included. */
  readonly base: string;
  /** Made by a WorktreeCreate hook, which also removes it. */
  readonly isForeign: boolean;
}

const SUFFIX = ".worktree.json";

export async function writeRecord(dir: string, record: WorktreeRecord): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeAtomically(entryPaths(dir), record.id + SUFFIX, Buffer.from(`${JSON.stringify(record)}\n`));
}

export async function readRecord(dir: string, id: string): Promise<WorktreeRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(join(dir, id + SUFFIX), "utf8")) as WorktreeRecord;
    return record.v === 1 && record.id === id ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Those of one session. */
export async function readRecords(dir: string, sessionId: string): Promise<readonly WorktreeRecord[]> {
  const names = await readdir(dir).catch(() => []);
  const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
  const records = await Promise.all(ids.map((id) => readRecord(dir, id)));
  return records.flatMap((record) => (record?.sessionId === sessionId ? record : []));
}

export async function removeRecord(dir: string, { id }: WorktreeRecord): Promise<void> {
  await rm(join(dir, id + SUFFIX), { force: true });
}
