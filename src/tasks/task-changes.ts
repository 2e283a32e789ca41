// The rules of a task's life, without files, clocks or locks: each function makes the next state of one task, or throws.
import { ToolError } from "../contracts/errors.js";
import type { NewTask, Task, TaskClaim, TaskPatch, TaskUpdateOptions } from "../contracts/task.js";
import { DEFAULT_LEASE_MS, ENDED, ownJson } from "./task-fields.js";

/** Whether somebody works on it under a lease that is not over. */
export function isHeld({ status, leaseUntil = 0 }: Task, now: number): boolean {
  return status === "in_progress" && leaseUntil > now;
}

/** Whether it could be claimed if nothing blocked it. */
export function isOpen(task: Task, now: number): boolean {
  return task.status === "pending" || (task.status === "in_progress" && !isHeld(task, now));
}

export function newTask(task: NewTask, id: string, now: number): Task {
  const { subject, description = "", blockedBy = [], metadata } = task;
  return Object.freeze({
    id,
    subject,
    description,
    status: "pending",
    blockedBy: ownJson([...new Set(blockedBy)]),
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...(metadata && { metadata: ownJson(metadata) }),
  });
}

/** @throws ToolError `TASK_CONFLICT` */
export function updatedTask(task: Task, patch: TaskPatch, options: TaskUpdateOptions, now: number): Task {
  const { ifVersion, owner } = options;
  if (ifVersion !== undefined && ifVersion !== task.version) throw staleVersion(task, ifVersion);
  if (owner !== undefined && task.status === "in_progress") requireHolder(task, owner, now);
  const { status = task.status, blockedBy, result, metadata, subject, description } = patch;
  return next(task, now, {
    ...(subject !== undefined && { subject }),
    ...(description !== undefined && { description }),
    ...(blockedBy && { blockedBy: ownJson([...new Set(blockedBy)]) }),
    ...(result !== undefined && { result: ownJson(result) }),
    ...(metadata && { metadata: ownJson(metadata) }),
    ...(status !== task.status && withStatus(task, status, owner, now)),
  });
}

function withStatus(task: Task, status: Task["status"], owner: string | undefined, now: number): Partial<Task> {
  if (status === "pending") return { status, owner: undefined, leaseUntil: undefined };
  if (ENDED.has(status)) return { status, owner: owner ?? task.owner, leaseUntil: undefined };
  return { status, owner: owner ?? task.owner, leaseUntil: now + DEFAULT_LEASE_MS };
}

/** The task in the hands of its new owner. Whether it is ready has been checked. */
export function claimedTask(task: Task, { owner, leaseMs = DEFAULT_LEASE_MS }: TaskClaim, now: number): Task {
  return next(task, now, { status: "in_progress", owner, leaseUntil: now + leaseMs });
}

/** @throws ToolError `TASK_CONFLICT` */
export function renewedTask(task: Task, owner: string, leaseMs: number | undefined, now: number): Task {
  requireHolder(task, owner, now);
  return Object.freeze({ ...task, leaseUntil: now + (leaseMs ?? DEFAULT_LEASE_MS) });
}

/** @throws ToolError `TASK_CONFLICT` */
export function releasedTask(task: Task, owner: string, now: number): Task {
  requireHolder(task, owner, now);
  return next(task, now, { status: "pending", owner: undefined, leaseUntil: undefined });
}

function next(task: Task, now: number, changes: Partial<Task>): Task {
  const changed = { ...task, ...changes, version: task.version + 1, updatedAt: Math.max(now, task.updatedAt) };
  const present = Object.entries(changed).filter(([, value]) => value !== undefined);
  return Object.freeze(Object.fromEntries(present) as unknown as Task);
}

function requireHolder(task: Task, owner: string, now: number): void {
  if (isHeld(task, now) && task.owner === owner) return;
  throw new ToolError("TASK_CONFLICT", {
    message: `"${owner}" does not hold task "${task.id}": ${whoHolds(task, owner, now)}. Claim it before you go on.`,
    details: { taskId: task.id, status: task.status, ...(task.owner !== undefined && { owner: task.owner }) },
  });
}

function whoHolds(task: Task, owner: string, now: number): string {
  if (task.status !== "in_progress") return `it is ${task.status}`;
  if (isHeld(task, now)) return `"${task.owner ?? "nobody"}" does`;
  return task.owner === owner ? "its lease is over" : `the lease of "${task.owner ?? "nobody"}" is over`;
}

function staleVersion({ id, version, status }: Task, expected: number): ToolError {
  return new ToolError("TASK_CONFLICT", {
    message: `Task "${id}" is at version ${version} and ${status}, not at version ${expected}: it has been changed. Read it again before you change it.`,
    details: { taskId: id, version, status },
    retryable: true,
  });
}
