import { join, relative } from "node:path";
import { TimeSlices } from "./cooperative-yield.js";
import { createGlobMatcher, namesInGlob } from "./pattern/glob-pattern.js";
import type { SearchPattern } from "./pattern/search-pattern.js";
import { listFilesElsewhere, listMatchingFiles, type RipgrepSearch } from "./ripgrep.js";
import type { Pending, SearchSource } from "./walk/search-source.js";
import type { SkipRules } from "./walk/skip-rules.js";
import { SortedRuns } from "./walk/sorted-runs.js";
import { type FoundFile, walkFiles } from "./walk/walk-files.js";

/** These many files are searched at once, without ripgrep: enough to answer a search for something common. */
const FIRST_FILES = 1_024;
/** Elsewhere, not more than these are fetched all. */
const FEW_FILES = 200;

export interface CandidateSearch {
  readonly source: SearchSource;
  /** The real path of the directory to search. */
  readonly directory: string;
  readonly root: string;
  /** Globs a file has to match, all of them; those without `/` by its name, others by its path from `directory` or `root`. */
  readonly globs: readonly string[];
  readonly pattern: SearchPattern;
  /** On this machine; `null` also where it cannot reach the files. */
  readonly ripgrep: string | null;
  readonly signal: AbortSignal;
}

/**
 * Absolute paths of the files to search, in path order.
 *
 * With ripgrep: the first few as they come, then those ripgrep found meanwhile, so that both ways search the same files
 * in the same order and only skip those without a match.
 */
export async function* findCandidates(search: CandidateSearch): AsyncGenerator<string> {
  const asked = new Set(search.globs.flatMap((glob) => [...namesInGlob(glob)]));
  const { source, pattern } = search;
  const rules = await new TimeSlices(search.signal).waitFor(source.rules(search.directory, asked));
  const wants = createFilter(search);
  const walk = withPauses(walkFiles(source, rules, wants), search.signal);
  const absolute = (path: string) => join(search.directory, path);

  const { bulk } = source;
  const few = bulk ? FEW_FILES : FIRST_FILES;
  const first = await take(walk, few);
  const last = first.at(-1);
  // Ripgrep cannot be asked to search what is ignored but was asked for by name.
  if (
    (!search.ripgrep && !bulk) ||
    pattern.ripgrep === null ||
    asked.size > 0 ||
    first.length < few ||
    last === undefined
  ) {
    yield* first.map(absolute);
    for await (const path of walk) yield absolute(path);
    return;
  }
  const stop = new AbortController();
  const stopped = AbortSignal.any([stop.signal, search.signal]);
  const lastKey = bulk ? "" : sortKey(last);
  const others = new SortedRuns<string>((a, b) => (a < b ? -1 : 1));
  const keep = (path: string) => {
    const key = sortKey(path);
    if (key > lastKey && wants(path)) others.add(key);
  };
  // Without ripgrep the search is slower, and no different.
  const listing = listWithRipgrep(search, pattern.ripgrep, rules, stopped, keep).catch(() => false);
  try {
    if (!bulk) yield* first.map(absolute);
    const isListed = await listing;
    const slices = new TimeSlices(search.signal);
    for (const key of isListed ? others.sorted() : []) {
      if (slices.due()) await slices.pause();
      const path = key.replaceAll("\0", "/");
      if (!rules.skipsPath(path)) yield absolute(path);
    }
    if (!isListed && bulk) yield* first.map(absolute);
    if (!isListed) for await (const path of walk) yield absolute(path);
  } finally {
    stop.abort();
    await listing;
  }
}

/** Globs count for the name or, with a `/` in them, for the path from the searched directory or from the workspace. */
function createFilter({ globs, directory, root }: CandidateSearch): (path: string) => boolean {
  const prefix = relative(root, directory);
  const tests = globs.map((glob) => {
    const negative = glob.startsWith("!");
    const plain = withoutRoot(glob.replace(/^!/, ""), root).replace(/^\//, "").replace(/\/$/, "/**");
    const matches = createGlobMatcher(plain);
    const isMatch = plain.includes("/")
      ? (path: string) => matches(path) || matches(join(prefix, path))
      : (path: string) => matches(path.slice(path.lastIndexOf("/") + 1));
    return (path: string) => isMatch(path) !== negative;
  });
  return (path) => tests.every((test) => test(path));
}

/** A glob may be the absolute path of what it means. */
function withoutRoot(glob: string, root: string): string {
  return glob.startsWith(`${root}/`) ? glob.slice(root.length) : glob;
}

async function* withPauses(files: Iterable<FoundFile | Pending>, signal: AbortSignal): AsyncGenerator<string> {
  const slices = new TimeSlices(signal);
  for (const file of files) {
    if (slices.due()) await slices.pause();
    if (file instanceof Promise) await slices.waitFor(file);
    else if (file && !file.isLink) yield file.path;
  }
}

async function take(paths: AsyncGenerator<string>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const next = await paths.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

/** Whether ripgrep reported all files it found. */
async function listWithRipgrep(
  search: CandidateSearch,
  pattern: string,
  rules: SkipRules,
  signal: AbortSignal,
  onFile: (path: string) => void,
): Promise<boolean> {
  const { cwd, ignoreFile } = rules.outermost;
  const { flags } = search.pattern;
  const about: RipgrepSearch = {
    cwd,
    ignoreFile,
    directory: relative(cwd, search.directory),
    pattern,
    ignoreCase: flags.includes("i"),
    multiline: flags.includes("s"),
    globs: [...search.globs.slice(0, 1).flatMap(widened), ...rules.everywhere.map((name) => `!${name}`)],
    signal,
    onFile,
  };
  const { bulk } = search.source;
  return bulk ? listFilesElsewhere(bulk.narrow, about) : listMatchingFiles(search.ripgrep!, about);
}

/** A glob for ripgrep that lets at least as much pass: the last part, when both dialects read it alike. */
function widened(glob: string): string[] {
  const name = glob.slice(glob.lastIndexOf("/") + 1);
  return /^(?!!)(?:[\w.*-]|\{[\w.*-]+(?:,[\w.*-]+)+\})+$/.test(name) && !name.includes("**") ? [name] : [];
}

/** Sorts as paths do: by name, directory by directory. */
function sortKey(path: string): string {
  return path.replaceAll("/", "\0");
}
