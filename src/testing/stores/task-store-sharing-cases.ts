// The promises of a task store to those who share it: claims, leases, dependencies and news.
import type { Task, TaskStore } from "../../contracts/task.js";
import { claim, claimFailure, claimSame, show } from "../contract-case.js";

/** Checks one promise on an empty store. */
export type TaskStoreCheck = (store: TaskStore) => Promise<void>;

export const CLAIM_CASES: Readonly<Record<string, TaskStoreCheck>> = {
  "a claim takes the oldest ready task, and nothing when there is not one": async (store) => {
    const first = await store.create({ subject: "first" });
    const second = await store.create({ subject: "second" });

    const claimed = [await store.claim({ owner: "a" }), await store.claim({ owner: "b" })];

    claimSame(
      claimed.map((task) => [task?.id, task?.owner, task?.status, task?.version]),
      [
        [first.id, "a", "in_progress", 2],
        [second.id, "b", "in_progress", 2],
      ],
      "claimed tasks",
    );
    claim((claimed[0]?.leaseUntil ?? 0) > (claimed[0]?.updatedAt ?? 0), "a claimed task has no lease.");
    claimSame(await store.claim({ owner: "c" }), undefined, "a claim when nothing is left");
  },

  "of many who claim at once each gets a task of its own": async (store) => {
    await Promise.all(Array.from({ length: 12 }, (_, n) => store.create({ subject: `task ${n}` })));

    const claimed = await Promise.all(Array.from({ length: 16 }, (_, n) => store.claim({ owner: `w${n}` })));

    const ids = claimed.flatMap((task) => task?.id ?? []);
    claimSame([ids.length, new Set(ids).size], [12, 12], "claims that got a task, and different tasks");
  },

  "a named task is claimed alone, and one that is held or ended is refused": async (store) => {
    const { id } = await store.create({ subject: "a" });

    const task = await store.claim({ owner: "a", id });

    claimSame([task?.id, task?.owner], [id, "a"], "the claimed task");
    await claimFailure(() => store.claim({ owner: "b", id }), "TASK_CONFLICT", "claiming a held task");
    await claimFailure(() => store.claim({ owner: "a", id }), "TASK_CONFLICT", "claiming one's own task again");
    await store.update(id, { status: "completed" }, { owner: "a" });
    await claimFailure(() => store.claim({ owner: "b", id }), "TASK_CONFLICT", "claiming a completed task");
  },

  "an end keeps the owner's name and takes the lease away": async (store) => {
    const { id } = await store.create({ subject: "a" });
    await store.claim({ owner: "a", id });

    const ended = await store.update(id, { status: "failed", result: "no" }, { owner: "a" });

    claimSame([ended.status, ended.owner, ended.leaseUntil, ended.result], ["failed", "a", undefined, "no"], "the end");
  },

  "a released task is pending again, without an owner": async (store) => {
    const { id } = await store.create({ subject: "a" });
    await store.claim({ owner: "a", id });

    const released = await store.release(id, { owner: "a" });

    claimSame([released.status, released.owner, released.leaseUntil], ["pending", undefined, undefined], "the task");
    claim((await store.claim({ owner: "b" }))?.id === id, "a released task cannot be claimed.");
  },

  "in_progress by update is a claim: it has a lease and respects blockers": async (store) => {
    const first = await store.create({ subject: "first" });
    const second = await store.create({ subject: "second", blockedBy: [first.id] });

    await claimFailure(
      () => store.update(second.id, { status: "in_progress" }, { owner: "a" }),
      "TASK_BLOCKED",
      "starting a blocked task",
    );
    const started = await store.update(first.id, { status: "in_progress" }, { owner: "a" });

    claim(started.owner === "a" && started.leaseUntil !== undefined, `it has no lease: ${show(started)}`);
  },
};

export const LEASE_CASES: Readonly<Record<string, TaskStoreCheck>> = {
  "a task whose lease is over is claimed by another, and its first owner has lost it": async (store) => {
    const { id } = await store.create({ subject: "a" });
    const lost = await store.claim({ owner: "a", leaseMs: 5, id });

    const taken = await claimSoon(store, "b");

    claimSame([taken.id, taken.owner], [id, "b"], "the task claimed after the lease");
    await claimFailure(() => store.renew(id, { owner: "a" }), "TASK_CONFLICT", "renewing a lost lease");
    await claimFailure(() => store.release(id, { owner: "a" }), "TASK_CONFLICT", "releasing a lost lease");
    const late = { status: "completed" } as const;
    await claimFailure(() => store.update(id, late, { owner: "a" }), "TASK_CONFLICT", "a late result by owner");
    const { version } = lost!;
    await claimFailure(() => store.update(id, late, { ifVersion: version }), "TASK_CONFLICT", "one by version");
    claimSame((await store.get(id))?.owner, "b", "the owner");
  },

  "a renewed lease lasts longer, and the version stays": async (store) => {
    const { id } = await store.create({ subject: "a" });
    const claimed = (await store.claim({ owner: "a", leaseMs: 300_000, id }))!;

    const renewed = await store.renew(id, { owner: "a", leaseMs: 600_000 });

    claim((renewed.leaseUntil ?? 0) > (claimed.leaseUntil ?? 0), "the lease is not longer.");
    claimSame(renewed.version, claimed.version, "the version");
    await claimFailure(() => store.renew(id, { owner: "b" }), "TASK_CONFLICT", "renewing another's lease");
  },

  "an owner whose lease is over may not renew, though nobody else has come": async (store) => {
    const { id } = await store.create({ subject: "a" });
    await store.claim({ owner: "a", leaseMs: 1, id });
    while (!(await store.list({ ready: true })).length) await pause();

    await claimFailure(() => store.renew(id, { owner: "a" }), "TASK_CONFLICT", "renewing a lease that is over");
    await claimFailure(() => store.update(id, {}, { owner: "a" }), "TASK_CONFLICT", "updating under it");
  },
};

export const GRAPH_CASES: Readonly<Record<string, TaskStoreCheck>> = {
  "a task becomes ready when the last of its blockers is completed": async (store) => {
    const a = await store.create({ subject: "a" });
    const b = await store.create({ subject: "b" });
    const last = await store.create({ subject: "last", blockedBy: [a.id, b.id, a.id] });
    claimSame(last.blockedBy, [a.id, b.id], "blockers, each once");

    await store.update(a.id, { status: "completed" });
    await claimFailure(() => store.claim({ owner: "x", id: last.id }), "TASK_BLOCKED", "claiming a blocked task");
    await store.update(b.id, { status: "completed" });

    claim((await store.claim({ owner: "x" }))?.id === last.id, "the task did not become ready.");
  },

  "failed and cancelled blockers never unblock, until they are opened again and completed": async (store) => {
    for (const status of ["failed", "cancelled"] as const) {
      const blocker = await store.create({ subject: status });
      const { id } = await store.create({ subject: "waits", blockedBy: [blocker.id] });

      await store.update(blocker.id, { status });

      claimSame(await store.claim({ owner: "x" }), undefined, `a claim behind a ${status} task`);
      await claimFailure(() => store.claim({ owner: "x", id }), "TASK_BLOCKED", `claiming behind a ${status} task`);
      await store.update(blocker.id, { status: "pending" });
      await store.claim({ owner: "x", id: blocker.id });
      await store.update(blocker.id, { status: "completed" }, { owner: "x" });
      claim(
        (await store.claim({ owner: "x" }))?.id === id,
        `the task behind the reopened ${status} one stayed blocked.`,
      );
    }
  },

  "a cycle is refused, however long, and the task stays as it was": async (store) => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push((await store.create({ subject: `task ${n}`, blockedBy: ids.slice(-1) })).id);
    }

    const [first, second] = ids as [string, string];
    await claimFailure(() => store.update(first, { blockedBy: [ids[4]!] }), "TASK_CYCLE", "a cycle of five");
    await claimFailure(() => store.update(first, { blockedBy: [first] }), "TASK_CYCLE", "a task behind itself");
    await claimFailure(() => store.create({ subject: "x", id: "me", blockedBy: ["me"] }), "TASK_CYCLE", "a new one");
    claimSame([(await store.get(first))?.blockedBy, await store.get("me")], [[], undefined], "what was refused");
    await store.update(second, { blockedBy: [] });
    await store.update(first, { blockedBy: [second] });
  },

  "of two updates at once that would make a cycle one is refused": async (store) => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await store.create({ subject: "a" }), await store.create({ subject: "b" })];

      const outcomes = await Promise.allSettled([
        store.update(a.id, { blockedBy: [b.id] }),
        store.update(b.id, { blockedBy: [a.id] }),
      ]);

      const made = outcomes.filter(({ status }) => status === "fulfilled").length;
      claim(made === 1, `${made} of two updates that make a cycle together were made; expected 1.`);
    }
  },

  "an unknown blocker is refused": async (store) => {
    const { id } = await store.create({ subject: "a" });

    await claimFailure(() => store.create({ subject: "b", blockedBy: ["nobody"] }), "TASK_NOT_FOUND", "creating");
    await claimFailure(() => store.update(id, { blockedBy: ["../x"] }), "TASK_NOT_FOUND", "updating");
    claimSame(
      (await store.list()).map((task) => task.id),
      [id],
      "all tasks",
    );
  },
};

export const WATCH_CASES: Readonly<Record<string, TaskStoreCheck>> = {
  "a watcher sees tasks that are made and changed, and ends with its signal": async (store) => {
    const before = await store.create({ subject: "before" });
    const stop = new AbortController();
    const changes = store.watch(stop.signal)[Symbol.asyncIterator]();

    const made = await store.create({ subject: "made" });
    await store.update(before.id, { status: "completed" });

    const seen: Task[] = [];
    while (seen.length < 2) {
      const { done, value } = await changes.next();
      claim(!done, "the watcher ended by itself.");
      seen.push(value);
    }
    const same = new Map(seen.map(({ id, status }) => [id, status]));
    claimSame([same.get(made.id), same.get(before.id)], ["pending", "completed"], "what the watcher saw");
    const next = changes.next();
    stop.abort();
    claim((await next).done === true, "the watcher did not end with its signal.");
  },

  "a watcher can leave, and one whose signal has aborted sees nothing": async (store) => {
    for await (const _ of store.watch(AbortSignal.abort())) claim(false, "an aborted watcher saw a task.");
    const leaving = store.watch()[Symbol.asyncIterator]();
    await store.create({ subject: "a" });
    await leaving.next();

    await leaving.return?.();

    claim((await leaving.next()).done === true, "a watcher that left still watches.");
  },
};

async function claimSoon(store: TaskStore, owner: string): Promise<Task> {
  for (;;) {
    const task = await store.claim({ owner });
    if (task) return task;
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3));
}
