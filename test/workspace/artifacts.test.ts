import { readdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { createArtifactStore } from "../../src/workspace/artifacts.js";
import { temporaryWorkspace } from "./temporary-workspace.js";

test("an artifact is read through the sandbox, and not written", async () => {
  const { workspace } = await temporaryWorkspace();

  const ref = await workspace.artifacts!.put("long output", { sessionId: "s" });

  expect(ref).toMatchObject({ bytes: 11, mediaType: "text/plain" });
  expect(Buffer.from(await workspace.files.read(ref.path)).toString()).toBe("long output");
  expect(Buffer.from(await workspace.artifacts!.get(ref.id)).toString()).toBe("long output");
  await expect(workspace.files.write(ref.path, Buffer.from("x"))).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
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
