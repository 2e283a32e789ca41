// What a clock, a late answer of the store and another agent's call may not do to a task that somebody holds.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../src/index.js";
import { HeldLeases } from "../../src/tasks/held-leases.js";
import { createFileTaskStore, createMemoryTaskStore } from "../../src/tasks/index.js";
import { temporaryDirectory } from "../sessions/kit.js";

type Clock = { readonly now: () => number };
const STORES = {
  "in memory": (runtime: Clock) => createMemoryTaskStore({ runtime }),
  "in files": (runtime: Clock) => createFileTaskStore({ dir: join(temporaryDirectory(), "tasks"), runtime }),
};

describe.each(Object.entries(STORES))("tasks %s", (_name, make) => {
  test("a clock that is set back makes no task older than it was", async () => {
    let now = 10_000;
    const store = make({ now: () => now });
    await store.create({ subject: "a" });

    const times: number[] = [];
    for (now of [11_000, 4_000, 9_000]) times.push((await store.update("1", { description: `${now}` })).updatedAt);

    expect(times).toEqual([11_000, 11_000, 11_000]);
  });

  test("a lease lasts as long as its last renewal says, however often it was renewed", async () => {
    let now = 10_000;
    const store = make({ now: () => now });
    await store.create({ subject: "a" });
    await store.claim({ owner: "ann", leaseMs: 5_000 });
    for (let n = 0; n < 4; n++) await store.renew("1", { owner: "ann", leaseMs: 5_000 });

    now += 4_999;
    expect(await store.claim({ owner: "bob" })).toBeUndefined();
    now += 1;
    expect(await store.claim({ owner: "bob" })).toMatchObject({ id: "1", owner: "bob" });
  });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function heldBy(...agents: readonly string[]) {
  let now = 0;
  const store = createMemoryTaskStore({ runtime: { now: () => now } });
  const leases = new HeldLeases(store, 60_000);
  for (const transcriptId of agents) {
    await store.create({ subject: transcriptId });
    const { id } = (await store.claim({ owner: transcriptId, leaseMs: 60_000 }))!;
    leases.add(id, { sessionId: "s", transcriptId, owner: transcriptId });
  }
  return {
    store,
    leases,
    later: (ms: number) => {
      now += ms;
    },
  };
}

test("an agent's model call renews the leases of that agent alone", async () => {
  const { store, leases, later } = await heldBy("main", "sub");
  later(50_000);
  leases.reminder("main");
  await settled();
  later(20_000);

  expect(await store.claim({ owner: "next" })).toMatchObject({ subject: "sub" });
  expect(await store.claim({ owner: "next" })).toBeUndefined();
});

test("an agent that has lost several tasks hears of each of them", async () => {
  const { leases, later } = await heldBy("main", "main");
  later(70_000);
  leases.reminder("main");
  await settled();

  expect(leases.reminder("main")).toContain("You no longer hold the tasks 1, 2:");
});

test("a renewal that is refused late takes nothing from an agent that has claimed the task again", async () => {
  const { store, leases } = await heldBy("main");
  const refusals: ((error: Error) => void)[] = [];
  store.renew = () => new Promise((_resolve, reject) => refusals.push(reject));
  leases.reminder("main");
  leases.add("1", { sessionId: "s", transcriptId: "main", owner: "main" });

  refusals[0]!(new ToolError("TASK_CONFLICT", { message: "The lease is over." }));
  await settled();

  expect(leases.reminder("main")).toBeNull();
  expect(refusals.length).toBe(2);
});
