import type { TaskProgress } from "../progress.js";
import type { Work } from "../work.js";

/** The session of a task's newest attempt. */
export function attemptSession({ id }: Pick<Work, "id">, { task, attempts }: TaskProgress): string {
  return `${id}.${task.id}.${attempts}`;
}

/** The session in which a model makes the plan of this number. */
export function planningSession({ id }: Pick<Work, "id">, number: number): string {
  return `${id}.plan-${number}`;
}

/** The sessions that plans so far were made in. */
export function plannedIn(work: Pick<Work, "id" | "journal">): string[] {
  return Array.from({ length: work.journal.progress.plans }, (_, index) => planningSession(work, index + 1));
}

/** The sessions of a task's attempts, the newest included, and of their checks. */
export function attemptsOf({ id }: Pick<Work, "id">, { task, attempts }: TaskProgress): string[] {
  const made = Array.from({ length: attempts }, (_, index) => `${id}.${task.id}.${index + 1}`);
  return made.flatMap((session) => [session, `${session}.verify`]);
}
