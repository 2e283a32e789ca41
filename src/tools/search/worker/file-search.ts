import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import type { FileAccess } from "../../../contracts/workspace.js";
import { LONGEST_TIMER_MS } from "../../../time/deadlines.js";
import { troubleOf } from "../walk/search-trouble.js";
import { ByteBridge } from "./byte-bridge.js";
import type { BytesRequest, FileMatch, GroupAnswer, SearchTask, WorkerTask } from "./search-task.js";
import { SEARCH_WORKER } from "./search-worker.js";

/** Files are handed out in groups: large enough to keep workers busy, small enough to stop soon. */
const GROUP = 64;
const MAX_WORKERS = 4;
/** Workers end at once, but for one that is compiling an expression: that one ends behind the answer. */
const END_MS = 500;

/** The time of a search was up before it had seen every file. */
export class SearchExpired extends Error {
  constructor(
    /** How many files had been searched for certain. */
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
  /** Default: as many as the machine has processors, at most 4. */
  readonly maxWorkers?: number | undefined;
  /** Reads the files. Default: they are on this machine's disk. */
  readonly files?: FileAccess | undefined;
}

/**
 * Searches files in worker threads and yields those that match, in the order of `findPaths`.
 *
 * Reads paths no faster than the workers search. Leaving the iteration ends the workers, also one that is lost in a
 * catastrophic pattern, and aborts the signal `findPaths` was given.
 *
 * @throws SearchExpired after `timeoutMs`, or the signal's reason
 */
export async function* searchFiles(
  findPaths: (signal: AbortSignal) => AsyncIterable<string>,
  task: SearchTask,
  options: FileSearchOptions,
): AsyncGenerator<FileMatch> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  const timer = setTimeout(() => stop.abort(), Math.min(options.timeoutMs, LONGEST_TIMER_MS));
  const workers = new WorkerPool(task, options);
  const groups = groupsOf(findPaths(signal));
  const searching: SearchedGroup[] = [];
  let upcoming: Promise<void> | undefined;
  let isLast = false;
  let searched = 0;

  const takeGroup = async () => {
    const group = await groups.next();
    upcoming = undefined;
    if (group.done) isLast = true;
    else searching.push(workers.search(group.value));
  };

  try {
    while (!isLast || searching.length > 0) {
      if (!isLast && searching.length < workers.capacity) upcoming ??= takeGroup();
      const [oldest] = searching;
      await Promise.race([ended, upcoming, oldest?.done].filter(Boolean));
      options.signal.throwIfAborted();
      if (signal.aborted) throw new SearchExpired(searched, oldest?.paths[0]);
      if (!oldest?.answer) continue;
      searching.shift();
      searched += oldest.answer.searched;
      yield* oldest.answer.matches;
      const rest = oldest.paths.slice(oldest.answer.searched);
      if (rest.length > 0) searching.unshift(workers.search(rest));
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
    await workers.end();
    // Whoever looks for paths was asked to stop; how it takes that matters no more.
    await Promise.allSettled([upcoming, groups.return(undefined)]);
  }
}

async function* groupsOf(paths: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let group: string[] = [];
  for await (const path of paths) {
    if (group.push(path) < GROUP) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** A group of files in the works: `answer` is set when `done` resolves. */
interface SearchedGroup {
  readonly paths: readonly string[];
  readonly done: Promise<void>;
  answer?: GroupAnswer;
}

/** Hands groups of files to workers in turn. A worker starts when the first group reaches it. */
class WorkerPool {
  readonly #size: number;
  /** Groups in the works: two for each worker, so that none waits for the next. */
  readonly capacity: number;
  readonly #workers: SearchWorker[] = [];
  #groups = 0;

  constructor(
    private readonly task: SearchTask,
    private readonly options: FileSearchOptions,
  ) {
    this.#size = Math.min(options.maxWorkers ?? MAX_WORKERS, availableParallelism());
    this.capacity = 2 * this.#size;
  }

  search(paths: readonly string[]): SearchedGroup {
    const id = this.#groups++;
    const slot = id % this.#size;
    this.#workers[slot] ??= startWorker(this.task, this.options.files);
    const { worker } = this.#workers[slot];
    const group: { -readonly [K in keyof SearchedGroup]: SearchedGroup[K] } = { paths, done: Promise.resolve() };
    group.done = new Promise((resolve, reject) => {
      const onError = (error: Error) => reject(troubleOf(error) ?? error);
      const onMessage = (message: { id: number; answer: GroupAnswer }) => {
        if (message.id !== id) return;
        group.answer = message.answer;
        worker.off("message", onMessage);
        worker.off("error", onError);
        resolve();
      };
      worker.on("message", onMessage);
      worker.on("error", onError);
    });
    // Whoever waits for the group learns of a failure; a search that ended early does not wait.
    group.done.catch(() => {});
    worker.postMessage({ id, paths });
    return group;
  }

  async end(): Promise<void> {
    const ended = Promise.all(this.#workers.map(({ worker }) => worker.terminate()));
    await withinMs(END_MS, ended);
    // A read that never ends must not hold up the search.
    for (const { bridge } of this.#workers) bridge?.close().catch(() => {});
  }
}

interface SearchWorker {
  readonly worker: Worker;
  readonly bridge?: ByteBridge;
}

function startWorker(task: SearchTask, files: FileAccess | undefined): SearchWorker {
  const bridge = files && new ByteBridge(files);
  const workerData: WorkerTask = { ...task, bridge: bridge?.shared };
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(SEARCH_WORKER, { eval: true, workerData, env: {}, execArgv: [] });
  worker.on("message", (message: BytesRequest | { readonly answer: GroupAnswer }) => {
    if (bridge && "bytesOf" in message) bridge.answer(message).catch((error) => worker.emit("error", error));
  });
  return { worker, bridge };
}

/** Waits for work to be done, but no longer than that. */
async function withinMs(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
