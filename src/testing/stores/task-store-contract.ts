import type { Task, TaskStore } from "../../contracts/task.js";
import { type ContractCase, claim, claimFailure, claimSame, show, within } from "../contract-case.js";
import { CLAIM_CASES, GRAPH_CASES, LEASE_CASES, type TaskStoreCheck, WATCH_CASES } from "./task-store-sharing-cases.js";

/**
 * The promises of every `TaskStore`.
 *
 * `makeStore` is called once for each case and must give an empty store. Leases are tested with the store's own clock: the
 * suite claims for a few milliseconds and waits until they are over.
 *
 * @example
 * for (const c of taskStoreContract(() => createMemoryTaskStore())) test(c.name, c.run);
 */
export function taskStoreContract(makeStore: () => TaskStore | Promise<TaskStore>): ContractCase[] {
  const cases = { ...recordCases, ...CLAIM_CASES, ...LEASE_CASES, ...GRAPH_CASES, ...WATCH_CASES };
  return Object.entries(cases).map(([name, check]) => ({
    name,
    run: async () => within(CASE_TIMEOUT_MS, check(await makeStore()), name),
  }));
}

const CASE_TIMEOUT_MS = 30_000;

const recordCases: Record<string, TaskStoreCheck> = {
  "a task is kept as it was made, and read back the same": async (store) => {
    const made = await store.create({
      subject: "Write tests",
      description: "all\n€😀",
      metadata: { a: [1, null, {}] },
    });

    const { id, createdAt, updatedAt, ...rest } = made;
    claimSame(
      rest,
      {
        subject: "Write tests",
        description: "all\n€😀",
        status: "pending",
        blockedBy: [],
        version: 1,
        metadata: { a: [1, null, {}] },
      },
      "a new task",
    );
    claim(typeof id === "string" && id !== "" && createdAt === updatedAt, `a new task looks wrong: ${show(made)}`);
    claimSame(await store.get(id), made, "the task read back");
    claimSame(await store.list(), [made], "all tasks");
  },

  "ids differ, also of tasks made at once, and a taken id is refused": async (store) => {
    const made = await Promise.all(Array.from({ length: 20 }, (_, n) => store.create({ subject: `task ${n}` })));
    await store.create({ subject: "named", id: "my-task" });

    claim(new Set(made.map(({ id }) => id)).size === 20, "tasks made at once share an id.");
    await claimFailure(() => store.create({ subject: "x", id: "my-task" }), "TASK_CONFLICT", "a taken id");
    claim((await store.get("my-task"))?.subject === "named", "the task of the taken id was changed.");
  },

  "an unknown id reads as nothing, and cannot be changed": async (store) => {
    for (const id of ["nobody", "../nobody", "", "a/b", "x".repeat(300), "\0"]) {
      claimSame(await store.get(id), undefined, `the task ${show(id)}`);
      await claimFailure(() => store.update(id, { subject: "x" }), "TASK_NOT_FOUND", `changing ${show(id)}`);
      await claimFailure(() => store.claim({ id, owner: "a" }), "TASK_NOT_FOUND", `claiming ${show(id)}`);
      await claimFailure(() => store.renew(id, { owner: "a" }), "TASK_NOT_FOUND", `renewing ${show(id)}`);
      await claimFailure(() => store.release(id, { owner: "a" }), "TASK_NOT_FOUND", `releasing ${show(id)}`);
    }
  },

  "what is wrong is refused, and leaves no task behind": async (store) => {
    const wrong: unknown[] = [{}, { subject: "" }, { subject: "x", blockedBy: "y" }, { subject: "x", id: "../x" }];
    for (const task of [...wrong, { subject: "x", subjet: "y" }, { subject: "x", metadata: [] }]) {
      await claimFailure(() => store.create(task as never), "OPTION_INVALID", `creating ${show(task)}`);
    }
    claimSame(await store.list(), [], "all tasks");
  },

  "an update changes what it names, adds 1 to the version and leaves the rest": async (store) => {
    const made = await store.create({ subject: "a", description: "b", metadata: { n: 1 } });

    const updated = await store.update(made.id, { status: "completed", result: { lines: [1, 2] } });

    const { updatedAt, ...rest } = updated;
    const { updatedAt: _, ...before } = made;
    claimSame(rest, { ...before, status: "completed", result: { lines: [1, 2] }, version: 2 }, "the updated task");
    claim(updatedAt >= made.updatedAt, "updatedAt went backwards.");
    claimSame(await store.get(made.id), updated, "the task read back");
  },

  "of many updates based on one version exactly one is made": async (store) => {
    const { id, version } = await store.create({ subject: "a" });

    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => store.update(id, { subject: `by ${n}` }, { ifVersion: version })),
    );

    const made = outcomes.filter((outcome) => outcome.status === "fulfilled");
    claim(made.length === 1, `${made.length} of 10 updates based on one version were made; expected 1.`);
    claimSame(await store.get(id), made[0]!.value, "the task");
    await claimFailure(() => store.update(id, {}, { ifVersion: version }), "TASK_CONFLICT", "a stale version");
  },

  "what was passed or returned can be changed without changing the store": async (store) => {
    const blockers = [(await store.create({ subject: "first" })).id];
    const metadata = { list: [1] };
    const made = await store.create({ subject: "a", blockedBy: blockers, metadata });

    blockers.push("x");
    metadata.list.push(2);

    const kept = await store.get(made.id);
    claimSame([kept?.blockedBy.length, kept?.metadata], [1, { list: [1] }], "blockers and metadata");
    claim(Object.isFrozen(made) && Object.isFrozen(made.blockedBy), "a task is not frozen.");
  },

  "tasks are listed oldest first, by status, owner and readiness": async (store) => {
    const tasks: Task[] = [];
    for (const n of [0, 1, 2, 3]) tasks.push(await store.create({ subject: `task ${n}` }));
    const [a, b, c, d] = tasks.map(({ id }) => id) as [string, string, string, string];
    await store.update(b, { status: "cancelled" });
    await store.claim({ owner: "x", id: c });
    await store.update(d, { blockedBy: [a] });

    const listed = async (filter?: Parameters<TaskStore["list"]>[0]) => (await store.list(filter)).map(({ id }) => id);
    claimSame(await listed(), [a, b, c, d], "all tasks");
    claimSame(await listed({ status: "pending" }), [a, d], "pending tasks");
    claimSame(await listed({ status: ["cancelled", "in_progress"] }), [b, c], "cancelled and running tasks");
    claimSame(await listed({ owner: "x" }), [c], "tasks of x");
    claimSame(await listed({ ready: true }), [a], "ready tasks");
    claimSame(await listed({ ready: false }), [b, c, d], "tasks that are not ready");
  },
};
