import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createFileTaskStore } from "../../src/tasks/index.js";
import { runs } from "../runs.js";
import { bundled, type Child, startChild, temporaryDirectory } from "../sessions/kit.js";

const TASKS = runs(40, 1_000, 1_000);
const KILLS = runs(2, 12, 200);
/** What the processes that are killed have to do. */
const WORK = runs(60, 150, 150);

let program: string;
beforeAll(async () => {
  program = await bundled(new URL("./claim-program.ts", import.meta.url));
});

async function linesOf(child: Child): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await child.line(); line !== null; line = await child.line()) lines.push(line);
  return lines;
}

function idsAfter(word: string, lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
}

/** What is in the directory beside tasks. */
function leftovers(dir: string): string[] {
  const locks = readdirSync(join(dir, ".locks"));
  return [...readdirSync(dir).filter((name) => !/^(\d+\.json|\.locks)$/.test(name)), ...locks];
}

test("eight processes work off tasks with dependencies, and each is done exactly once", async () => {
  const dir = temporaryDirectory();
  const store = createFileTaskStore({ dir });
  const ids: string[] = [];
  for (let n = 0; n < TASKS; n++) {
    // Chains of three beside each other, and a task that waits for many at the end.
    const blockedBy = n === TASKS - 1 ? ids.slice(-100) : n % 3 === 0 ? [] : ids.slice(-1);
    ids.push((await store.create({ subject: `task ${n}`, blockedBy })).id);
  }

  const children = Array.from({ length: 8 }, (_, n) => startChild(program, [dir, `p${n}`, "600000", "no"]));
  const lines = (await Promise.all(children.map(linesOf))).flat();

  expect(idsAfter("claimed", lines).sort()).toEqual([...ids].sort());
  expect(idsAfter("done", lines).sort()).toEqual([...ids].sort());
  const tasks = await store.list();
  expect(tasks.map(({ status, version }) => `${status} ${version}`)).toEqual(ids.map(() => "completed 3"));
  expect(new Set(tasks.map(({ result }) => result)).size).toBeGreaterThan(1);
  expect(leftovers(dir)).toEqual([]);
});

test("a task of a process that is killed is free after its lease", async () => {
  const dir = temporaryDirectory();
  const store = createFileTaskStore({ dir });
  const { id } = await store.create({ subject: "a" });
  const owner = startChild(program, [dir, "owner", "1500", "yes"]);
  expect([await owner.line(), await owner.line()]).toEqual(["ready", `claimed ${id}`]);
  const { leaseUntil } = (await store.get(id))!;

  await owner.kill();
  const heir = startChild(program, [dir, "heir", "600000", "no"]);
  const lines = await linesOf(heir);

  expect(idsAfter("done", lines)).toEqual([id]);
  const task = (await store.get(id))!;
  expect([task.owner, task.version]).toEqual(["heir", 4]);
  expect(task.updatedAt).toBeGreaterThanOrEqual(leaseUntil!);
});

test("a task of a process that was killed a moment ago is not free", async () => {
  const dir = temporaryDirectory();
  const store = createFileTaskStore({ dir });
  const { id } = await store.create({ subject: "a" });
  const owner = startChild(program, [dir, "owner", "600000", "yes"]);
  expect([await owner.line(), await owner.line()]).toEqual(["ready", `claimed ${id}`]);

  await owner.kill();

  expect(await store.claim({ owner: "heir" })).toBeUndefined();
});

test("processes killed at any moment leave whole tasks, each with one result, and nothing else", async () => {
  const dir = temporaryDirectory();
  const store = createFileTaskStore({ dir });
  const ids: string[] = [];
  for (let n = 0; n < WORK; n++) ids.push((await store.create({ subject: `task ${n}` })).id);

  const lines: string[] = [];
  const start = (n: number) => {
    const child = startChild(program, [dir, `p${n}`, "400", "no"]);
    return { child, read: linesOf(child).then((read) => void lines.push(...read)) };
  };
  const working = Array.from({ length: 3 }, (_, n) => start(n));
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = working.shift()!;
    await victim.child.line();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    await victim.child.kill();
    working.push(start(kill + 3));
  }
  await Promise.all(working.map(({ read }) => read));

  const tasks = await store.list();
  expect(tasks.map(({ id, status }) => `${id} ${status}`)).toEqual(ids.map((id) => `${id} completed`));
  const done = idsAfter("done", lines);
  expect(done.length).toBe(new Set(done).size);
  // A lock of the dead is taken over by the next change of its task, and holds up nobody.
  expect(leftovers(dir).filter((name) => !/\.(tmp|lock|[0-9a-f]{16})$/.test(name))).toEqual([]);
  expect(leftovers(dir).length).toBeLessThanOrEqual(4 * KILLS);
  for (const id of ids) await store.update(id, { status: "pending" });
});
