import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Task, TaskStore } from "../../src/contracts/task.js";
import { createFileTaskStore } from "../../src/tasks/index.js";
import { temporaryDirectory } from "../sessions/kit.js";

async function twoTasks(): Promise<{ dir: string; store: TaskStore; file: string }> {
  const dir = temporaryDirectory();
  const store = createFileTaskStore({ dir });
  await store.create({ subject: "one", description: "first" });
  await store.create({ subject: "two" });
  return { dir, store, file: join(dir, "1.json") };
}

const BROKEN: Record<string, string> = {
  "an empty file": "",
  "no JSON": "{ nonsense",
  "another kind of JSON": "[1, 2]",
  "a field of a wrong type": JSON.stringify({ v: 1, id: "1", subject: 5 }),
  "an unknown status": "status",
  "a format of tomorrow": "version",
  "another task's content": "id",
};

function broken(kind: string, whole: string): string {
  if (kind === "status") return whole.replace('"pending"', '"almost"');
  if (kind === "version") return whole.replace('"v": 1', '"v": 2');
  return kind === "id" ? whole.replace('"id": "1"', '"id": "7"') : kind;
}

test.each(Object.entries(BROKEN))("%s is reported by name, never passed over, and left as it is", async (_, kind) => {
  const { dir, store, file } = await twoTasks();
  const damaged = broken(kind, readFileSync(file, "utf8"));
  writeFileSync(file, damaged);
  const fresh = createFileTaskStore({ dir });

  const refusal = { code: "TASK_CORRUPT", message: expect.stringContaining(file) };
  for (const each of [store, fresh]) {
    await expect(each.list()).rejects.toMatchObject({ ...refusal, details: { files: [file] } });
    await expect(each.get("1")).rejects.toMatchObject(refusal);
    await expect(each.update("1", { status: "completed" })).rejects.toMatchObject(refusal);
    await expect(each.claim({ owner: "a", id: "1" })).rejects.toMatchObject(refusal);
  }
  expect((await fresh.claim({ owner: "a" }))?.id).toBe("2");
  await expect(fresh.claim({ owner: "a" })).rejects.toMatchObject(refusal);
  expect(readFileSync(file, "utf8")).toBe(damaged);
});

test("tasks that were copied without their empty directory of locks can be changed, by several at once", async () => {
  const { dir } = await twoTasks();
  rmSync(join(dir, ".locks"), { recursive: true });
  const stores = [createFileTaskStore({ dir }), createFileTaskStore({ dir })];

  const [one, two] = await Promise.all(
    stores.map((store, index) => store.update(`${index + 1}`, { status: "completed" })),
  );

  expect([one?.status, two?.status]).toEqual(["completed", "completed"]);
  await expect(stores[0]!.update("3", { status: "completed" })).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
});

test("a task cut at any byte is reported, and is whole again once it has been repaired", async () => {
  const { store, file } = await twoTasks();
  const whole = readFileSync(file, "utf8");

  // Without its last line break the text is still whole.
  for (let bytes = 0; bytes < whole.trimEnd().length; bytes++) {
    truncateSync(file, bytes);
    await expect(store.get("1")).rejects.toMatchObject({ code: "TASK_CORRUPT" });
    writeFileSync(file, whole);
  }

  expect(await store.list()).toMatchObject([{ subject: "one" }, { subject: "two" }]);
});

test("a task behind a damaged one stays blocked", async () => {
  const { store, file } = await twoTasks();
  await store.update("2", { blockedBy: ["1"] });
  writeFileSync(file, "");

  await expect(store.claim({ owner: "a" })).rejects.toMatchObject({ code: "TASK_CORRUPT" });
  await expect(store.claim({ owner: "a", id: "2" })).rejects.toMatchObject({ code: "TASK_CORRUPT" });
});

test("a change that another process makes is seen at once, also when it is as long and as old as before", async () => {
  const { dir, store, file } = await twoTasks();
  const other = createFileTaskStore({ dir });
  await store.list();

  await other.update("1", { status: "completed" });
  writeFileSync(file, readFileSync(file, "utf8").replace("one", "eno"));
  utimesSync(file, 1_000, 1_000);

  expect(await store.list({ status: "completed" })).toMatchObject([{ subject: "eno" }]);
  expect((await store.claim({ owner: "a" }))?.id).toBe("2");
});

test("a task that is opened again by another process is found by one who has seen its end", async () => {
  const { dir, store } = await twoTasks();
  await store.update("1", { status: "completed" });
  await store.update("2", { status: "completed" });
  expect(await store.claim({ owner: "a" })).toBeUndefined();

  await createFileTaskStore({ dir }).update("2", { status: "pending" });

  expect((await store.claim({ owner: "a" }))?.id).toBe("2");
});

test("other files, directories and links in the directory are not tasks, or are reported", async () => {
  const { dir, store } = await twoTasks();
  writeFileSync(join(dir, "README.md"), "# Tasks");
  writeFileSync(join(dir, ".loopwright-0123456789abcdef.tmp"), "half");
  expect((await store.list()).length).toBe(2);

  mkdirSync(join(dir, "dir.json"));
  symlinkSync(join(dir, "nowhere"), join(dir, "gone.json"));
  writeFileSync(join(dir, "not a task.json"), "{}");

  const error = await store.list().catch((reason) => reason);
  expect(error.details.files.sort()).toEqual(["dir.json", "not a task.json"].map((name) => join(dir, name)).sort());
});

test("what a crash left half written is removed once it is old", async () => {
  const { dir, store } = await twoTasks();
  const left = join(dir, ".loopwright-0123456789abcdef.tmp");
  writeFileSync(left, "half");
  utimesSync(left, 1_000, 1_000);

  await store.list();

  expect(readdirSync(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("a directory that is not there reads as empty, and is made by the first task", async () => {
  const store = createFileTaskStore({ dir: join(temporaryDirectory(), "a", "b") });

  expect(await store.list()).toEqual([]);
  expect(await store.claim({ owner: "a" })).toBeUndefined();
  await expect(store.update("1", {})).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
  expect((await store.create({ subject: "a" })).id).toBe("1");
});

test("ids go on where the directory ends, also when two stores count at once", async () => {
  const { dir } = await twoTasks();
  const stores = [createFileTaskStore({ dir }), createFileTaskStore({ dir })];

  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => stores[n % 2]!.create({ subject: `task ${n}` })));

  expect(made.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 3));
});

test("a watcher sees what another process's store does", async () => {
  const { dir } = await twoTasks();
  const stop = new AbortController();
  const changes = createFileTaskStore({ dir }).watch(stop.signal)[Symbol.asyncIterator]();
  const other = createFileTaskStore({ dir });
  /** What was made in the millisecond in which the watch began may be reported, too. */
  const nextChange = async (): Promise<Task> => {
    const { value } = await changes.next();
    return value.status === "pending" ? nextChange() : value;
  };

  await other.claim({ owner: "x", id: "2" });
  const first = await nextChange();
  await other.update("2", { status: "completed" });
  const second = await nextChange();
  stop.abort();

  expect([first, second]).toMatchObject([
    { id: "2", status: "in_progress" },
    { id: "2", status: "completed" },
  ]);
});

test("unknown options and paths that are not are refused", () => {
  expect(() => createFileTaskStore({ dir: "" })).toThrow(/"dir".*path of a directory/);
  expect(() => createFileTaskStore({ dir: "x", durable: true } as never)).toThrow(/no option "durable"/);
});
