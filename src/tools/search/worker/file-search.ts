import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { isHarnessError } from "../../../contracts/errors.js";
import type { FileAccess } from "../../../contracts/workspace.js";
import { LONGEST_TIMER_MS } from "../../../time/deadlines.js";
import { TimeSlices } from "../cooperative-yield.js";
import { invalidPattern } from "../pattern/search-pattern.js";
import type { BulkReader } from "../walk/search-source.js";
import { troubleOf } from "../walk/search-trouble.js";
import { MAX_SEARCHED_BYTES, SEARCH_WORKER } from "./search-worker.js";

/** Files searched together: large enough to keep the worker busy, small enough to stop soon. */
const GROUP = 256;
/** The worker ends at once, but for one that is compiling an expression: that one ends behind the answer. */
const END_MS = 500;
/** Unit: bytes. */
const PIECE_BYTES = 1024 * 1024;
/** Files elsewhere that are fetched at once, and their bytes together, unless one has more. */
const MAX_FETCHED = 4_096;
const FETCHED_BYTES = 8 * 1024 * 1024;

/** A search, and the part of its matches that is reported. */
export interface SearchTask {
  /** As it was given, for errors. */
  readonly pattern: string;
  readonly source: string;
  readonly flags: string;
  readonly multiline: boolean;
  /** The expression for a whole text, where that is tried before its lines. */
  readonly whole: string | null;
  readonly namesReturn: boolean;
  /** `files` stops at a file's first match, `count` counts its matches, `content` collects lines. */
  readonly mode: "files" | "count" | "content";
  readonly before: number;
  readonly after: number;
  /** Lines collected of one file at most. */
  readonly maxLines: number;
}

/** Number, whether it matches, and text of a line. */
export type FoundLine = readonly [number: number, matches: boolean, text: string];

export interface FileMatch {
  readonly path: string;
  /** Matching lines, or matches in a multiline search; 1 in mode `files`. */
  readonly count: number;
  readonly lines: readonly FoundLine[];
  /** Not searched, since it is larger than `MAX_SEARCHED_BYTES`. */
  readonly isTooLarge: boolean;
}

/** The worker's answer to a group: it ends early, with fewer `searched`, when it grows too large for one message. */
interface GroupAnswer {
  readonly matches: readonly FileMatch[];
  readonly searched: number;
  /** The reason why the expression cannot be used after all. */
  readonly problem?: string;
}

/** A file to search: the worker reads it from the disk unless its bytes come along. */
interface SearchedFile {
  readonly path: string;
  readonly bytes?: Uint8Array;
  /** Larger than what is searched: only the beginning came. */
  readonly isTooLarge?: boolean;
}

/** The time of a search was up before it had seen every file. */
export class SearchExpired extends Error {
  constructor(
    /** The number of files that had been searched for certain. */
    readonly searched: number,
    /** The first file that had not. */
    readonly next: string | undefined,
  ) {
    super("The time of the search is up.");
  }
}

export interface FileSearchOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Reads the files. Default: they are on this machine's disk. */
  readonly files?: FileAccess | undefined;
  /** Reads many of them at once. */
  readonly bulk?: BulkReader | undefined;
}

/**
 * Searches files in a worker thread and yields those that match, in the order of `findPaths`.
 *
 * Reads paths no faster than the worker searches. Leaving the iteration ends the worker, also one that is lost in a
 * catastrophic pattern, and aborts the signal `findPaths` was given.
 *
 * @throws SearchExpired after `timeoutMs`, ToolError `PATTERN_INVALID` for an expression that is too large to be searched
 * for, or the signal's reason
 */
export async function* searchFiles(
  findPaths: (signal: AbortSignal) => AsyncIterable<string>,
  task: SearchTask,
  { timeoutMs, signal, files, bulk }: FileSearchOptions,
): AsyncGenerator<FileMatch> {
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  const timer = setTimeout(() => stop.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
  const slices = new TimeSlices(stopped);
  const groups = bulk
    ? fetchedGroups(findPaths(stopped), { files: files!, bulk, slices })
    : groupsOf(findPaths(stopped), files, slices);
  let worker: Worker | undefined;
  let searched = 0;
  let rest: readonly SearchedFile[] = [];

  try {
    for (let upcoming = groups.next(); ; ) {
      const group = await slices.waitFor(upcoming);
      if (group.done) return;
      rest = group.value;
      worker ??= startWorker(task);
      upcoming = groups.next();
      // Its failure is reported when its turn comes.
      upcoming.catch(() => {});
      while (rest.length > 0) {
        const answer = await slices.waitFor(askWorker(worker, rest));
        rest = rest.slice(answer.searched);
        searched += answer.searched;
        yield* answer.matches;
        if (answer.problem) throw tooMuch(task, answer.problem);
      }
    }
  } catch (error) {
    if (stop.signal.aborted && !signal.aborted) throw new SearchExpired(searched, rest[0]?.path);
    throw error;
  } finally {
    clearTimeout(timer);
    stop.abort();
    await Promise.race([worker?.terminate(), wait(END_MS, undefined, { ref: false })]);
    // The search for paths was asked to stop; whether it fails then does not matter.
    await groups.return(undefined).catch(() => {});
  }
}

function tooMuch({ pattern }: SearchTask, problem: string): Error {
  const advice = "write smaller counts, and [\\s\\S]* or [^x]* in place of groups that are repeated";
  return invalidPattern(pattern, `it is too much for the engine (${problem}); ${advice}`);
}

function startWorker(task: SearchTask): Worker {
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(SEARCH_WORKER, { eval: true, workerData: task, env: {}, execArgv: [] });
  // A failure ends the wait for an answer; where nothing waits, nothing is lost.
  worker.on("error", () => {});
  return worker;
}

async function askWorker(worker: Worker, files: readonly SearchedFile[]): Promise<GroupAnswer> {
  const answered = once(worker, "message");
  worker.postMessage(files);
  const [answer] = await answered.catch((error) => {
    throw troubleOf(error) ?? error;
  });
  return answer;
}

async function* groupsOf(
  paths: AsyncIterable<string>,
  files: FileAccess | undefined,
  slices: TimeSlices,
): AsyncGenerator<readonly SearchedFile[]> {
  let group: SearchedFile[] = [];
  for await (const path of paths) {
    const file = files ? await slices.waitFor(readFile(files, path)) : { path };
    if (file === null) continue;
    if (group.push(file) < GROUP && !files) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

interface Fetching {
  readonly files: FileAccess;
  readonly bulk: BulkReader;
  readonly slices: TimeSlices;
}

/** Files that are elsewhere, in their order, as many at once as one answer holds. */
async function* fetchedGroups(paths: AsyncIterable<string>, fetching: Fetching): AsyncGenerator<SearchedFile[]> {
  let group: string[] = [];
  let bytes = 0;
  for await (const path of paths) {
    const known = fetching.bulk.sizeOf(path) ?? 0;
    const size = known <= MAX_SEARCHED_BYTES ? known : 0;
    if (group.length === MAX_FETCHED || (group.length > 0 && bytes + size > FETCHED_BYTES)) {
      yield await fetched(group, fetching);
      [group, bytes] = [[], 0];
    }
    group.push(path);
    bytes += size;
  }
  if (group.length > 0) yield await fetched(group, fetching);
}

/** A file of unknown size, or too large a one, is opened by itself. */
async function fetched(paths: readonly string[], { files, bulk, slices }: Fetching): Promise<SearchedFile[]> {
  const sizes = new Map(paths.map((path) => [path, bulk.sizeOf(path) ?? Number.POSITIVE_INFINITY]));
  const wanted = paths.filter((path) => sizes.get(path)! <= MAX_SEARCHED_BYTES);
  const maxBytes = wanted.reduce((sum, path) => sum + sizes.get(path)!, 0);
  const contents = wanted.length > 0 ? await slices.waitFor(bulk.read(wanted, maxBytes)) : new Map();
  const group: SearchedFile[] = [];
  for (const path of paths) {
    const bytes = contents.get(path);
    const isWanted = sizes.get(path)! <= MAX_SEARCHED_BYTES;
    const file = isWanted ? bytes && { path, bytes } : await slices.waitFor(readFile(files, path));
    if (file) group.push(file);
  }
  return group;
}

/** A file with its bytes; `null` for one that cannot be read. @throws other failures */
async function readFile(files: FileAccess, path: string): Promise<SearchedFile | null> {
  try {
    const file = await files.open(path);
    try {
      // Under this path there is another file by now: a link was put in its place.
      if (file.path !== path) return null;
      const isTooLarge = file.stat.size > MAX_SEARCHED_BYTES;
      const pieces: Uint8Array[] = [];
      for (let position = 0; position <= (isTooLarge ? 0 : MAX_SEARCHED_BYTES); ) {
        const piece = new Uint8Array(PIECE_BYTES);
        const count = await file.read(piece, position);
        if (count === 0) break;
        pieces.push(piece.subarray(0, count));
        position += count;
      }
      return { path, bytes: Buffer.concat(pieces), isTooLarge };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isHarnessError(error)) return null;
    throw error;
  }
}
