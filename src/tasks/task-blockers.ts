// The dependencies of tasks, which are looked up one by one, so that a large store is read only where it matters.
import type { Task } from "../contracts/task.js";
import { taskCycle, taskNotFound } from "./task-errors.js";

export type FindTask = (id: string) => Promise<Task | undefined>;

/** The blockers that are not completed, with their status. */
export async function openBlockers({ blockedBy }: Task, find: FindTask): Promise<string[]> {
  const open: string[] = [];
  for (const id of blockedBy) {
    const status = (await find(id))?.status ?? "missing";
    if (status !== "completed") open.push(`"${id}" (${status})`);
  }
  return open;
}

/**
 * Checks that task `id` may wait for `blockedBy`.
 *
 * @throws ToolError `TASK_NOT_FOUND` for a blocker that does not exist, `TASK_CYCLE` when one of them waits for `id`
 */
export async function checkBlockers(id: string, blockedBy: readonly string[], find: FindTask): Promise<void> {
  const cameFrom = new Map<string, string>();
  const next = blockedBy.map((blocker) => [blocker, id] as const);
  for (let edge = next.pop(); edge; edge = next.pop()) {
    const [blocker, waiting] = edge;
    if (blocker === id) throw taskCycle(id, [...pathTo(waiting, id, cameFrom), id]);
    if (cameFrom.has(blocker)) continue;
    cameFrom.set(blocker, waiting);
    const task = await find(blocker);
    if (!task && waiting === id) throw taskNotFound(blocker, id);
    for (const further of task?.blockedBy ?? []) next.push([further, blocker]);
  }
}

function pathTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  for (let at = end; at !== start; at = cameFrom.get(at)!) path.unshift(at);
  return [start, ...path];
}
