import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HookPayloads } from "../../../src/contracts/hook.js";
import { fakeToolContext } from "../../../src/testing/tool/fake-tool-context.js";
import { createEditFileTool } from "../../../src/tools/edit/edit-file.js";
import { createWriteFileTool } from "../../../src/tools/files/write-file.js";
import { createReadFileTool } from "../../../src/tools/read/read-file.js";
import { reportChangedFiles } from "../../../src/tools/shell/changed-files.js";
import { temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

async function setUp() {
  const { root, outside, workspace } = await temporaryWorkspace();
  const context = fakeToolContext({ sessionId: "s" });
  const [read, write, edit] = [createReadFileTool, createWriteFileTool, createEditFileTool].map((make) =>
    make(workspace),
  );
  let told = 0;
  const noticed = () => {
    const fresh = context.notices.slice(told);
    told = context.notices.length;
    return fresh.map(({ payload }) => payload as HookPayloads["FileChanged"]);
  };
  return {
    root,
    outside,
    workspace,
    context,
    put: (path: string, content: string) => writeFile(join(root, path), content),
    read: (path: string) => callTool(read!, { path }, context),
    write: (path: string, content: string) => callTool(write!, { path, content }, context),
    edit: (path: string, old_text: string, new_text: string) => callTool(edit!, { path, old_text, new_text }, context),
    /** What is reported when a command has just run. */
    async afterCommand() {
      await reportChangedFiles(workspace, context);
      return noticed().map(({ filePath, event }) => `${event} ${filePath.slice(root.length + 1)}`);
    },
    noticed,
  };
}

test("write_file and edit_file tell what they added and changed, once it is done", async () => {
  const { root, write, edit, noticed } = await setUp();

  await write("a", "1");
  await write("a", "2");
  await edit("a", "2", "3");
  await edit("a", "nowhere", "x").catch(() => {});

  const filePath = join(root, "a");
  expect(noticed()).toEqual([
    { filePath, event: "add" },
    { filePath, event: "change" },
    { filePath, event: "change" },
  ]);
});

test("after a command each file the session knows is reported once for each change", async () => {
  const { root, put, read, write, afterCommand, noticed } = await setUp();
  for (const path of ["read", "untouched", "unknown"]) await put(path, "1");
  for (const path of ["read", "untouched"]) await read(path);
  await write("written", "1");
  noticed();

  expect(await afterCommand()).toEqual([]);
  for (const path of ["read", "written", "unknown"]) await put(path, "22");
  expect((await afterCommand()).sort()).toEqual(["change read", "change written"]);
  expect(await afterCommand()).toEqual([]);
  await rm(join(root, "read"));
  expect(await afterCommand()).toEqual(["unlink read"]);
  expect(await afterCommand()).toEqual([]);
  await put("read", "3");
  expect(await afterCommand()).toEqual(["add read"]);
});

test("what a command changed is stale until it is read again, however often it was reported", async () => {
  const { put, read, write, edit, afterCommand } = await setUp();
  await put("a", "1");
  await read("a");
  await put("a", "22");
  await afterCommand();

  await expect(edit("a", "22", "3")).rejects.toMatchObject({ code: "EDIT_STALE" });
  await expect(write("a", "3")).rejects.toMatchObject({ code: "EDIT_STALE" });
  await read("a");
  await edit("a", "22", "3");
});

test("a file that a link out, a directory or nothing has replaced counts as gone, and nothing fails", async () => {
  const { root, outside, put, read, afterCommand } = await setUp();
  await mkdir(join(root, "directory"));
  for (const path of ["a", "b", "directory/c"]) {
    await put(path, "1");
    await read(path);
  }
  await writeFile(join(outside, "secret"), "secret");
  for (const path of ["a", "b", "directory"]) await rm(join(root, path), { recursive: true });
  await symlink(join(outside, "secret"), join(root, "a"));
  await mkdir(join(root, "b"));
  await put("directory", "a file");

  expect((await afterCommand()).sort()).toEqual(["unlink a", "unlink b", "unlink directory/c"]);
});

test("only the files noted last are looked at, and sessions do not mix", async () => {
  const { root, workspace, put, afterCommand } = await setUp();
  await put("a", "1");
  const path = join(root, "a");
  workspace.fileState.note("other", path, "digest", "old");
  workspace.fileState.note("s", path, "digest", "old");
  for (let index = 0; index < 500; index++) workspace.fileState.note("s", join(root, `${index}`), "digest");

  expect(await afterCommand()).toEqual([]);
  workspace.fileState.note("s", path, "digest", "old");
  expect(await afterCommand()).toEqual(["change a"]);
});

test("a change that a file tool is making is reported by that tool alone", async () => {
  const { root, workspace, context, put, read, edit, noticed } = await setUp();
  await put("a", "1");
  await read("a");
  let reported: Promise<void> | undefined;
  const { files } = workspace;
  const write = files.write;
  // The command ends between the change and its note.
  files.write = async (path, content) => {
    const stat = await write(path, content);
    reported = reportChangedFiles(workspace, context);
    return stat;
  };

  await edit("a", "1", "2");
  await reported;

  expect(noticed()).toEqual([{ filePath: join(root, "a"), event: "change" }]);
});
