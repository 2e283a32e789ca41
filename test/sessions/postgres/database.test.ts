import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll, expect, test, vi } from "vitest";
import { Database } from "../../../src/sessions/postgres/database.js";
import { createPostgresTaskStore } from "../../../src/sessions/postgres/index.js";
import { testDatabase } from "../../postgres/kit.js";

const { pool, close } = await testDatabase();
afterAll(close);

async function processOf(database: Database): Promise<number> {
  const { rows } = await database.query("SELECT pg_backend_pid() AS pid");
  return rows[0].pid;
}

test("what is asked inside a transaction is a part of it, and of no other database's", async () => {
  const [one, other] = [new Database(pool, "a"), new Database(pool, "b")];

  const pids = await one.transaction(async () => {
    const outer = await processOf(one);
    const [inner, again] = await other.transaction(async () => [await processOf(other), await processOf(one)]);
    return { outer, inner, again, after: await one.transaction(() => processOf(one)) };
  });

  expect(pids).toEqual({ outer: pids.outer, inner: pids.inner, again: pids.outer, after: pids.outer });
  expect(pids.inner).not.toBe(pids.outer);
});

// On Node before 24 each storage that was ever used makes every promise of the process cost more.
test("however many databases and lists of tasks there are, the process has two async storages", async () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, "run");

  for (const list of ["a", "b", "c"]) {
    await new Database(pool, list).transaction(async () => {});
    const tasks = createPostgresTaskStore({ pool, list });
    const first = await tasks.create({ subject: "first" });
    const second = await tasks.create({ subject: "second" });
    await tasks.update(second.id, { blockedBy: [first.id] });
  }

  const storages = new Set(run.mock.contexts);
  run.mockRestore();
  expect(storages.size).toBe(2);
});
