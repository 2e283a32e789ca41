import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createArtifactStore } from "../../src/workspace/artifacts.js";
import { createWorkspace } from "../../src/workspace/create-workspace.js";
import { runs } from "../runs.js";
import { temporaryWorkspace } from "./temporary-workspace.js";

test("an artifact is read through the sandbox, and not written", async () => {
  const { workspace } = await temporaryWorkspace();

  const ref = await workspace.artifacts!.put("long output", { sessionId: "s" });

  expect(ref).toMatchObject({ bytes: 11, mediaType: "text/plain" });
  expect(Buffer.from(await workspace.files.read(ref.path)).toString()).toBe("long output");
  expect(Buffer.from(await workspace.artifacts!.get(ref.id)).toString()).toBe("long output");
  await expect(workspace.files.write(ref.path, Buffer.from("x"))).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
});

test("an artifact of the host's own store is read by its path; nothing else of the store is, and no other directory", async () => {
  const { root } = await temporaryWorkspace();
  const base = join(dirname(root), "kept outputs");
  const artifacts = createArtifactStore({ dir: join(base, "store"), keep: true });
  const { files, needsApproval, ...workspace } = await createWorkspace({ root, artifacts });
  onTestFinished(() => workspace.close());
  const text = await artifacts.put("long output", { sessionId: "s" });
  const image = await artifacts.put("x", { sessionId: "other", mediaType: "image/png" });
  const temporary = join(artifacts.directoryOf("other"), basename(text.path));
  await mkdir(dirname(temporary));
  const [session] = (await readdir(artifacts.directory)).filter((name) => name.endsWith(".session"));
  const link = join(artifacts.directory, `${"0".repeat(64)}.txt`);
  await symlink("/etc/hostname", link);
  const beside = join(base, basename(text.path));
  for (const path of [temporary, beside]) await writeFile(path, "theirs");

  expect(Buffer.from(await files.read(text.path)).toString()).toBe("long output");
  expect(Buffer.from(await files.read(image.path)).toString()).toBe("x");
  expect(await needsApproval(text.path, "read")).toBeNull();
  const outside = { code: "PATH_OUTSIDE" };
  await expect(files.write(text.path, Buffer.from("x"))).rejects.toMatchObject(outside);
  await expect(files.list(artifacts.directory)).rejects.toMatchObject(outside);
  for (const path of [temporary, beside, link, join(artifacts.directory, session!)]) {
    await expect(files.read(path), path).rejects.toMatchObject(outside);
  }
});

test("the same content is kept once, until the last session that put it ends", async () => {
  const { workspace } = await temporaryWorkspace();
  const store = workspace.artifacts!;

  const [one, two] = await Promise.all([store.put("same", { sessionId: "a" }), store.put("same", { sessionId: "b" })]);
  await store.endSession?.("a");
  const kept = await readdir(dirname(one.path));
  await store.endSession?.("b");

  expect(two).toEqual(one);
  expect(kept).toHaveLength(1);
  expect(await readdir(dirname(one.path))).toEqual([]);
  await expect(store.get(one.id)).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
});

test("closing the workspace removes its artifacts", async () => {
  const { workspace } = await temporaryWorkspace();
  const { path } = await workspace.artifacts!.put("x", { sessionId: "a" });

  await workspace.close();

  await expect(readdir(dirname(path))).rejects.toMatchObject({ code: "ENOENT" });
});

test("content over the limit keeps head and tail in whole characters and says how much there was", async () => {
  const { root } = await temporaryWorkspace();
  const store = createArtifactStore({ dir: `${root}/kept`, maxBytes: 200 });

  const ref = await store.put(`head ${"é".repeat(500)} tail`, { sessionId: "a" });

  const text = await readFile(ref.path, "utf8");
  expect(ref.bytes).toBe(1_010);
  expect(text).toMatch(/^head é+\n\[… 1010 bytes in all; the middle was not kept …\]\né+ tail$/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(202);
});

test("a stream gives the same artifact as the whole at once, whatever its pieces", async () => {
  const { root } = await temporaryWorkspace();
  const store = createArtifactStore({ dir: `${root}/kept`, maxBytes: 1000 });
  const pieces = fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 8 });

  await fc.assert(
    fc.asyncProperty(pieces, async (chunks) => {
      const streamed = await store.putStream(
        (async function* () {
          yield* chunks;
        })(),
        { sessionId: "a" },
      );
      const kept = await store.get(streamed.id);
      const put = await store.put(Buffer.concat(chunks), { sessionId: "a" });

      expect(put).toEqual(streamed);
      expect(streamed.bytes).toBe(Buffer.concat(chunks).length);
      expect(kept.length).toBeLessThanOrEqual(1000);
      if (streamed.bytes <= 1000) expect(Buffer.from(kept)).toEqual(Buffer.concat(chunks));
    }),
  );
});

test("a stream over the limit keeps its head and its very end", async () => {
  const { root } = await temporaryWorkspace();
  const store = createArtifactStore({ dir: `${root}/kept`, maxBytes: 2_000_000 });
  async function* content() {
    for (let n = 0; n < 3000; n++) yield Buffer.from(`${n} ${"x".repeat(2000)}\n`);
  }

  const ref = await store.putStream(content(), { sessionId: "a" });

  const text = (await store.get(ref.id)).toString();
  expect(text.startsWith("0 xxx")).toBe(true);
  expect(text.endsWith(`\n2999 ${"x".repeat(2000)}\n`)).toBe(true);
  expect(text).toContain(`[… ${ref.bytes} bytes in all; the middle was not kept …]`);
  expect(text.length).toBeGreaterThan(1_999_900);
});

test("a stream that fails passes its error on and leaves no file", async () => {
  const { root } = await temporaryWorkspace();
  const store = createArtifactStore({ dir: `${root}/kept` });
  async function* broken() {
    yield Buffer.alloc(3_000_000);
    throw new Error("cut off");
  }

  await expect(store.putStream(broken(), { sessionId: "a" })).rejects.toThrow("cut off");
  expect(await readdir(`${root}/kept`)).toEqual([]);
});

test("what a session puts is there until it ends, whenever others that kept the same end", async () => {
  const { root } = await temporaryWorkspace();
  const store = createArtifactStore({ dir: `${root}/kept` });
  const action = fc.record({
    session: fc.constantFrom("a", "b", "c"),
    content: fc.constantFrom("one", "two"),
    mediaType: fc.constantFrom("text/plain", "application/json"),
    ends: fc.boolean(),
    turns: fc.nat(3),
  });

  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const working: Promise<unknown>[] = [];
      for (const { session, content, mediaType, ends, turns } of actions) {
        const work = ends ? store.endSession?.(session) : store.put(content, { sessionId: session, mediaType });
        working.push(Promise.resolve(work));
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      }
      await Promise.all(working);
      const last = await store.put("one", { sessionId: "last" });

      expect(await readFile(last.path, "utf8")).toBe("one");
      for (const session of ["a", "b", "c"]) await store.endSession?.(session);
      expect(await readdir(`${root}/kept`)).toEqual([last.path.split("/").at(-1)]);
      expect(await readFile(last.path, "utf8")).toBe("one");
      await store.endSession?.("last");
      expect(await readdir(`${root}/kept`)).toEqual([]);
    }),
    { numRuns: runs(20, 40, 2_000) },
  );
});

test("a put that overlaps the end of another session keeps its file", async () => {
  const { root } = await temporaryWorkspace();
  const store = createArtifactStore({ dir: `${root}/kept` });

  for (let round = 0; round < 50; round++) {
    await store.put("same", { sessionId: "ending" });
    const [kept] = await Promise.all([store.put("same", { sessionId: "staying" }), endAfter(round % 10)]);
    expect(await readFile(kept.path, "utf8")).toBe("same");
    await store.endSession?.("staying");
  }

  async function endAfter(turns: number) {
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    await store.endSession?.("ending");
  }
});

test("kept artifacts are found by another process, and go when the last session that names them ends", async () => {
  const { workspace } = await temporaryWorkspace();
  const dir = join(workspace.root, "kept");
  const first = createArtifactStore({ dir, keep: true });
  const shared = await first.put("both", { sessionId: "a" });
  const own = await first.put("mine", { sessionId: "a" });
  await first.put("both", { sessionId: "b" });
  await first.close();

  // Nothing is left of the first in memory, as in another process.
  const second = createArtifactStore({ dir, keep: true });
  expect(Buffer.from(await second.get(shared.id)).toString()).toBe("both");
  await second.endSession!("a");

  await expect(second.get(own.id)).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
  expect(Buffer.from(await second.get(shared.id)).toString()).toBe("both");
  await second.endSession!("b");
  await second.endSession!("unknown");
  expect(await readdir(dir)).toEqual([]);
  await expect(second.get("../kept")).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
});
