import { afterAll, expect, test } from "vitest";
import { migrate } from "../../../src/sessions/postgres/index.js";
import { testDatabase } from "../../postgres/kit.js";

const database = await testDatabase({ migrated: false });
const { pool } = database;
afterAll(() => database.close());

test("each step is applied once, also when many processes migrate at once", async () => {
  const done = await Promise.all(Array.from({ length: 5 }, () => migrate({ pool })));

  const [first] = done;
  expect(done.flatMap(({ applied }) => applied)).toEqual(Array.from({ length: first!.version }, (_, n) => n + 1));
  expect(await migrate({ pool })).toEqual({ schema: "loopwright", version: first!.version, applied: [] });
});

test("tables of a newer version are left alone", async () => {
  await migrate({ pool, schema: "newer" });
  await pool.query("INSERT INTO newer.migrations (version) VALUES (1000)");

  await expect(migrate({ pool, schema: "newer" })).rejects.toMatchObject({ code: "SESSION_VERSION" });
});
