// One answer out of the results of all tasks.
import { clip } from "../../text/cut.js";
import type { TaskProgress } from "../progress.js";

const MAX_ANSWER_CHARS = 50_000;
const MAX_LISTED = 50;

/**
 * The results of the tasks that no other task depends on: what the plan leads to. That of a single one is the answer as it
 * is.
 */
export function mergeResults(tasks: readonly TaskProgress[]): string {
  const needed = new Set(tasks.flatMap(({ task }) => task.dependsOn));
  const last = tasks.filter(({ task }) => !needed.has(task.id));
  if (last.length === 1) return clip(last[0]!.output ?? "", MAX_ANSWER_CHARS);
  const each = Math.floor(MAX_ANSWER_CHARS / Math.max(1, last.length));
  return last.map(({ task, output }) => `${task.title}:\n${clip(output ?? "", each)}`).join("\n\n");
}

/** The results of a goal that was not reached, and why the rest is missing. */
export function describeShortfall(why: string, tasks: readonly TaskProgress[]): string {
  const lines = [why];
  if (tasks.length > 0) lines.push(`${count(tasks, "done")} of ${tasks.length} tasks are done.`);
  const open = tasks.filter(({ status }) => status === "failed" || status === "needs-approval");
  for (const { task, status, reason } of open.slice(0, MAX_LISTED))
    lines.push(
      `${task.title} (${task.id}) ${status === "failed" ? "failed" : "waits for approval"}: ${clip(reason ?? "", 1_000)}`,
    );
  if (open.length > MAX_LISTED) lines.push(`and ${open.length - MAX_LISTED} more`);
  return lines.join("\n");
}

function count(tasks: readonly TaskProgress[], status: TaskProgress["status"]): number {
  return tasks.filter((task) => task.status === status).length;
}
