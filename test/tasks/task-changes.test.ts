// The rules of one task's life under a clock that the test sets, also backwards.
import { expect, test } from "vitest";
import type { Task } from "../../src/contracts/task.js";
import { claimedTask, isHeld, newTask, releasedTask, renewedTask, updatedTask } from "../../src/tasks/task-changes.js";
import { byAge } from "../../src/tasks/task-shelf.js";

const made = (at: number, id = "1") => newTask({ subject: "a" }, id, at);
const claimed = (at: number, owner: string, leaseMs: number) => claimedTask(made(at), { owner, leaseMs }, at);

test("a clock that runs backwards moves no task's time back", () => {
  let task: Task = claimed(1_000, "me", 10_000);
  const changes = [
    (one: Task) => updatedTask(one, { subject: "b" }, {}, 400),
    (one: Task) => releasedTask(one, "me", 300),
    (one: Task) => claimedTask(one, { owner: "you", leaseMs: 10_000 }, 200),
    (one: Task) => updatedTask(one, { status: "completed" }, { owner: "you" }, 100),
  ];
  for (const change of changes) {
    const next = change(task);
    expect([next.updatedAt, next.version]).toEqual([1_000, task.version + 1]);
    task = next;
  }
});

test("a lease is over at its last millisecond, and nobody renews or releases it then", () => {
  const task = claimed(0, "me", 100);
  expect([99, 100].map((now) => isHeld(task, now))).toEqual([true, false]);
  for (const late of [() => renewedTask(task, "me", 50, 100), () => releasedTask(task, "me", 100)])
    expect(late).toThrow(expect.objectContaining({ code: "TASK_CONFLICT" }));
  expect(() => renewedTask(task, "you", 50, 50)).toThrow(expect.objectContaining({ code: "TASK_CONFLICT" }));
});

test("a lease that is renewed early lasts from now, and does not grow", () => {
  let task: Task = claimed(0, "me", 100);
  for (const now of [1, 2, 3]) {
    task = renewedTask(task, "me", 100, now);
    expect(task.leaseUntil).toBe(now + 100);
  }
});

test("an owner whose lease is over cannot end its task, also when nobody has claimed it", () => {
  const task = claimed(0, "me", 100);
  for (const status of ["completed", "failed", "pending"] as const)
    expect(() => updatedTask(task, { status }, { owner: "me" }, 100)).toThrow("its lease is over");
});

test("the owner named with a change is the one that is kept with it", () => {
  const left = { ...made(0), owner: "before" };
  for (const status of ["in_progress", "completed", "failed", "cancelled"] as const)
    expect(updatedTask(left, { status }, { owner: "now" }, 1)).toMatchObject({ status, owner: "now" });
});

test("of tasks of one millisecond those with smaller numbers come first", () => {
  const tasks = ["10", "9", "2", "1"].map((id) => made(5, id));
  expect([made(6, "0"), ...tasks].sort(byAge).map(({ id }) => id)).toEqual(["1", "2", "9", "10", "0"]);
});
