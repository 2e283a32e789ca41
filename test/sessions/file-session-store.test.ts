import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { fileSessionStoreOn } from "../../src/sessions/file-session-store.js";
import { createFileSessionStore } from "../../src/sessions/index.js";
import { sessionStoreContract } from "../../src/testing/index.js";
import { faultyFiles } from "./faulty-files.js";
import { collect, entries, idsOf, temporaryDirectory } from "./kit.js";

const shared = mkdtempSync(join(tmpdir(), "loopwright-sessions-"));
afterAll(() => rmSync(shared, { recursive: true, force: true }));

for (const durability of ["power", "process"] as const) {
  const makeStore = () => createFileSessionStore({ dir: shared, durability });
  for (const c of sessionStoreContract(makeStore)) test(`${c.name} (durability: ${durability})`, c.run);
}

test("a line of the file is JSON with a version, a checksum, its number, its append and its entry", async () => {
  const dir = temporaryDirectory();
  const [entry, ...others] = entries(3);

  await createFileSessionStore({ dir }).append("s", [entry!]);
  await createFileSessionStore({ dir }).append("s", others);

  const lines = readFileSync(join(dir, "s.jsonl"), "utf8").split("\n");
  expect(lines.pop()).toBe("");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { v: 1, sum: expect.any(String), n: 1, batch: [1, 1], entry },
    { v: 1, sum: expect.any(String), n: 2, batch: [2, 3], entry: others[0] },
    { v: 1, sum: expect.any(String), n: 3, batch: [2, 3], entry: others[1] },
  ]);
  for (const line of lines) {
    const summed = line.replace(/^\{"v":1,"sum":"[0-9a-f]+",/, "");
    expect(JSON.parse(line).sum).toBe(crc32(summed).toString(16).padStart(8, "0"));
  }
});

test("an append writes its entries with one write", async () => {
  const { files, done } = faultyFiles(() => null);

  await fileSessionStoreOn(files, { dir: temporaryDirectory() }).append("s", entries(500));

  expect(done.filter((operation) => operation === "write")).toEqual(["write"]);
});

test("entries are kept as they were when append was called", async () => {
  const store = createFileSessionStore({ dir: temporaryDirectory() });
  const entry = { ...entries(1)[0]!, data: { text: "before" } } as never;

  const appended = store.append("s", [entry]);
  (entry as { data: { text: string } }).data.text = "after";
  await appended;

  expect(await collect(store.read("s"))).toMatchObject([{ data: { text: "before" } }]);
});

test("what is not JSON is refused, and nothing of its append is kept", async () => {
  const store = createFileSessionStore({ dir: temporaryDirectory() });
  const circular: { self?: unknown } = {};
  circular.self = circular;

  for (const wrong of [circular, { n: 1n }, undefined, null, "text"]) {
    await expect(store.append("s", [...entries(1), wrong as never])).rejects.toMatchObject({ code: "SESSION_WRITE" });
  }

  expect(await idsOf(store, "s")).toEqual([]);
});

test("a reader takes a large session in small pieces, and only as far as it is read", async () => {
  const dir = temporaryDirectory();
  const store = createFileSessionStore({ dir, durability: "process" });
  for (let at = 0; at < 800; at += 100) await store.append("s", entries(100, at, "x".repeat(20_000)));
  const size = statSync(join(dir, "s.jsonl")).size;
  const { files, done } = faultyFiles(() => null);
  const reading = fileSessionStoreOn(files, { dir }).read("s")[Symbol.asyncIterator]();

  await reading.next();
  const readsForOne = done.filter((operation) => operation === "read").length;
  await reading.return?.();

  expect(size).toBeGreaterThan(16_000_000);
  // The end is looked for first: in the last append, which is two megabytes.
  expect(readsForOne).toBeLessThanOrEqual(6);
  expect(done.at(-1)).toBe("close");
});

test("sessions of the same millisecond are listed by their last append", async () => {
  const store = createFileSessionStore({ dir: temporaryDirectory() });
  for (const id of ["a", "b", "c", "a"]) {
    await store.append(id, entries(1));
    await new Promise((resolve) => setTimeout(resolve, 20)); // The file system's clock is coarse.
  }

  expect((await collect(store.list())).map(({ id }) => id)).toEqual(["a", "c", "b"]);
});

test("list tells of damaged sessions what can be reported, and passes other files over", async () => {
  const dir = temporaryDirectory();
  const store = createFileSessionStore({ dir });
  await store.append("whole", entries(2));
  await store.append("torn", entries(3));
  await store.append("torn", entries(1, 3));
  await store.append("damaged", entries(1));
  const cut = readFileSync(join(dir, "torn.jsonl")).subarray(0, -5);
  writeFileSync(join(dir, "torn.jsonl"), cut);
  writeFileSync(join(dir, "damaged.jsonl"), "something else\n");
  writeFileSync(join(dir, "empty.jsonl"), "");
  writeFileSync(join(dir, "notes.txt"), "");

  const listed = await collect(store.list());

  expect(listed.slice(1)).toEqual([
    { id: "torn", createdAt: 1_000, updatedAt: 1_002, entries: 3 },
    { id: "whole", createdAt: 1_000, updatedAt: 1_001, entries: 2 },
  ]);
  expect(listed[0]).toMatchObject({ id: "damaged", entries: 0 });
});

test("sessions of a directory that is not there yet are not", async () => {
  const store = createFileSessionStore({ dir: join(temporaryDirectory(), "a", "b") });

  await store.delete("s");

  expect(await collect(store.list())).toEqual([]);
  expect(await idsOf(store, "s")).toEqual([]);
});

test("the directory and its parents are made for their owner alone", async () => {
  const dir = join(temporaryDirectory(), "a", "b");

  await createFileSessionStore({ dir }).append("s", entries(1));

  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dir, "s.jsonl")).mode & 0o777).toBe(0o600);
});

test("a symbolic link in place of a session's file is not followed out of the directory", async () => {
  const outside = temporaryDirectory();
  const dir = join(outside, "sessions");
  mkdirSync(dir);
  writeFileSync(join(outside, "secret"), "");
  symlinkSync(join(outside, "secret"), join(dir, "s.jsonl"));
  const store = createFileSessionStore({ dir });

  await expect(store.append("s", entries(1))).rejects.toMatchObject({ code: "SESSION_WRITE" });
  await expect(idsOf(store, "s")).rejects.toMatchObject({ code: "SESSION_READ" });

  expect(readFileSync(join(outside, "secret"), "utf8")).toBe("");
});

test("a directory that is a file is a clear failure", async () => {
  const dir = join(temporaryDirectory(), "file");
  writeFileSync(dir, "");
  const store = createFileSessionStore({ dir });

  await expect(store.append("s", entries(1))).rejects.toMatchObject({ code: "SESSION_WRITE" });
  await expect(idsOf(store, "s")).rejects.toMatchObject({ code: "SESSION_READ" });
  await expect(collect(store.list())).rejects.toMatchObject({ code: "SESSION_READ" });
});

test("wrong options are refused with what was expected", () => {
  const wrong = [
    {},
    { dir: "" },
    { dir: 7 },
    { dir: "a\0b" },
    { dir: "a", durability: "some" },
    { dir: "a", durability: null },
  ];
  for (const options of wrong) {
    expect(() => createFileSessionStore(options as never)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  }
  expect(() => createFileSessionStore(undefined as never)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
});
