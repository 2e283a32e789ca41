import type {
  NewTask,
  Task,
  TaskClaim,
  TaskFilter,
  TaskPatch,
  TaskStore,
  TaskUpdateOptions,
} from "../contracts/task.js";
import { checkBlockers, openBlockers } from "./task-blockers.js";
import { claimedTask, isOpen, newTask, releasedTask, renewedTask, updatedTask } from "./task-changes.js";
import { taskBlocked, taskIdTaken, taskNotFound, taskNotFree, tasksCorrupt } from "./task-errors.js";
import {
  checkClaim,
  checkFilter,
  checkLease,
  checkNewTask,
  checkPatch,
  checkRelease,
  checkSignal,
  checkUpdate,
  isTaskId,
} from "./task-fields.js";
import { byAge, type TaskShelf } from "./task-shelf.js";

/** The rules of a task store over any shelf. */
export class ShelfTaskStore implements TaskStore {
  readonly #shelf: TaskShelf;
  readonly #find = (id: string) => this.get(id);

  constructor(shelf: TaskShelf) {
    this.#shelf = shelf;
  }

  async create(task: NewTask): Promise<Task> {
    checkNewTask(task);
    const { blockedBy = [] } = task;
    // A task that does not exist yet blocks nobody, so that a cycle could only be with itself.
    await checkBlockers(task.id ?? "", blockedBy, this.#find);
    const kept = await this.#shelf.add((id) => newTask(task, id, this.#shelf.now()), task.id);
    if (!kept) throw taskIdTaken(task.id!);
    return kept;
  }

  async get(id: string): Promise<Task | undefined> {
    return isTaskId(id) ? this.#shelf.find(id) : undefined;
  }

  async list(filter: TaskFilter = {}): Promise<readonly Task[]> {
    checkFilter(filter);
    const { tasks, problems } = await this.#shelf.readAll();
    if (problems.length > 0) throw tasksCorrupt(problems);
    const { status, owner, ready } = filter;
    const statuses = status === undefined ? null : [status].flat();
    const completed = new Set(tasks.filter((task) => task.status === "completed").map(({ id }) => id));
    const now = this.#shelf.now();
    const isReady = (task: Task) => isOpen(task, now) && task.blockedBy.every((id) => completed.has(id));
    return tasks
      .filter((task) => !statuses || statuses.includes(task.status))
      .filter((task) => owner === undefined || task.owner === owner)
      .filter((task) => ready === undefined || isReady(task) === ready)
      .sort(byAge);
  }

  async update(id: string, patch: TaskPatch, options: TaskUpdateOptions = {}): Promise<Task> {
    checkPatch(patch);
    checkUpdate(options);
    const { blockedBy, status } = patch;
    const step = async (task: Task) => {
      const updated = updatedTask(task, patch, options, this.#shelf.now());
      if (blockedBy) await checkBlockers(id, updated.blockedBy, this.#find);
      if (status === "in_progress" && task.status !== status) await this.#requireReady(task, updated);
      return updated;
    };
    return blockedBy ? this.#shelf.changeGraph(() => this.#change(id, step)) : this.#change(id, step);
  }

  async claim(claim: TaskClaim): Promise<Task | undefined> {
    checkClaim(claim);
    const { id } = claim;
    if (id === undefined) return this.#claimAny(claim);
    return this.#change(id, async (task) => {
      await this.#requireReady(task, task);
      return claimedTask(task, claim, this.#shelf.now());
    });
  }

  async renew(id: string, lease: { readonly owner: string; readonly leaseMs?: number | undefined }): Promise<Task> {
    checkLease(lease);
    return this.#change(id, (task) => renewedTask(task, lease.owner, lease.leaseMs, this.#shelf.now()));
  }

  async release(id: string, lease: { readonly owner: string }): Promise<Task> {
    checkRelease(lease);
    return this.#change(id, (task) => releasedTask(task, lease.owner, this.#shelf.now()));
  }

  watch(signal?: AbortSignal): AsyncIterable<Task> {
    checkSignal(signal);
    return this.#shelf.watch(signal);
  }

  /** Tries what seemed ready when it was last seen, and only when nothing of it is left looks at all tasks again. */
  async #claimAny(claim: TaskClaim): Promise<Task | undefined> {
    const claimed = await this.#claimOneOf(this.#shelf.lastSeen(), claim);
    if (claimed) return claimed;
    const { tasks, problems } = await this.#shelf.readAll();
    const found = await this.#claimOneOf(tasks, claim);
    // A damaged task may be the one that is left to do: that is not the same as nothing.
    if (!found && problems.length > 0) throw tasksCorrupt(problems);
    return found;
  }

  async #claimOneOf(tasks: Iterable<Task>, claim: TaskClaim): Promise<Task | undefined> {
    const seen = [...tasks];
    const statusOf = new Map(seen.map(({ id, status }) => [id, status]));
    const now = this.#shelf.now();
    const isReady = (task: Task) =>
      isOpen(task, now) && task.blockedBy.every((id) => (statusOf.get(id) ?? "completed") === "completed");
    for (const { id } of seen.filter(isReady).sort(byAge)) {
      if (!(await this.#mayBeFree(id))) continue;
      const claimed = await this.#shelf.change(
        id,
        async (task) => {
          const isFree = isOpen(task, this.#shelf.now()) && (await this.#isUnblocked(task));
          return isFree ? claimedTask(task, claim, this.#shelf.now()) : undefined;
        },
        { isPatient: false },
      );
      if (claimed) return claimed;
    }
    return undefined;
  }

  /** A look without a lock, which costs less than a lock. */
  async #mayBeFree(id: string): Promise<boolean> {
    try {
      const task = await this.#shelf.find(id);
      return task !== undefined && isOpen(task, this.#shelf.now());
    } catch {
      return false; // Damaged: reported when nothing else is left.
    }
  }

  async #isUnblocked(task: Task): Promise<boolean> {
    try {
      return (await openBlockers(task, this.#find)).length === 0;
    } catch {
      return false;
    }
  }

  /** @throws ToolError `TASK_CONFLICT`, `TASK_BLOCKED` */
  async #requireReady(task: Task, { blockedBy }: Task): Promise<void> {
    if (!isOpen(task, this.#shelf.now())) throw taskNotFree(task);
    const blockers = await openBlockers({ ...task, blockedBy }, this.#find);
    if (blockers.length > 0) throw taskBlocked(task, blockers);
  }

  async #change(id: string, step: (task: Task) => Promise<Task> | Task): Promise<Task> {
    if (!isTaskId(id)) throw taskNotFound(id);
    return (await this.#shelf.change(id, step))!;
  }
}
