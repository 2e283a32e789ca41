import { type Dirent, existsSync, opendirSync, readdirSync, statSync } from "node:fs";
import type { SkipRules } from "./skip-rules.js";
import { SortedRuns } from "./sorted-runs.js";

/** Larger folders hold some thousand files and are read in pieces. Unit: bytes of the folder itself. */
const LARGE_FOLDER_BYTES = 64 * 1024;
/** Entries looked at without a stop. */
const PIECE = 256;

/** A file or symbolic link below the base folder. */
export interface FoundFile {
  /** Relative to the base folder, with `/`. */
  readonly path: string;
  readonly isLink: boolean;
}

/**
 * The files below `rules.base` that are not skipped, in path order: by name, folder by folder.
 *
 * Reads one folder at a time, when the consumer gets there, so stopping early costs nothing. Synchronous, since that is
 * a third faster; it yields `null` after each folder and within large ones, so that its consumer can pause
 * (`TimeSlices`). Links to folders are not followed, and folders that cannot be read count as empty.
 *
 * @param wants asked first for the path of each file, since ignore rules cost more
 * @param maxDepth how many folders deep files may lie; 1 is the base folder itself
 */
export function* walkFiles(
  rules: SkipRules,
  wants: (path: string) => boolean,
  maxDepth = Number.POSITIVE_INFINITY,
): Generator<FoundFile | null> {
  const start = yield* readFolder(rules.base);
  const open = [{ rules: rules.start, prefix: "", entries: start.entries[Symbol.iterator]() }];
  let steps = 0;
  for (let folder = open.at(-1); folder; folder = open.at(-1)) {
    if (++steps % PIECE === 0) yield null;
    const { value: entry } = folder.entries.next() as { value: Dirent | undefined };
    if (!entry) {
      open.pop();
    } else if (!entry.isDirectory()) {
      const path = folder.prefix + entry.name;
      const isLink = entry.isSymbolicLink();
      const isWanted = (isLink || entry.isFile()) && wants(path) && !rules.skips(folder.rules, entry.name, false);
      if (isWanted) yield { path, isLink };
    } else if (open.length < maxDepth && !rules.skips(folder.rules, entry.name, true)) {
      const { entries, has } = yield* readFolder(`${folder.rules.folder}/${entry.name}`);
      const inner = rules.enter(folder.rules, entry.name, has);
      const prefix = `${folder.prefix}${entry.name}/`;
      if (inner) open.push({ rules: inner, prefix, entries: entries[Symbol.iterator]() });
      yield null;
    }
  }
}

interface Folder {
  /** By name. */
  readonly entries: Iterable<Dirent>;
  has(name: string): boolean;
}

function* readFolder(folder: string): Generator<null, Folder> {
  try {
    if (statSync(folder).size > LARGE_FOLDER_BYTES) return yield* readLargeFolder(folder);
    const entries = readdirSync(folder, { withFileTypes: true }).sort(byName);
    return { entries, has: (name) => entries.some((entry) => entry.name === name) };
  } catch {
    return { entries: [], has: () => false };
  }
}

function* readLargeFolder(folder: string): Generator<null, Folder> {
  const entries = new SortedRuns<Dirent>(byName);
  const directory = opendirSync(folder, { bufferSize: PIECE });
  try {
    let count = 0;
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
      entries.add(entry);
      if (++count % PIECE === 0) yield null;
    }
  } finally {
    directory.closeSync();
  }
  return { entries: entries.sorted(), has: (name) => existsSync(`${folder}/${name}`) };
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}
