import type { PlanEntry } from "@agentclientprotocol/sdk";

const STATUSES: readonly unknown[] = ["pending", "in_progress", "completed"];

/** The items of `todo_write`, as a plan; `undefined` for anything else. */
export function planEntries(from: unknown): PlanEntry[] | undefined {
  const { todos } = Object(from) as { todos?: unknown };
  if (!Array.isArray(todos)) return undefined;
  return todos.flatMap((todo): PlanEntry[] => {
    const { content, status } = Object(todo) as { content?: unknown; status?: unknown };
    if (typeof content !== "string" || !STATUSES.includes(status)) return [];
    return [{ content, status: status as PlanEntry["status"], priority: "medium" }];
  });
}
