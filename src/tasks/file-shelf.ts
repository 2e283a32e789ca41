// Tasks as files of one directory. Each change of a task is made under a lock file of that task, on what its file holds
// then; the file is replaced in one step. What was seen before is only used to choose which files to look at.
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Mutex } from "async-mutex";
import pLimit from "p-limit";
import { isHarnessError, ToolError } from "../contracts/errors.js";
import type { Runtime } from "../contracts/runtime.js";
import type { Task } from "../contracts/task.js";
import { createAtomically, entryPaths, isTemporaryName, writeAtomically } from "../files/atomic-write.js";
import { underLock } from "../files/wait-for-lock.js";
import { type LockOwner, newLockOwner } from "../processes/process-lock.js";
import { watchDirectory } from "./directory-watch.js";
import { taskNotFound, tasksCorrupt, tasksUnwritten } from "./task-errors.js";
import { TaskFeed } from "./task-feed.js";
import { isTaskId } from "./task-fields.js";
import { fileNameOfTask, MAX_FILE_BYTES, parseTask, taskIdOfFile, taskJson } from "./task-file.js";
import type { TaskProblem, TaskShelf } from "./task-shelf.js";

const LOCK_DIR = ".locks";
/** No task can have this id, so that no task's lock is the graph's. */
const GRAPH_LOCK = ".graph";
/** A lock is held for a few file operations. */
const LOCK_WAIT_MS = 15_000;
const READ_AT_ONCE = 16;
/** A file that a crash left half written; a living writer's is younger. */
const STALE_MS = 60_000;

/** A file as it was last read. */
interface Seen {
  /** Changes whenever the file does. */
  readonly stamp: string;
  readonly task: Task | null;
  readonly problem?: string;
}

export class FileShelf implements TaskShelf {
  readonly #seen = new Map<string, Seen>();
  readonly #changes = new Mutex();
  readonly #graph = new Mutex();
  readonly #feed = new TaskFeed(() => this.#publishChanges());
  #owner: Promise<LockOwner> | undefined;
  #lastId = 0;

  constructor(
    private readonly dir: string,
    private readonly clock: Pick<Runtime, "now">,
  ) {}

  now(): number {
    return this.clock.now();
  }

  async find(id: string): Promise<Task | undefined> {
    const { task, problem } = await this.#read(id);
    if (problem !== undefined) throw tasksCorrupt([{ file: this.#pathOf(id), message: problem }]);
    return task ?? undefined;
  }

  async readAll() {
    const names = await this.#names();
    const ids = names.flatMap((name) => taskIdOfFile(name) ?? []);
    const atMost = pLimit(READ_AT_ONCE);
    const seen = await Promise.all(ids.map((id) => atMost(() => this.#readIfChanged(id))));
    const there = new Set(ids);
    for (const id of this.#seen.keys()) if (!there.has(id)) this.#seen.delete(id);
    const tasks = seen.flatMap(({ task }) => task ?? []);
    const problems: TaskProblem[] = seen.flatMap(({ problem }, index) =>
      problem === undefined ? [] : { file: this.#pathOf(ids[index]!), message: problem },
    );
    return { tasks, problems };
  }

  *lastSeen(): Iterable<Task> {
    for (const { task } of this.#seen.values()) if (task) yield task;
  }

  add(make: (id: string) => Task, id?: string): Promise<Task | undefined> {
    return this.#add(make, id).catch((error) => this.#fail(error));
  }

  async #add(make: (id: string) => Task, id?: string): Promise<Task | undefined> {
    await mkdir(join(this.dir, LOCK_DIR), { recursive: true, mode: 0o700 });
    if (id !== undefined) return this.#addAs(make(id));
    const numbers = (await this.#names()).map((name) => Number(taskIdOfFile(name))).filter(Number.isSafeInteger);
    this.#lastId = numbers.reduce((a, b) => Math.max(a, b), this.#lastId);
    for (;;) {
      const added = await this.#addAs(make(String(++this.#lastId)));
      if (added) return added;
    }
  }

  change(
    id: string,
    step: (task: Task) => Promise<Task | undefined> | Task | undefined,
    { isPatient = true }: { readonly isPatient?: boolean } = {},
  ): Promise<Task | undefined> {
    return this.#changes.runExclusive(() =>
      this.#locked(id, isPatient, async () => {
        const task = await this.find(id);
        if (!task) throw taskNotFound(id);
        const next = await step(task);
        if (!next) return undefined;
        await writeAtomically(entryPaths(this.dir), fileNameOfTask(id), Buffer.from(taskJson(next)));
        return this.#keep(next);
      }).catch((error) => this.#fail(error)),
    );
  }

  #fail(error: unknown): never {
    throw tasksUnwritten(this.dir, error);
  }

  changeGraph<T>(work: () => Promise<T>): Promise<T> {
    return this.#graph.runExclusive(() => this.#locked(GRAPH_LOCK, true, work) as Promise<T>);
  }

  watch(signal: AbortSignal | undefined): AsyncIterable<Task> {
    return this.#feed.watch(signal);
  }

  async #addAs(task: Task): Promise<Task | undefined> {
    const isNew = await createAtomically(entryPaths(this.dir), fileNameOfTask(task.id), Buffer.from(taskJson(task)));
    return isNew ? this.#keep(task) : undefined;
  }

  #keep(task: Task): Task {
    this.#seen.set(task.id, { stamp: "", task });
    this.#feed.publish(task);
    return task;
  }

  /** `undefined` only for one who does not wait. */
  async #locked<T>(name: string, isPatient: boolean, work: () => Promise<T>): Promise<T | undefined> {
    this.#owner ??= newLockOwner();
    const path = join(this.dir, LOCK_DIR, `${name}.lock`);
    const me = await this.#owner;
    try {
      await this.#makeLockDir();
      const locked = await underLock(path, me, isPatient ? LOCK_WAIT_MS : 0, work);
      if ("value" in locked) return locked.value;
      if (isPatient) throw lockKept(path, locked.heldBy);
      return undefined;
    } catch (error) {
      // Without its directory there has never been a task.
      if (!isHarnessError(error) && codeOf(error) === "ENOENT") throw taskNotFound(name);
      throw error;
    }
  }

  /** It is empty between changes, and what copies tasks, such as git, may leave an empty directory out. */
  async #makeLockDir(): Promise<void> {
    try {
      await mkdir(join(this.dir, LOCK_DIR), { mode: 0o700 });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }

  async #names(): Promise<string[]> {
    try {
      const names = await readdir(this.dir);
      await Promise.all(names.filter(isTemporaryName).map((name) => this.#removeIfStale(join(this.dir, name))));
      return names;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw error;
    }
  }

  async #removeIfStale(path: string): Promise<void> {
    try {
      if (Date.now() - (await stat(path)).mtimeMs > STALE_MS) await rm(path, { force: true });
    } catch {
      // Its writer has just finished.
    }
  }

  async #readIfChanged(id: string): Promise<Seen> {
    const known = this.#seen.get(id);
    if (known && known.stamp !== "" && known.stamp === (await this.#stampOf(id))) return known;
    return this.#read(id);
  }

  async #read(id: string): Promise<Seen> {
    const seen = await this.#readFile(id);
    if (seen.task === null && seen.problem === undefined) this.#seen.delete(id);
    else this.#seen.set(id, seen);
    return seen;
  }

  async #readFile(id: string): Promise<Seen> {
    if (!isTaskId(id)) return { stamp: "", task: null, problem: "its name is not that of a task" };
    // The stamp first: what is written in between is then read again next time.
    const stamp = await this.#stampOf(id);
    if (stamp === null) return { stamp: "", task: null };
    if (stamp === TOO_LARGE) return { stamp: "", task: null, problem: "it is too large, or not a file" };
    try {
      const task = parseTask(await readFile(this.#pathOf(id), "utf8"), id);
      return typeof task === "string" ? { stamp, task: null, problem: task } : { stamp, task };
    } catch (error) {
      if (codeOf(error) === "ENOENT") return { stamp: "", task: null };
      return { stamp: "", task: null, problem: `it cannot be read (${codeOf(error) ?? String(error)})` };
    }
  }

  async #stampOf(id: string): Promise<string | null> {
    try {
      const about = await stat(this.#pathOf(id), { bigint: true });
      if (!about.isFile() || about.size > MAX_FILE_BYTES) return TOO_LARGE;
      return `${about.ino}-${about.size}-${about.mtimeNs}-${about.ctimeNs}`;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      return TOO_LARGE;
    }
  }

  /** Publishes what this and other processes change from now on, until the function it returns is called. */
  #publishChanges(): () => void {
    const since = this.now();
    const versions = new Map<string, number>();
    let isFirst = true;
    return watchDirectory(this.dir, async () => {
      const { tasks } = await this.readAll();
      for (const task of tasks) {
        const isNews = isFirst ? task.updatedAt >= since : versions.get(task.id) !== task.version;
        versions.set(task.id, task.version);
        if (isNews) this.#feed.publish(task);
      }
      isFirst = false;
    });
  }

  #pathOf(id: string): string {
    return join(this.dir, fileNameOfTask(id));
  }
}

const TOO_LARGE = "too large";

function lockKept(path: string, { pid, host }: LockOwner): ToolError {
  return new ToolError("TASK_CONFLICT", {
    message: `Process ${pid} on "${host}" has kept the lock "${path}" for ${LOCK_WAIT_MS / 1_000} seconds. Try again, or end that process.`,
    retryable: true,
  });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
