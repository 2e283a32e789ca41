import type { Task, TaskStore } from "../../contracts/task.js";
import { clip } from "../../text/cut.js";

const MAX_BLOCKER_CHARS = 10_000;

/**
 * The prompt for a member's task: all of it, the results of the tasks it has waited for, and the mail that it has read
 * while it had no task, since each task is a session of its own. `results`: the ids of the tasks whose results it holds.
 */
export async function memberPrompt(
  task: Task,
  store: Pick<TaskStore, "get">,
  earlierMail: string,
): Promise<{ readonly prompt: string; readonly results: readonly string[] }> {
  const { id, subject, description, blockedBy } = task;
  const parts = [`Your task (${id}): ${subject}`];
  if (description !== "") parts.push(description);
  const results: string[] = [];
  for (const blocker of blockedBy) {
    const done = await store.get(blocker);
    if (done?.result === undefined) continue;
    const text = typeof done.result === "string" ? done.result : JSON.stringify(done.result);
    results.push(done.id);
    parts.push(`The result of task ${done.id}, "${done.subject}":\n${clip(text, MAX_BLOCKER_CHARS)}`);
  }
  if (earlierMail !== "") parts.push(`Messages that came before this task:\n\n${earlierMail}`);
  parts.push("Your final message is the task's result; others continue from it.");
  return { prompt: parts.join("\n\n"), results };
}

/** The mail of a member that has no task, as its prompt. */
export function mailPrompt(mail: string): string {
  return `${mail}\n\nYou have no task at the moment. Reply with message_send where a reply is needed, then stop.`;
}
