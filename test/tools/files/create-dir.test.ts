import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCreateDirTool } from "../../../src/tools/files/create-dir.js";
import { temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

async function setUp() {
  const { root, outside, workspace } = await temporaryWorkspace();
  const tool = createCreateDirTool(workspace);
  const create = async (path: string) => (await callTool(tool, { path })).text;
  return { root, outside, tool, create };
}

test("a directory is made with its parents, and one that exists is fine", async () => {
  const { root, create } = await setUp();

  expect(await create("a/b/c")).toBe(`Created the directory "a/b/c".`);
  expect(await create("a/b")).toBe(`The directory "a/b" exists already.`);
  expect(await create(".")).toBe(`The directory "." exists already.`);
  expect((await stat(join(root, "a/b/c"))).isDirectory()).toBe(true);
});

test("fifty calls for one directory agree", async () => {
  const { root, create } = await setUp();

  await Promise.all(Array.from({ length: 50 }, (_, i) => create(`deep/er/${i % 2}/x`)));

  expect((await stat(join(root, "deep/er/1/x"))).isDirectory()).toBe(true);
});

test("a link to a directory inside is followed", async () => {
  const { root, create } = await setUp();
  await mkdir(join(root, "real"));
  await symlink("real", join(root, "link"));

  await create("link/new");

  expect((await stat(join(root, "real/new"))).isDirectory()).toBe(true);
});

test("a file in the way, a path outside and what is protected are refused with the reason", async () => {
  const { root, outside, create } = await setUp();
  await writeFile(join(root, "file"), "");
  await mkdir(join(root, ".git"));
  await symlink(outside, join(root, "out"));

  await expect(create("file")).rejects.toMatchObject({ code: "FILE_UNSUPPORTED" });
  await expect(create("file/inner")).rejects.toMatchObject({ code: "PATH_INVALID" });
  await expect(create("../outside/x")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(create("out/x")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(create(".git/hooks")).rejects.toMatchObject({ code: "PATH_PROTECTED" });
  await expect(create("a\0b")).rejects.toMatchObject({ code: "PATH_INVALID" });
  await expect(create("x".repeat(300))).rejects.toMatchObject({ code: "PATH_INVALID" });
});

test("directories that others trust are asked for, and the call claims its directory", async () => {
  const { root, tool } = await setUp();
  const about = { agentPath: [], sessionId: "s" };

  expect(await tool.checkPermission!({ path: ".vscode/x" }, about)).toMatchObject({ behavior: "ask" });
  expect(await tool.checkPermission!({ path: "src" }, about)).toEqual({ behavior: "passthrough" });
  expect(tool.claims!({ path: "./src/../lib" })).toEqual([{ mode: "write", key: `file:${join(root, "lib")}` }]);
});

test("the journal is reported which directories are made, outermost first, and nothing of one that exists", async () => {
  const told: unknown[] = [];
  const { root, workspace } = await temporaryWorkspace({
    journal: { before: async (change) => void told.push(change) },
  });
  const tool = createCreateDirTool(workspace);
  await mkdir(join(root, "a"));

  await callTool(tool, { path: "a/b/c" });
  await callTool(tool, { path: "a/b" });

  const path = join(root, "a/b/c");
  expect(told).toMatchObject([{ path, before: null, directories: [join(root, "a/b"), path] }]);
});
