import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isHarnessError } from "../../src/contracts/errors.js";
import type { SessionEntry, SessionStore } from "../../src/contracts/session.js";
import { createFileSessionStore, fileSessionStoreOn } from "../../src/sessions/file-session-store.js";
import { runs } from "../runs.js";
import { failure, faultyFiles } from "./faulty-files.js";
import { collect, entries, idsOf, leftovers, temporaryDirectory } from "./kit.js";

/** Of the bytes of a session, each so-many-th is tried. */
const STEP = runs(5, 1, 1);
const BATCHES = [entries(2), entries(3, 2, "é€😀"), entries(1, 5)];

/** A life of a session: two appends under a lock, one without. Answers the ids of what was acknowledged. */
async function live(store: SessionStore): Promise<{ readonly acknowledged: string[]; readonly errors: unknown[] }> {
  const acknowledged: string[] = [];
  const errors: unknown[] = [];
  const attempt = (work: Promise<unknown>) => work.catch((error: unknown) => void errors.push(error));
  const append = async (batch: readonly SessionEntry[]) =>
    attempt(store.append("s", batch).then(() => acknowledged.push(...batch.map(({ id }) => id))));
  let release = async () => {};
  await attempt(store.lock("s").then((held) => (release = held)));
  await append(BATCHES[0]!);
  await append(BATCHES[1]!);
  await attempt(release());
  await append(BATCHES[2]!);
  return { acknowledged, errors };
}

test.each(["ENOSPC", "EIO"])(
  "whatever file operation fails with %s, acknowledged entries are kept and no others",
  async (code) => {
    for (let failing = 1; ; failing++) {
      const dir = temporaryDirectory();
      const { files, done } = faultyFiles((_, n) => (n === failing ? failure(code) : null));
      const store = fileSessionStoreOn(files, { dir });

      const { acknowledged, errors } = await live(store);

      const what = `operation ${failing} (${done[failing - 1]})`;
      if (done.length < failing) break;
      expect(await idsOf(createFileSessionStore({ dir }), "s"), what).toEqual(acknowledged);
      for (const error of errors) expect(isHarnessError(error, "SESSION_WRITE"), `${what}: ${error}`).toBe(true);
      await store.append("s", entries(1, 9));
      expect(await idsOf(store, "s"), what).toEqual([...acknowledged, "e9"]);
      expect(
        leftovers(dir).filter((name) => name === "s.lock"),
        what,
      ).toEqual([]);
      rmSync(dir, { recursive: true });
    }
  },
);

test("wherever a process ends, what it acknowledged is kept, and an append under way is kept whole or not at all", async () => {
  const all = BATCHES.map((batch) => batch.map(({ id }) => id));
  for (let last = 1; ; last++) {
    const dir = temporaryDirectory();
    const { files, done } = faultyFiles((_, n) => (n >= last ? failure("EIO") : null));

    const { acknowledged } = await live(fileSessionStoreOn(files, { dir }));

    if (done.length < last) break;
    rmSync(join(dir, "s.lock"), { force: true }); // As if its process were dead.
    const store = createFileSessionStore({ dir });
    const kept = await idsOf(store, "s");
    const underWay = all.find((batch) => !acknowledged.includes(batch[0]!)) ?? [];
    expect([acknowledged, [...acknowledged, ...underWay]], `operation ${last} (${done[last - 1]})`).toContainEqual(
      kept,
    );
    await store.append("s", entries(1, 9));
    expect(await idsOf(store, "s")).toEqual([...kept, "e9"]);
    rmSync(dir, { recursive: true });
  }
});

test("a read that fails says so, whatever operation it was", async () => {
  const dir = temporaryDirectory();
  await createFileSessionStore({ dir }).append("s", entries(3));
  for (let failing = 1; ; failing++) {
    const { files, done } = faultyFiles((_, n) => (n === failing ? failure("EMFILE") : null));
    const store = fileSessionStoreOn(files, { dir });

    const outcome = await idsOf(store, "s").catch((error: unknown) => error);

    if (done.length < failing) break;
    if (done[failing - 1] === "close") continue;
    expect(outcome, done[failing - 1]).toMatchObject({ code: "SESSION_READ", retryable: true });
  }
});

test.each([
  ["ENOSPC", "open", "the disk is full"],
  ["EMFILE", "open", "too many files open"],
  ["EROFS", "mkdir", "read-only"],
  ["EACCES", "writeFile", "may not do that"],
])("%s of %s is reported with what to do about it", async (code, operation, remedy) => {
  const { files } = faultyFiles((name) => (name === operation ? failure(code) : null));
  const store = fileSessionStoreOn(files, { dir: temporaryDirectory() });

  const error = await store.append("s", entries(1)).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({
    code: "SESSION_WRITE",
    message: expect.stringContaining(remedy),
    details: { errno: code },
  });
});

test("a session cut off at any byte reads as its whole appends, and the next one is not glued to the rest", async () => {
  const dir = temporaryDirectory();
  const store = createFileSessionStore({ dir, durability: "process" });
  const path = join(dir, "s.jsonl");
  const ends: number[] = [0];
  for (const batch of BATCHES) {
    await store.append("s", batch);
    ends.push(statSync(path).size);
  }
  const whole = readFileSync(path);

  for (let size = 0; size <= whole.length; size += STEP) {
    writeFileSync(path, whole.subarray(0, size));
    const kept = BATCHES.slice(0, ends.filter((end) => end <= size).length - 1).flat();

    expect(await collect(store.read("s")), `${size} bytes`).toEqual(kept);
    await store.append("s", entries(1, 9));
    expect(await collect(store.read("s")), `${size} bytes and an append`).toEqual([...kept, ...entries(1, 9)]);
  }
});

test("a block that was never written at the end of a session is a torn append", async () => {
  const dir = temporaryDirectory();
  const store = createFileSessionStore({ dir });
  await store.append("s", entries(2));
  const path = join(dir, "s.jsonl");
  const end = statSync(path).size;
  await store.append("s", entries(3, 2, "x".repeat(2_000)));
  const torn = readFileSync(path).fill(0, end + 500, end + 1_500);
  writeFileSync(path, torn);

  const kept = await idsOf(store, "s");
  await store.append("s", entries(1, 9));

  expect(kept).toEqual(["e0", "e1"]);
  expect(await idsOf(store, "s")).toEqual(["e0", "e1", "e9"]);
});

test("any byte that changes is reported after the entries before it, and never rewritten", async () => {
  const dir = temporaryDirectory();
  const store = createFileSessionStore({ dir, durability: "process" });
  const path = join(dir, "s.jsonl");
  for (const batch of BATCHES) await store.append("s", batch);
  const whole = readFileSync(path);
  const all = BATCHES.flat();

  for (let at = 0; at < whole.length; at += STEP) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1 << (at % 8);
    writeFileSync(path, damaged);
    const line = whole.subarray(0, at).filter((byte) => byte === 0x0a).length;

    const seen: SessionEntry[] = [];
    const read = async () => {
      for await (const entry of store.read("s")) seen.push(entry);
    };
    const error = await read().catch((thrown: unknown) => thrown);

    expect(seen, `byte ${at}`).toEqual(all.slice(0, line));
    expect(["SESSION_CORRUPT", "SESSION_VERSION"], `byte ${at}: ${error}`).toContain((error as { code?: string }).code);
    expect(readFileSync(path).equals(damaged)).toBe(true);
  }
});

test("damage is reported with file, line, and what is intact; forking saves what stands before it", async () => {
  const dir = temporaryDirectory();
  const store = createFileSessionStore({ dir });
  for (const entry of entries(5)) await store.append("s", [entry]);
  const path = join(dir, "s.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace('"data":"2"', '"data":"3"'));

  const error = await idsOf(store, "s").catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({
    code: "SESSION_CORRUPT",
    message: expect.stringContaining(`line 3 of "${path}"`),
    details: { file: path, line: 3, lastIntactEntry: "e1", entriesBefore: 2, entriesAfter: 2 },
  });
});

test("an append to a session whose end is damaged is refused, and leaves the file as it is", async () => {
  const dir = temporaryDirectory();
  const store = createFileSessionStore({ dir });
  await store.append("s", entries(3));
  const path = join(dir, "s.jsonl");
  writeFileSync(path, `${readFileSync(path, "utf8")}something else\n`);
  const before = readFileSync(path);

  await expect(store.append("s", entries(1, 3))).rejects.toMatchObject({
    code: "SESSION_CORRUPT",
    details: { line: 4 },
  });

  expect(readFileSync(path).equals(before)).toBe(true);
});

test("lines and entries of a newer version are refused with SESSION_VERSION, by readers and writers", async () => {
  const dir = temporaryDirectory();
  const store = createFileSessionStore({ dir });
  await store.append("s", entries(2));
  const path = join(dir, "s.jsonl");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, `${text}{"v":2,"anything":"else"}\n`);

  await expect(idsOf(store, "s")).rejects.toMatchObject({ code: "SESSION_VERSION", details: { line: 3 } });
  await expect(store.append("s", entries(1, 2))).rejects.toMatchObject({ code: "SESSION_VERSION" });
  await store.append("t", [{ ...entries(1)[0]!, v: 2 as 1 }]);
  await expect(idsOf(store, "t")).rejects.toMatchObject({ code: "SESSION_VERSION", details: { line: 1 } });
});

test("a session whose file or directory is removed while it is in use is not written into the void", async () => {
  const dir = join(temporaryDirectory(), "sessions");
  const path = join(dir, "s.jsonl");
  const store = createFileSessionStore({ dir });
  for (const remove of [() => unlinkSync(path), () => rmSync(dir, { recursive: true })]) {
    const release = await store.lock("s");
    await store.append("s", entries(1));
    remove();

    await expect(store.append("s", entries(1, 1))).rejects.toMatchObject({
      code: "SESSION_WRITE",
      message: expect.stringContaining("was removed while the session was in use"),
    });

    await release();
    expect(await idsOf(store, "s")).toEqual([]);
  }
});

test("a directory removed before the first append under a lock is a clear failure; the next lock makes it again", async () => {
  const dir = join(temporaryDirectory(), "sessions");
  const store = createFileSessionStore({ dir });
  const release = await store.lock("s");
  rmSync(dir, { recursive: true });

  await expect(store.append("s", entries(1))).rejects.toMatchObject({
    code: "SESSION_WRITE",
    details: { errno: "ENOENT" },
  });
  await release();
  await store.append("s", entries(1));

  expect(await idsOf(store, "s")).toEqual(["e0"]);
});

test("what others do to the file of a locked session is not overwritten", async () => {
  const dir = temporaryDirectory();
  const path = join(dir, "s.jsonl");
  const store = createFileSessionStore({ dir });
  const release = await store.lock("s");
  await store.append("s", entries(2));
  truncateSync(path, 10);

  await expect(store.append("s", entries(1, 2))).rejects.toMatchObject({ code: "SESSION_WRITE" });

  expect(statSync(path).size).toBe(10);
  await release();
});

test("a directory that moves takes its open sessions along", async () => {
  const parent = temporaryDirectory();
  const store = createFileSessionStore({ dir: join(parent, "before") });
  const release = await store.lock("s");
  await store.append("s", entries(1));

  renameSync(join(parent, "before"), join(parent, "after"));
  mkdirSync(join(parent, "before"));
  await store.append("s", entries(1, 1));

  expect(await idsOf(createFileSessionStore({ dir: join(parent, "after") }), "s")).toEqual(["e0", "e1"]);
  await release();
});

test("every append and its directory is synced to disk with durability power, and nothing is with process", async () => {
  const syncs: Record<string, string[]> = {};
  for (const durability of ["power", "process"] as const) {
    const { files, done } = faultyFiles(() => null);
    const store = fileSessionStoreOn(files, { dir: temporaryDirectory(), durability });
    const release = await store.lock("s");
    for (const entry of entries(3)) await store.append("s", [entry]);
    await release();
    syncs[durability] = done.filter((operation) => operation.includes("sync") || operation === "write");
  }

  expect(syncs).toEqual({
    power: ["write", "datasync", "sync", "write", "datasync", "write", "datasync"],
    process: ["write", "write", "write"],
  });
});
