import { SessionError, ToolError } from "../contracts/errors.js";
import type { Task } from "../contracts/task.js";
import { describeFileFailure } from "../files/file-failure.js";
import { quoteName } from "../text/quote-name.js";

export function taskNotFound(id: unknown, asBlockerOf?: string): ToolError {
  const shown = JSON.stringify(typeof id === "string" && id.length > 80 ? `${id.slice(0, 80)}…` : id);
  // A task that is being created has no id yet.
  const waiting = asBlockerOf ? `Task "${asBlockerOf}"` : "The new task";
  const role = asBlockerOf === undefined ? "" : ` ${waiting} cannot wait for it.`;
  return new ToolError("TASK_NOT_FOUND", {
    message: `There is no task ${shown}.${role} List the tasks to see their ids.`,
    details: { taskId: typeof id === "string" ? id.slice(0, 80) : null },
  });
}

export function taskBlocked({ id }: Task, blockers: readonly string[]): ToolError {
  return new ToolError("TASK_BLOCKED", {
    message: `Task "${id}" cannot start: it waits for ${blockers.join(", ")}.`,
    details: { taskId: id, blockers: [...blockers] },
    retryable: true,
  });
}

export function taskNotFree({ id, status, owner }: Task): ToolError {
  const why = status === "in_progress" ? `"${owner ?? "somebody"}" is working on it` : `it is ${status}`;
  return new ToolError("TASK_CONFLICT", {
    message: `Task "${id}" cannot be claimed: ${why}. Claim another one.`,
    details: { taskId: id, status, ...(owner !== undefined && { owner }) },
    retryable: status === "in_progress",
  });
}

export function taskIdTaken(id: string): ToolError {
  return new ToolError("TASK_CONFLICT", {
    message: `There is already a task "${id}". Choose another id, or leave it out.`,
    details: { taskId: id },
  });
}

export function taskCycle(id: string, path: readonly string[]): ToolError {
  return new ToolError("TASK_CYCLE", {
    message: `Task "${id}" would wait for itself: ${path.join(" → ")}. Leave out one of these dependencies.`,
    details: { taskId: id, cycle: [...path] },
  });
}

/** `problems`: what is wrong with which file. */
export function tasksCorrupt(problems: readonly { readonly file: string; readonly message: string }[]): ToolError {
  const [first] = problems;
  const more = problems.length > 1 ? ` So are ${problems.length - 1} more.` : "";
  return new ToolError("TASK_CORRUPT", {
    message: `The task file "${first!.file}" is damaged: ${first!.message}.${more} Nothing was changed. Repair it or move it away.`,
    details: { files: problems.map(({ file }) => file) },
  });
}

/** The machine's failure in words; others as they are. */
export function tasksUnwritten(dir: string, error: unknown): unknown {
  const why = describeFileFailure(error);
  if (why === undefined) return error;
  const message = `The tasks in ${quoteName(dir)} could not be changed: ${why}.`;
  return new SessionError("SESSION_WRITE", { message, cause: error });
}
