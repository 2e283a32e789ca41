import { Mutex } from "async-mutex";
import type { Runtime } from "../contracts/runtime.js";
import type { Task, TaskStore } from "../contracts/task.js";
import { checkOptions, type OptionTable, withMethods } from "../json/check-options.js";
import { ShelfTaskStore } from "./shelf-task-store.js";
import { taskNotFound } from "./task-errors.js";
import { TaskFeed } from "./task-feed.js";
import type { TaskShelf } from "./task-shelf.js";

/** Options of `createMemoryTaskStore()`. */
export interface MemoryTaskStoreOptions {
  /** The clock of leases. Default: the system's. */
  readonly runtime?: Pick<Runtime, "now"> | undefined;
}

const OPTIONS = { runtime: withMethods("now") } satisfies OptionTable<MemoryTaskStoreOptions>;

/**
 * Keeps tasks in this process, for as long as it lives.
 *
 * @throws ConfigurationError `OPTION_INVALID` for an option it does not know
 */
export function createMemoryTaskStore(options: MemoryTaskStoreOptions = {}): TaskStore {
  checkOptions("createMemoryTaskStore()", options, OPTIONS);
  return new ShelfTaskStore(new MemoryShelf(options.runtime ?? Date));
}

class MemoryShelf implements TaskShelf {
  readonly #tasks = new Map<string, Task>();
  readonly #changes = new Mutex();
  readonly #graph = new Mutex();
  readonly #feed = new TaskFeed();
  #lastId = 0;

  constructor(private readonly clock: Pick<Runtime, "now">) {}

  now(): number {
    return this.clock.now();
  }

  async find(id: string): Promise<Task | undefined> {
    return this.#tasks.get(id);
  }

  async readAll() {
    return { tasks: [...this.#tasks.values()], problems: [] };
  }

  lastSeen(): Iterable<Task> {
    return this.#tasks.values();
  }

  async add(make: (id: string) => Task, id?: string): Promise<Task | undefined> {
    const own = id ?? this.#nextId();
    if (this.#tasks.has(own)) return undefined;
    return this.#keep(make(own));
  }

  change(id: string, step: (task: Task) => Promise<Task | undefined> | Task | undefined) {
    return this.#changes.runExclusive(async () => {
      const task = this.#tasks.get(id);
      if (!task) throw taskNotFound(id);
      const next = await step(task);
      return next && this.#keep(next);
    });
  }

  changeGraph<T>(work: () => Promise<T>): Promise<T> {
    return this.#graph.runExclusive(work);
  }

  watch(signal: AbortSignal | undefined): AsyncIterable<Task> {
    return this.#feed.watch(signal);
  }

  #keep(task: Task): Task {
    this.#tasks.set(task.id, task);
    this.#feed.publish(task);
    return task;
  }

  #nextId(): string {
    do this.#lastId++;
    while (this.#tasks.has(String(this.#lastId)));
    return String(this.#lastId);
  }
}
