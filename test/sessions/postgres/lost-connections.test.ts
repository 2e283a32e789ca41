// What is changed over a connection that is lost is changed once, whether the server got the statement or not.
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createPostgresFactStore, createPostgresTaskStore } from "../../../src/sessions/postgres/index.js";
import { startCuttingProxy } from "../../postgres/cutting-proxy.js";
import { testDatabase } from "../../postgres/kit.js";

const database = await testDatabase();
const proxy = await startCuttingProxy(database.config.host);
const pool = new pg.Pool({ ...database.config, host: proxy.host });
afterAll(async () => {
  await pool.end();
  await proxy.close();
  await database.close();
});

describe.each(["before", "after"] as const)("cut %s the server has it", (when) => {
  test("a task is made, claimed and completed once", async () => {
    const store = createPostgresTaskStore({ pool, list: when });
    proxy.cutAt("INSERT INTO", when);
    const { id } = await store.create({ subject: "Paint the door" });
    proxy.cutAt("COMMIT", when);
    const claimed = await store.claim({ owner: "ann" });
    proxy.cutAt("COMMIT", when);
    await store.update(id, { status: "completed" }, { owner: "ann" });

    expect(claimed).toMatchObject({ id, owner: "ann", version: 2 });
    expect(await store.list()).toMatchObject([{ id, status: "completed", version: 3 }]);
  });

  test("a fact is added once, and says so", async () => {
    const store = createPostgresFactStore({ pool, book: when });
    proxy.cutAt("COMMIT", when);
    const fact = await store.remember({ text: "The door is blue." });
    proxy.cutAt("COMMIT", when);
    const changed = await store.update(fact.id, { text: "The door is green." });

    expect([fact.outcome, changed.version]).toEqual(["added", 2]);
    expect(await createPostgresFactStore({ pool, book: when }).list()).toEqual([changed]);
  });
});

test("a tenant's tasks and facts are its own", async () => {
  const [tasksOfA, tasksOfB] = ["a", "b"].map((tenant) => createPostgresTaskStore({ pool, tenant }));
  const [factsOfA, factsOfB] = ["a", "b"].map((tenant) => createPostgresFactStore({ pool, tenant }));
  const { id } = await tasksOfA!.create({ subject: "Mine" });
  const fact = await factsOfA!.remember({ text: "The key is under the mat." });

  expect([await tasksOfB!.get(id), await tasksOfB!.list(), await tasksOfB!.claim({ owner: "b" })]).toEqual([
    undefined,
    [],
    undefined,
  ]);
  await expect(tasksOfB!.update(id, { subject: "Yours" })).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
  expect([await factsOfB!.list(), await factsOfB!.recall("key mat")]).toEqual([[], []]);
  await expect(factsOfB!.forget(fact.id)).rejects.toMatchObject({ code: "FACT_NOT_FOUND" });
});
