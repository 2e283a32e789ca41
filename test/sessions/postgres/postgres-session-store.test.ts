import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createPostgresSessionStore } from "../../../src/sessions/postgres/index.js";
import { startCuttingProxy } from "../../postgres/cutting-proxy.js";
import { testDatabase } from "../../postgres/kit.js";
import { bundled, collect, entries, idsOf, startChild } from "../kit.js";

const database = await testDatabase();
const { pool, config } = database;
const program = await bundled(new URL("./holder-program.ts", import.meta.url));
afterAll(async () => {
  await database.close();
});

test("a holder that was paused and comes back cannot append once another has the lock", async () => {
  // Its lease ends when this test says so, and not on its own.
  const holder = startChild(program, [JSON.stringify(config), "paused", "600000"]);
  expect(await holder.line()).toBe("locked");
  const tell = async (line: string) => {
    holder.process.stdin!.write(`${line}\n`);
    return holder.line();
  };
  expect(await tell("append 0")).toBe("appended");
  const store = createPostgresSessionStore({ pool });
  await expect(store.lock("paused")).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await expect(store.append("paused", entries(1, 1))).rejects.toMatchObject({ code: "SESSION_BUSY" });

  holder.process.kill("SIGSTOP");
  await pool.query("UPDATE loopwright.lock_holders SET alive_until = now() - interval '1 second'");
  const release = await lockSoon(store, "paused");
  await store.append("paused", entries(1, 1));
  holder.process.kill("SIGCONT");

  expect(await tell("append 2")).toBe("SESSION_WRITE");
  await release();
  expect(await tell("append 3")).toBe("SESSION_WRITE");
  expect(await tell("release")).toBe("released");
  holder.process.stdin!.end();
  await holder.ended;
  expect(await idsOf(store, "paused")).toEqual(["e0", "e1"]);
});

test("a holder that was paused and had no rival goes on", async () => {
  const holder = startChild(program, [JSON.stringify(config), "alone", "100"]);
  expect(await holder.line()).toBe("locked");
  holder.process.kill("SIGSTOP");
  await until(async () => {
    return (await leaseOf("alone")).over;
  });

  holder.process.kill("SIGCONT");
  holder.process.stdin!.end("append 0\n");

  expect(await holder.line()).toBe("appended");
  await holder.ended;
});

test("the lock of a process that was killed is taken over, and the store's own lock lasts", async () => {
  const holder = startChild(program, [JSON.stringify(config), "killed", "200"]);
  expect(await holder.line()).toBe("locked");
  await holder.kill();

  const mine = createPostgresSessionStore({ pool, leaseMs: 500 });
  const release = await lockSoon(mine, "killed");

  // It is renewed, again and again.
  const ends = new Set<string>();
  await until(async () => {
    ends.add((await leaseOf("killed")).end);
    return ends.size >= 4;
  });
  await release();
});

test.each(["before", "after"] as const)(
  "an append whose connection is cut %s the server has it is made once",
  async (when) => {
    const proxy = await startCuttingProxy(config.host);
    const own = new pg.Pool({ ...config, host: proxy.host });
    const store = createPostgresSessionStore({ pool: own });
    const id = `cut-${when}`;
    const release = await store.lock(id);

    for (let n = 0; n < 3; n++) {
      proxy.cutAt("session_entries", when);
      await store.append(id, entries(2, n * 2));
    }
    proxy.cutAt("holder = NULL", when);
    await release();
    proxy.cutAt("session_entries", when);
    await store.append(id, entries(1, 6));

    expect(await idsOf(store, id)).toEqual(["e0", "e1", "e2", "e3", "e4", "e5", "e6"]);
    expect(proxy.cuts).toBeGreaterThanOrEqual(5);
    await own.end();
    await proxy.close();
  },
);

test("a tenant sees nothing of another's, whatever the ids", async () => {
  const [a, b] = ["a", "b"].map((tenant) => createPostgresSessionStore({ pool, tenant }));
  await a!.append("same", entries(2));
  const release = await a!.lock("same");

  expect(await idsOf(b!, "same")).toEqual([]);
  for await (const info of b!.list()) expect(info).toBeNull();
  await b!.delete("same");
  await (await b!.lock("same"))();
  await b!.append("same", entries(1, 7));

  expect(await idsOf(a!, "same")).toEqual(["e0", "e1"]);
  expect(await idsOf(b!, "same")).toEqual(["e7"]);
  await release();
});

test("a database without the tables says what to run", async () => {
  const store = createPostgresSessionStore({ pool, schema: "nowhere" });

  await expect(store.append("s", entries(1))).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining("migrate({ pool })"),
  });
});

/** When the lease of a session's lock ends, and whether it has. */
async function leaseOf(id: string): Promise<{ readonly end: string; readonly over: boolean }> {
  const { rows } = await pool.query(
    `SELECT alive_until::text AS end, alive_until < clock_timestamp() AS over
       FROM loopwright.sessions s JOIN loopwright.lock_holders h ON h.id = s.holder WHERE s.id = $1`,
    [id],
  );
  return rows[0];
}

async function lockSoon(store: ReturnType<typeof createPostgresSessionStore>, id: string) {
  for (;;) {
    try {
      return await store.lock(id);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("a limit that is not a number is refused", async () => {
  const store = createPostgresSessionStore({ pool });

  await expect(collect(store.list({ limit: Number.NaN }))).rejects.toMatchObject({ code: "OPTION_INVALID" });
  await expect(collect(store.list({ limit: "5" as never }))).rejects.toThrow('"limit" of sessions.list()');
});
