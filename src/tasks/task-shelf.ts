import type { Task } from "../contracts/task.js";

/** A file that is not a task, though it has the name of one. */
export interface TaskProblem {
  readonly file: string;
  /** Goes on after "is damaged:". */
  readonly message: string;
}

/** The storage of tasks: it keeps them one by one, without knowing their rules. */
export interface TaskShelf {
  /** Milliseconds since the epoch. */
  now(): number;
  /** One task as it is now. @throws ToolError `TASK_CORRUPT` */
  find(id: string): Promise<Task | undefined>;
  /** All tasks as they are now. */
  readAll(): Promise<{ readonly tasks: readonly Task[]; readonly problems: readonly TaskProblem[] }>;
  /** The tasks as they were last seen: to be looked at again before anything is done to one. */
  lastSeen(): Iterable<Task>;
  /** Keeps a new task under `id`, or under the next free id. `undefined`: there is a task of that id already. */
  add(make: (id: string) => Task, id: string | undefined): Promise<Task | undefined>;
  /**
   * Replaces a task by what `step` makes of it, while nobody else can change it; `undefined` leaves it as it is.
   *
   * With `isPatient: false`, `undefined` also when somebody else is changing it.
   *
   * @throws ToolError `TASK_NOT_FOUND`
   */
  change(
    id: string,
    step: (task: Task) => Promise<Task | undefined> | Task | undefined,
    options?: { readonly isPatient?: boolean },
  ): Promise<Task | undefined>;
  /** Does `work` while nobody else changes what waits for what. */
  changeGraph<T>(work: () => Promise<T>): Promise<T>;
  watch(signal: AbortSignal | undefined): AsyncIterable<Task>;
}

/** The oldest first; of one millisecond, by id, numbers by their size. */
export function byAge(a: Task, b: Task): number {
  return a.createdAt - b.createdAt || a.id.localeCompare(b.id, "en", { numeric: true });
}
