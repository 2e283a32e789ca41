import type { JsonObject, JsonValue } from "./json.js";

/** The state of a task. The last three are ends; only `completed` lets the tasks that wait for it start. */
export type TaskStatus = "pending" | "in_progress" | "completed" | "failed" | "cancelled";

/** A unit of work that outlives the agent that made it. */
export interface Task {
  /** Unique in its store: 1–64 characters of `a–z A–Z 0–9 _ -`. */
  readonly id: string;
  readonly subject: string;
  /** The work to be done, in full. May be empty. */
  readonly description: string;
  readonly status: TaskStatus;
  /** Ids of the tasks that must be completed before this one can be claimed. Never a cycle. */
  readonly blockedBy: readonly string[];
  /** The agent that works on it, or ended it. */
  readonly owner?: string | undefined;
  /** Until when `owner` holds it while it is `in_progress`. Milliseconds since the epoch. */
  readonly leaseUntil?: number | undefined;
  /** From 1; each change but `renew` adds 1. */
  readonly version: number;
  /** The result, for those who read it later. */
  readonly result?: JsonValue | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  /** The host's own notes. */
  readonly metadata?: JsonObject | undefined;
}

/** A task to be made. */
export interface NewTask {
  readonly subject: string;
  /** Default: empty. */
  readonly description?: string | undefined;
  /** Ids of tasks that exist. Default: none. */
  readonly blockedBy?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
  /** Default: the store chooses one. */
  readonly id?: string | undefined;
}

/** The changes of an `update`; an absent field stays. */
export interface TaskPatch {
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  /**
   * `pending` takes the task from its owner, and opens one that had ended. `in_progress` is a claim of the default
   * length for `owner`. An end takes the lease away and keeps the owner's name.
   */
  readonly status?: TaskStatus | undefined;
  /** Replaces the whole list. */
  readonly blockedBy?: readonly string[] | undefined;
  readonly result?: JsonValue | undefined;
  /** Replaces the whole object. */
  readonly metadata?: JsonObject | undefined;
}

/** Under which conditions `update` may write. */
export interface TaskUpdateOptions {
  /** The `version` the change is based on; another one is `TASK_CONFLICT`. */
  readonly ifVersion?: number | undefined;
  /** The owner who changes it. One that does not hold a task that is `in_progress` gets `TASK_CONFLICT`. */
  readonly owner?: string | undefined;
}

/** A filter of the tasks that `list` resolves with; an absent field does not matter. */
export interface TaskFilter {
  readonly status?: TaskStatus | readonly TaskStatus[] | undefined;
  readonly owner?: string | undefined;
  /** `true`: only those that `claim` could take now; `false`: only the others. */
  readonly ready?: boolean | undefined;
}

/** A claim: its owner, its task, and its duration. */
export interface TaskClaim {
  /** Unique to one worker: two workers of one name would take each other's lease for their own. */
  readonly owner: string;
  /** Unit: milliseconds. Default: 60_000. */
  readonly leaseMs?: number | undefined;
  /** Default: the oldest task that is ready. */
  readonly id?: string | undefined;
}

/**
 * Tasks with dependencies and owners, shared by agents of one process or of several.
 *
 * A task is *ready* when it is `pending`, or `in_progress` under a lease that is over, and all it is blocked by are
 * `completed`. Each change happens whole or not at all, and of two changes based on one version one fails. Tasks are
 * frozen copies. `taskStoreContract` in `loopwright/testing` checks an implementation.
 */
export interface TaskStore {
  /**
   * @throws ToolError `TASK_NOT_FOUND` for an unknown blocker, `TASK_CYCLE` for one that is the task itself,
   * `TASK_CONFLICT` for an id that is taken
   */
  create(task: NewTask): Promise<Task>;
  /** `undefined` when there is no such task. */
  get(id: string): Promise<Task | undefined>;
  /** The oldest first. */
  list(filter?: TaskFilter): Promise<readonly Task[]>;
  /**
   * @throws ToolError `TASK_NOT_FOUND`, also for an unknown blocker; `TASK_CONFLICT` for a stale version or another's task;
   * `TASK_CYCLE`; `TASK_BLOCKED` for a status `in_progress` that the blockers do not allow yet
   */
  update(id: string, patch: TaskPatch, options?: TaskUpdateOptions): Promise<Task>;
  /**
   * Takes one task: the oldest that is ready, or the one named by `id`. `undefined` when none is ready.
   *
   * @throws ToolError, with `id` only: `TASK_NOT_FOUND`, `TASK_BLOCKED`, or `TASK_CONFLICT` for one that is held or ended
   */
  claim(claim: TaskClaim): Promise<Task | undefined>;
  /**
   * Lets the lease last `leaseMs` from now. The version stays, so that what the owner knows stays valid.
   *
   * @throws ToolError `TASK_NOT_FOUND`, or `TASK_CONFLICT` when `owner` does not hold the task, or its lease is over
   */
  renew(id: string, lease: { readonly owner: string; readonly leaseMs?: number | undefined }): Promise<Task>;
  /** Gives a task back: it is `pending` again. @throws as `renew` */
  release(id: string, lease: { readonly owner: string }): Promise<Task>;
  /**
   * The tasks that are created or changed from now on, by anybody, each as it is when it is noticed: several changes
   * that follow closely may come as one. A lease that runs out is not a change. Ends when `signal` aborts.
   */
  watch(signal?: AbortSignal): AsyncIterable<Task>;
}
