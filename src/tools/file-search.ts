import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type FileMatch, SEARCH_WORKER, type SearchTask } from "./search-worker.js";

/** Files are handed out in groups: large enough to keep workers busy, small enough to stop soon. */
const GROUP = 64;
const MAX_WORKERS = 4;

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

/**
 * Searches files in worker threads and yields those that match, in the order of `paths`.
 *
 * Reads `paths` no faster than the workers search; leaving the iteration ends the workers, also one that is lost in a
 * catastrophic pattern.
 *
 * @throws SearchExpired after `timeoutMs`, or the signal's reason
 */
export async function* searchFiles(
  paths: AsyncIterable<string>,
  task: SearchTask,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): AsyncGenerator<FileMatch> {
  const groups = groupsOf(paths);
  const workers = new WorkerPool(task);
  const stop = new AbortController();
  const timer = setTimeout(() => workers.end(), options.timeoutMs);
  const pending: { readonly paths: readonly string[]; readonly matches: Promise<readonly FileMatch[] | null> }[] = [];
  const onAbort = () => workers.end();
  options.signal.addEventListener("abort", onAbort, { signal: stop.signal });
  let searched = 0;
  try {
    for (let more = true; more || pending.length > 0; ) {
      while (more && pending.length < workers.capacity) {
        const group = await groups.next();
        if (group.done) more = false;
        else pending.push({ paths: group.value, matches: workers.search(group.value) });
      }
      const group = pending.shift();
      if (!group) continue;
      const matches = await group.matches;
      options.signal.throwIfAborted();
      if (!matches) throw new SearchExpired(searched, group.paths[0]);
      searched += group.paths.length;
      yield* matches;
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
    await Promise.all([workers.end(), groups.return(undefined)]);
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

/** Hands groups of files to workers in turn. A worker starts when the first group reaches it. */
class WorkerPool {
  readonly #size = Math.min(MAX_WORKERS, availableParallelism());
  /** Groups in the works: two for each worker, so that none waits for the next. */
  readonly capacity = 2 * this.#size;
  readonly #workers: Worker[] = [];
  readonly #waiting = new Map<number, (matches: readonly FileMatch[] | null) => void>();
  readonly #failing = new Map<number, (error: Error) => void>();
  #groups = 0;
  #ended = false;

  constructor(private readonly task: SearchTask) {}

  /** The matches of a group, in order; `null` once the pool has ended. */
  search(paths: readonly string[]): Promise<readonly FileMatch[] | null> {
    if (this.#ended) return Promise.resolve(null);
    const id = this.#groups++;
    const slot = id % this.#size;
    this.#workers[slot] ??= this.#start();
    this.#workers[slot].postMessage({ id, paths });
    const matches = new Promise<readonly FileMatch[] | null>((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#failing.set(id, reject);
    });
    matches.catch(() => {});
    return matches;
  }

  async end(): Promise<void> {
    this.#ended = true;
    for (const resolve of this.#waiting.values()) resolve(null);
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = new Worker(SEARCH_WORKER, { eval: true, workerData: this.task, env: {}, execArgv: [] });
    worker.on("message", ({ id, matches }: { id: number; matches: readonly FileMatch[] }) => {
      this.#waiting.get(id)?.(matches);
      this.#waiting.delete(id);
      this.#failing.delete(id);
    });
    worker.on("error", (error) => {
      for (const reject of this.#failing.values()) reject(error);
    });
    return worker;
  }
}
