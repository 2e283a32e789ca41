// A directory that stands where one cannot be made, as a full or foreign disk answers: errors by name, nothing half done.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileTaskStore } from "../../src/tasks/index.js";
import { createArtifactStore } from "../../src/workspace/index.js";
import { temporaryDirectory } from "./temporary-workspace.js";

test("an artifact that cannot be kept is a named error, and one whose file is gone is unknown", async () => {
  const base = await temporaryDirectory();
  await writeFile(join(base, "file"), "in the way");
  const blocked = createArtifactStore({ dir: join(base, "file", "artifacts") });
  const store = createArtifactStore({ dir: join(base, "artifacts"), keep: true });
  const { id, path } = await store.put("text", { sessionId: "s" });

  await expect(blocked.put("text", { sessionId: "s" })).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: expect.stringMatching(/^The artifact could not be kept: /),
  });
  const failing = (async function* () {
    yield Buffer.from("half");
    throw new Error("the source broke");
  })();
  await expect(store.putStream!(failing, { sessionId: "s" })).rejects.toThrow("the source broke");
  expect((await readdir(join(base, "artifacts"))).filter((name) => name.endsWith(".txt"))).toHaveLength(1);
  expect(await readFile(path, "utf8")).toBe("text");
  await rm(path);
  await expect(store.get(id)).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
  await store.close?.();
});

test("tasks that cannot be written are a named error", async () => {
  const base = await temporaryDirectory();
  await writeFile(join(base, "file"), "in the way");

  const creating = createFileTaskStore({ dir: join(base, "file", "tasks") }).create({ subject: "a", description: "b" });

  await expect(creating).rejects.toMatchObject({
    code: "SESSION_WRITE",
    message: expect.stringContaining("could not be changed"),
  });
});
