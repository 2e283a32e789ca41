import type { DirectoryEntry, Pending, SearchSource } from "./search-source.js";
import type { SkipRules } from "./skip-rules.js";

/** Entries looked at without a stop. */
const PIECE = 256;

/** A file or symbolic link below the base directory. */
export interface FoundFile {
  /** Relative to the base directory, with `/`. */
  readonly path: string;
  readonly isLink: boolean;
}

/**
 * The files below `rules.base` that are not skipped, in path order: by name, directory by directory.
 *
 * Reads one directory at a time, when the consumer gets there, so stopping early costs nothing. Yields `null` after
 * each directory and within large ones, so that its consumer can pause, and promises that it has to wait for (`TimeSlices`). Links to directories are not followed, and directories that cannot be read count as empty.
 *
 * @param wants asked first for the path of each file, since ignore rules cost more
 * @param maxDepth how many directories deep files may lie; 1 is the base directory itself
 */
export function* walkFiles(
  source: Pick<SearchSource, "readDirectory">,
  rules: SkipRules,
  wants: (path: string) => boolean,
  maxDepth = Number.POSITIVE_INFINITY,
): Generator<FoundFile | Pending> {
  const start = yield* source.readDirectory(rules.base);
  const open = [{ rules: rules.start, prefix: "", entries: start.entries[Symbol.iterator]() }];
  let steps = 0;
  for (let directory = open.at(-1); directory; directory = open.at(-1)) {
    if (++steps % PIECE === 0) yield null;
    const { value: entry } = directory.entries.next() as { value: DirectoryEntry | undefined };
    if (!entry) {
      open.pop();
    } else if (!entry.isDirectory()) {
      const path = directory.prefix + entry.name;
      const isLink = entry.isSymbolicLink();
      const isWanted = (isLink || entry.isFile()) && wants(path) && !rules.skips(directory.rules, entry.name, false);
      if (isWanted) yield { path, isLink };
    } else if (open.length < maxDepth && !rules.skips(directory.rules, entry.name, true)) {
      const inside = yield* source.readDirectory(`${directory.rules.directory}/${entry.name}`);
      const inner = rules.enter(directory.rules, entry.name, inside);
      const prefix = `${directory.prefix}${entry.name}/`;
      if (inner) open.push({ rules: inner, prefix, entries: inside.entries[Symbol.iterator]() });
      yield null;
    }
  }
}
