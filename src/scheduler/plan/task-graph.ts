// The dependencies in a plan. Every function here costs O(tasks + edges).
import type { PlannedTask } from "./plan.js";

/** For each task, the tasks that depend on it. Dependencies that are not in the plan are left out. */
export function dependentsOf(tasks: readonly PlannedTask[]): Map<string, string[]> {
  const dependents = new Map<string, string[]>(tasks.map(({ id }) => [id, []]));
  for (const { id, dependsOn } of tasks) for (const before of new Set(dependsOn)) dependents.get(before)?.push(id);
  return dependents;
}

/** A circle of dependencies, as `a, b, a`; `null` without one. */
export function findCycle(tasks: readonly PlannedTask[]): string[] | null {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const open = new Map(tasks.map(({ id, dependsOn }) => [id, new Set(dependsOn.filter((one) => byId.has(one))).size]));
  const dependents = dependentsOf(tasks);
  const free = tasks.filter(({ id }) => open.get(id) === 0).map(({ id }) => id);
  for (let at = 0; at < free.length; at++) {
    for (const next of dependents.get(free[at]!)!) {
      const left = open.get(next)! - 1;
      open.set(next, left);
      if (left === 0) free.push(next);
    }
  }
  const stuck = tasks.find(({ id }) => open.get(id)! > 0);
  return stuck ? circleFrom(stuck.id, byId, open) : null;
}

/** Every task that is left waits for another that is left: following them leads into a circle. */
function circleFrom(
  start: string,
  byId: ReadonlyMap<string, PlannedTask>,
  open: ReadonlyMap<string, number>,
): string[] {
  const path: string[] = [];
  const places = new Map<string, number>();
  for (let id = start; ; id = byId.get(id)!.dependsOn.find((one) => (open.get(one) ?? 0) > 0)!) {
    const place = places.get(id);
    if (place !== undefined) return [...path.slice(place), id];
    places.set(id, path.length);
    path.push(id);
  }
}

/** Whether a task waits, directly or through others, for `before`. */
export function waitsFor(id: string, before: string, byId: ReadonlyMap<string, PlannedTask>): boolean {
  const seen = new Set<string>();
  const next = [id];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    for (const one of byId.get(at)?.dependsOn ?? []) {
      if (one === before) return true;
      if (!seen.has(one)) next.push(one);
      seen.add(one);
    }
  }
  return false;
}
