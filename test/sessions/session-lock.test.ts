import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startOf } from "../../src/processes/process-lock.js";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { runs } from "../runs.js";
import { bundled, type Child, entries, idsOf, leftovers, startChild, temporaryDirectory } from "./kit.js";

const RACES = runs(25, 60, 2_000);

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./lock-program.ts", import.meta.url));
});

/** Processes that are about to lock these sessions. */
async function lockers(count: number, dir: string, ids: readonly string[]): Promise<Child[]> {
  const children = Array.from({ length: count }, () => startChild(program, [dir, ...ids]));
  onTestFinished(() => Promise.all(children.map((child) => child.kill())).then(() => {}));
  for (const child of children) await child.line();
  return children;
}

async function go(child: Child): Promise<{ got: string[]; codes: string[] }> {
  child.process.stdin!.write("go\n");
  return JSON.parse((await child.line())!);
}

test("a session another process has locked is busy: it is neither locked, appended to nor deleted", async () => {
  const dir = temporaryDirectory();
  const [child] = await lockers(1, dir, ["s"]);
  await go(child!);
  const store = createFileSessionStore({ dir });
  const busy = {
    code: "SESSION_BUSY",
    retryable: true,
    message: expect.stringContaining(`process ${child!.process.pid}`),
  };

  await expect(store.lock("s")).rejects.toMatchObject(busy);
  await expect(store.append("s", entries(1))).rejects.toMatchObject(busy);
  await expect(store.delete("s")).rejects.toMatchObject(busy);
});

test("kill -9 of the process that holds a lock frees it, and nothing is left of it", async () => {
  const dir = temporaryDirectory();
  const [child] = await lockers(1, dir, ["s"]);
  await go(child!);
  const store = createFileSessionStore({ dir });

  await child!.kill();
  const release = await store.lock("s");
  await store.append("s", entries(2));
  await release();

  expect(await idsOf(store, "s")).toEqual(["e0", "e1"]);
  expect(leftovers(dir)).toEqual([]);
});

test("of processes that race for the locks of a dead one, each lock goes to exactly one", async () => {
  const dir = temporaryDirectory();
  const ids = Array.from({ length: RACES }, (_, index) => `s${index}`);
  const [holder] = await lockers(1, dir, ids);
  await go(holder!);
  await holder!.kill();
  const racers = await lockers(3, dir, ids);

  const outcomes = await Promise.all(racers.map(go));

  expect(outcomes.flatMap(({ got }) => got).sort()).toEqual([...ids].sort());
  expect(new Set(outcomes.flatMap(({ codes }) => codes))).toEqual(new Set(["SESSION_BUSY"]));
  expect(leftovers(dir).sort()).toEqual(ids.map((id) => `${id}.lock`).sort());
});

test("takers that die while they take locks over leave nothing that keeps others out", async () => {
  const dir = temporaryDirectory();
  const ids = Array.from({ length: RACES }, (_, index) => `s${index}`);
  const [holder] = await lockers(1, dir, ids);
  await go(holder!);
  await holder!.kill();
  for (let killed = 0; killed < 4; killed++) {
    const [taker] = await lockers(1, dir, ids);
    taker!.process.stdin!.write("go\n");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
    await taker!.kill();
  }
  const racers = await lockers(2, dir, ids);

  const outcomes = await Promise.all(racers.map(go));

  expect(outcomes.flatMap(({ got }) => got).sort()).toEqual([...ids].sort());
});

test("a lock of another machine counts as held, and says where it is", async () => {
  const dir = temporaryDirectory();
  const owner = { pid: process.pid, start: null, host: `not-${hostname()}`, token: "0123456789abcdef" };
  writeFileSync(join(dir, "s.lock"), JSON.stringify(owner));

  await expect(createFileSessionStore({ dir }).lock("s")).rejects.toMatchObject({
    code: "SESSION_BUSY",
    message: expect.stringContaining(join(dir, "s.lock")),
  });
});

test.each([
  [
    "a process whose id was given to another",
    JSON.stringify({ pid: process.pid, start: "earlier", host: hostname(), token: "0".repeat(16) }),
  ],
  ["a process that is gone", JSON.stringify({ pid: 2 ** 30, start: null, host: hostname(), token: "0".repeat(16) })],
  ["nobody: a loss of power emptied it", ""],
  [
    "nobody: its token is a path",
    JSON.stringify({ pid: 2 ** 30, start: null, host: hostname(), token: "/../../../x" }),
  ],
])("the lock of %s is taken over", async (_what, content) => {
  const dir = temporaryDirectory();
  writeFileSync(join(dir, "s.lock"), content);
  const store = createFileSessionStore({ dir });

  const release = await store.lock("s");
  const held = JSON.parse(readFileSync(join(dir, "s.lock"), "utf8"));
  await release();

  expect(held).toMatchObject({ pid: process.pid, host: hostname() });
  expect(readdirSync(dir)).toEqual([]);
});

test("two stores of one process keep each other out", async () => {
  const dir = temporaryDirectory();
  const [one, other] = [createFileSessionStore({ dir }), createFileSessionStore({ dir })];
  const release = await one.lock("s");

  await expect(other.lock("s")).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await expect(other.append("s", entries(1))).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await release();

  await (await other.lock("s"))();
});

test("a release that lost its lock to others leaves theirs alone", async () => {
  const dir = temporaryDirectory();
  const release = await createFileSessionStore({ dir }).lock("s");
  const foreign = JSON.stringify({ pid: process.ppid, start: null, host: hostname(), token: "f".repeat(16) });
  writeFileSync(join(dir, "s.lock"), foreign);

  await release();

  expect(readFileSync(join(dir, "s.lock"), "utf8")).toBe(foreign);
});

test("appends, locks, releases and deletes that are not awaited happen in their order", async () => {
  const dir = temporaryDirectory();
  const store = createFileSessionStore({ dir, durability: "process" });

  const first = store.append("s", entries(1));
  const locked = store.lock("s");
  const second = store.append("s", entries(1, 1));
  const release = await locked;
  const third = store.append("s", entries(1, 2));
  const released = release();
  const fourth = store.append("s", entries(1, 3));
  await Promise.all([first, second, third, released, fourth]);

  expect(await idsOf(store, "s")).toEqual(["e0", "e1", "e2", "e3"]);
  expect(leftovers(dir)).toEqual([]);
});

test("a process is alive with one start, and dead once it has ended", async () => {
  const [child] = await lockers(1, temporaryDirectory(), []);
  const pid = child!.process.pid!;

  const starts = [await startOf(pid), await startOf(pid)];
  await child!.kill();

  expect(starts[0]).not.toBe("dead");
  expect(starts[0]).toBe(starts[1]);
  expect(starts[0]).not.toBe(await startOf(process.pid));
  expect(await startOf(pid)).toBe("dead");
});
