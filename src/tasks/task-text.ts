// Tasks as a model reads them.
import type { Task } from "../contracts/task.js";
import { clip } from "../text/cut.js";
import { asOneLine } from "../text/one-line.js";

const SHOWN_TASKS = 100;
const SUBJECT_CHARS = 120;
const RESULT_CHARS = 4_000;

/** One line: `3 [in_progress, by reviewer] Fix the parser (waits for 1, 2)`. */
export function taskLine({ id, status, owner, subject, blockedBy }: Task, completed: ReadonlySet<string>): string {
  const open = status === "pending" ? blockedBy.filter((blocker) => !completed.has(blocker)) : [];
  const waits = open.length > 0 ? ` (waits for ${open.join(", ")})` : "";
  const by = owner === undefined ? "" : `, by ${owner}`;
  return `${id} [${status}${by}] ${clip(asOneLine(subject), SUBJECT_CHARS)}${waits}`;
}

export function taskLines(shown: readonly Task[], all: readonly Task[]): string {
  const completed = new Set(all.filter(({ status }) => status === "completed").map(({ id }) => id));
  const lines = shown.slice(0, SHOWN_TASKS).map((task) => taskLine(task, completed));
  const more = shown.length - SHOWN_TASKS;
  if (more > 0) lines.push(`… and ${more} more. Narrow the list with "status" or "mine".`);
  return [countLine(shown, all), ...lines].join("\n");
}

function countLine(shown: readonly Task[], all: readonly Task[]): string {
  if (all.length === 0) return "There are no tasks.";
  const counts = new Map<string, number>();
  for (const { status } of all) counts.set(status, (counts.get(status) ?? 0) + 1);
  const summary = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
  return `${shown.length} of ${all.length} tasks (in all: ${summary})${shown.length > 0 ? ":" : "."}`;
}

/** The whole task. */
export function taskText(task: Task): string {
  const { id, subject, status, owner, blockedBy, description, result } = task;
  const lines = [`Task ${id}: ${asOneLine(subject)}`, `Status: ${status}${owner === undefined ? "" : `, by ${owner}`}`];
  if (blockedBy.length > 0) lines.push(`Blocked by: ${blockedBy.join(", ")}`);
  if (description !== "") lines.push("", description);
  if (result !== undefined) {
    const text = typeof result === "string" ? result : JSON.stringify(result);
    lines.push("", "Result:", clip(text, RESULT_CHARS));
  }
  return lines.join("\n");
}
