import { createMemoryWorkspace } from "loopwright/testing";
import { builtinTools, createEditFileTool, createReadFileTool, createWriteFileTool } from "loopwright/tools";
import { expect, test } from "vitest";
import { createCreateDirTool } from "../../../src/tools/files/create-dir.js";
import { createListDirTool } from "../../../src/tools/search/list-dir.js";
import { createWorkspace } from "../../../src/workspace/create-workspace.js";
import { callTool } from "../../tools/call-tool.js";
import { temporaryDirectory } from "../../workspace/temporary-workspace.js";

test("the file tools answer the same over a disk and over memory", async () => {
  const story = async (workspace: Parameters<typeof createReadFileTool>[0]) => {
    const [read, write, edit] = [createReadFileTool, createWriteFileTool, createEditFileTool].map((make) =>
      make(workspace),
    );
    const [list, make] = [createListDirTool(workspace), createCreateDirTool(workspace)];
    const calls = [
      () => callTool(write!, { path: "src/a.ts", content: "one\r\n  two\r\n" }),
      () => callTool(read!, { path: "src/a.ts" }),
      () => callTool(edit!, { path: "src/a.ts", old_text: "two", new_text: "2\n3" }),
      () => callTool(edit!, { path: "src/a.ts", old_text: "nowhere", new_text: "x" }),
      () => callTool(edit!, { path: "src", old_text: "a", new_text: "b" }),
      () => callTool(make, { path: "docs/deep" }),
      () => callTool(list, {}),
      () => callTool(read!, { path: "src" }),
      () => callTool(read!, { path: "src/b.ts" }),
      () => callTool(read!, { path: "../x" }),
      () => callTool(write!, { path: ".git/config", content: "x" }),
      () => callTool(write!, { path: "src/a.ts/b", content: "x" }),
      () => callTool(read!, { path: "src/a.ts" }),
    ];
    const answers: unknown[] = [];
    for (const call of calls) {
      const answer = await call().catch(({ code, message }) => ({ code, message }));
      answers.push(JSON.parse(JSON.stringify(answer).replaceAll(workspace.root, "ROOT")));
    }
    await workspace.close();
    return answers;
  };

  const inMemory = await story(await createMemoryWorkspace());

  expect(inMemory).toEqual(await story(await createWorkspace({ root: await temporaryDirectory() })));
  expect(inMemory).toHaveLength(13);
});

test("files are given as texts or bytes, and looked at as texts", async () => {
  const workspace = await createMemoryWorkspace({ files: { "a.txt": "one\n", "b/c": Uint8Array.of(104, 105) } });

  await callTool(createEditFileTool(workspace), { path: "a.txt", old_text: "one", new_text: "two" });

  expect(workspace.texts()).toEqual({ "a.txt": "two\n", "b/c": "hi" });
  await expect(createMemoryWorkspace({ files: { "../x": "" } })).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
});

test("the stale guard and the journal hold in memory, too", async () => {
  const told: string[] = [];
  const journal = { before: async ({ path }: { path: string }) => void told.push(path) };
  const workspace = await createMemoryWorkspace({ files: { a: "1" }, journal });
  const [read, write] = [createReadFileTool(workspace), createWriteFileTool(workspace)];

  await expect(callTool(write, { path: "a", content: "2" })).rejects.toMatchObject({ code: "EDIT_STALE" });
  await callTool(read, { path: "a" });
  await workspace.files.write("a", Buffer.from("by others"));
  await expect(callTool(write, { path: "a", content: "2" })).rejects.toMatchObject({ code: "EDIT_STALE" });
  await callTool(read, { path: "a" });
  await callTool(write, { path: "a", content: "2" });

  expect(workspace.texts()).toEqual({ a: "2" });
  expect(told).toEqual([`${workspace.root}/a`]);
});

test("commands are run by the shell that is passed, and refused without one", async () => {
  const outcome = { exitCode: 0, signal: null, timedOut: false, cwd: null, durationMs: 1 };
  const shell = { run: async () => outcome };
  const withShell = await createMemoryWorkspace({ shell });
  const without = await createMemoryWorkspace();
  const bash = (workspace: typeof without) => builtinTools(workspace, { names: ["bash"] })[0]!;

  expect(await callTool(bash(withShell), { command: "true" })).toMatchObject({ details: { exitCode: 0 } });
  await expect(callTool(bash(without), { command: "true" })).rejects.toMatchObject({ code: "COMMAND_FAILED" });
});

test("further directories, and what is outside, are as in a workspace on a disk", async () => {
  const workspace = await createMemoryWorkspace({
    files: { "a.txt": "a", "/docs/b.txt": "b", "../shared/c.txt": "c", "/other/d.txt": "d", "secrets/e.txt": "e" },
    readRoots: ["/docs"],
    writeRoots: ["../shared"],
    outside: "ask",
    protectedPaths: ["secrets"],
  }).catch((error) => error);
  expect(workspace).toMatchObject({ code: "PATH_PROTECTED" });

  const files = { "/docs/b.txt": "b", "../shared/c.txt": "c", "/other/d.txt": "d" };
  const open = await createMemoryWorkspace({ files, readRoots: ["/docs"], writeRoots: ["../shared"], outside: "ask" });
  const asked = async (path: string, access: "read" | "write", sessionId = "s") =>
    (await open.needsApproval(path, access, sessionId)) !== null;

  expect([await asked("/docs/b.txt", "read"), await asked("/docs/b.txt", "write")]).toEqual([false, true]);
  expect([await asked("/shared/c.txt", "write"), await asked("/other/d.txt", "read")]).toEqual([false, true]);
  open.addDirectories!("s", ["/other"]);
  expect([await asked("/other/d.txt", "write"), await asked("/other/d.txt", "read", "t")]).toEqual([false, true]);
  open.removeDirectories!("s", ["/other"]);
  expect(await asked("/other/d.txt", "read")).toBe(true);
  await open.files.write("/shared/new/f.txt", new Uint8Array());
  expect(Object.keys(open.texts())).toContain("/shared/new/f.txt");
  const closed = await createMemoryWorkspace({ files: { "/docs/b.txt": "b" }, readRoots: ["/docs"] });
  await expect(closed.resolve("/docs/b.txt", "write")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(closed.resolve("/other/d.txt", "read")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(createMemoryWorkspace({ files: { "/other/d.txt": "" } })).rejects.toMatchObject({
    code: "PATH_OUTSIDE",
  });
});
