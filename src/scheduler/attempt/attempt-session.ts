import type { TaskProgress } from "../progress.js";
import type { Work } from "../work.js";

/** The session of a task's newest attempt. */
export function attemptSession({ id }: Pick<Work, "id">, { task, attempts }: TaskProgress): string {
  return `${id}.${task.id}.${attempts}`;
}
