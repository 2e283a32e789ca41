import { expect, test } from "vitest";
import { ToolError } from "../../src/contracts/errors.js";
import type { TaskStore } from "../../src/contracts/task.js";
import { HeldLeases } from "../../src/tasks/held-leases.js";

const holder = (transcriptId: string) => ({ sessionId: "s", transcriptId, owner: transcriptId });
const conflict = () => new ToolError("TASK_CONFLICT", { message: "Another one does." });

function leases(renew: (id: string, owner: string) => Promise<void>, released: string[] = []) {
  const store: Pick<TaskStore, "renew" | "release"> = {
    renew: (id, { owner }) => renew(id, owner) as never,
    release: async (id, { owner }) => void released.push(`${id} ${owner}`) as never,
  };
  return new HeldLeases(store as TaskStore, 1_000);
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a model call renews what its own agent holds, and not what others of its session do", async () => {
  const renewed: string[] = [];
  const held = leases(async (id, owner) => void renewed.push(`${id} ${owner}`));
  held.add("1", holder("main"));
  held.add("2", holder("sub"));
  held.add("3", holder("main"));

  held.reminder("main");
  await settled();

  expect(renewed).toEqual(["1 main", "3 main"]);
});

test("every lost task is named once, to the agent that held it", async () => {
  const held = leases(() => Promise.reject(conflict()));
  held.add("1", holder("main"));
  held.add("2", holder("main"));
  held.reminder("main");
  await settled();

  expect(held.reminder("sub")).toBeNull();
  expect(held.reminder("main")).toMatch(/^You no longer hold the tasks 1, 2:/);
  expect(held.reminder("main")).toBeNull();
});

test("a store that cannot be reached takes no task away", async () => {
  const failures = [new Error("ECONNREFUSED"), conflict()];
  const held = leases(() => Promise.reject(failures.shift()));
  held.add("1", holder("main"));
  held.reminder("main");
  await settled();
  expect(held.reminder("main")).toBeNull();
  await settled();
  expect(held.reminder("main")).toMatch(/^You no longer hold task 1:/);
});

test("a renewal that fails late does not take away a task that was claimed again meanwhile", async () => {
  let fail = (_error: Error) => {};
  const released: string[] = [];
  const held = leases(() => new Promise((_, reject) => (fail = reject)), released);
  held.add("1", holder("main"));
  held.reminder("main");
  held.add("1", holder("main"));
  fail(conflict());
  await settled();

  expect(held.reminder("main")).toBeNull();
  await held.giveBack("main");
  expect(released).toEqual(["1 main"]);
});

test("what was given back is not given back again, and is renewed no more", async () => {
  const calls: string[] = [];
  const held = leases(async (id) => void calls.push(`renew ${id}`), calls);
  held.add("1", holder("main"));
  await Promise.all([held.giveBack("s"), held.giveBack("s"), held.giveBack(undefined)]);
  held.reminder("main");
  await settled();
  expect(calls).toEqual(["1 main"]);
});
