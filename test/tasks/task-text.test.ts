import { expect, test } from "vitest";
import type { Task } from "../../src/contracts/task.js";
import { taskLine, taskLines, taskText } from "../../src/tasks/task-text.js";

const task = (given: Partial<Task>): Task => ({
  id: "1",
  subject: "Fix the parser",
  description: "",
  status: "pending",
  blockedBy: [],
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  ...given,
});

test("a line says status, owner, subject and what is waited for", () => {
  expect(taskLine(task({ blockedBy: ["2", "3"] }), new Set(["2"]))).toBe("1 [pending] Fix the parser (waits for 3)");
  expect(taskLine(task({ status: "in_progress", owner: "reviewer" }), new Set())).toBe(
    "1 [in_progress, by reviewer] Fix the parser",
  );
  expect(taskLine(task({ subject: `a\nb ${"x".repeat(500)}` }), new Set()).length).toBeLessThan(150);
});

test("a list is counted, bounded, and says how to narrow it", () => {
  const all = Array.from({ length: 120 }, (_, n) => task({ id: String(n + 1) }));
  const lines = taskLines(all, all).split("\n");

  expect(lines[0]).toBe("120 of 120 tasks (in all: 120 pending):");
  expect(lines).toHaveLength(102);
  expect(lines.at(-1)).toContain("20 more");
  expect(taskLines([], [])).toBe("There are no tasks.");
});

test("the whole task has its description and a bounded result", () => {
  const text = taskText(task({ description: "Line 3 fails.", result: { log: "x".repeat(10_000) } }));

  expect(text).toContain("Line 3 fails.");
  expect(text).toContain("Result:");
  expect(text.length).toBeLessThan(4_200);
});
