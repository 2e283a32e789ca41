import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { createListDirTool } from "../../../src/tools/search/list-dir.js";
import { temporaryWorkspace } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

async function openFiles(files: Record<string, string>, protectedPaths: string[] = []) {
  const { root, outside, workspace } = await temporaryWorkspace({ protectedPaths });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const tool = createListDirTool(workspace);
  const list = async (args: JsonObject = {}) => (await callTool(tool, args)).text;
  return { root, outside, tool, list };
}

test("a directory is a tree with sizes, two levels deep by default", async () => {
  const { root, list } = await openFiles({ "b.txt": "x".repeat(1_500), "a/c.txt": "", "a/d/e.txt": "deep" });
  await mkdir(join(root, "a/empty"));

  expect(await list()).toBe("./\n  a/\n    c.txt  0 B\n    d/\n    empty/\n  b.txt  1.5 KB");
  expect(await list({ depth: 1 })).toBe("./\n  a/\n  b.txt  1.5 KB");
  expect(await list({ path: "a/" })).toBe("a/\n  c.txt  0 B\n  d/\n    e.txt  4 B\n  empty/  [empty]");
  expect(await list({ path: "a/empty" })).toBe(`The directory "a/empty" is empty.`);
});

test("what git ignores is named and not opened, unless it is the directory asked for", async () => {
  const { list } = await openFiles({
    ".gitignore": "out/\n*.log\n",
    ".git/HEAD": "",
    "out/a.js": "1",
    "src/x.log": "22",
    "src/.gitignore": "!x.log\n",
    "x.log": "",
  });

  expect(await list()).toBe(
    "./\n  .git/  [ignored]\n  .gitignore  11 B\n  out/  [ignored]\n  src/\n    .gitignore  7 B\n    x.log  2 B\n  x.log  0 B  [ignored]",
  );
  expect(await list({ path: "out" })).toBe("out/\n  a.js  1 B");
});

test("links are shown with where they lead, and not followed", async () => {
  const { root, outside, list } = await openFiles({ "real/a.txt": "12345" });
  await symlink("real/a.txt", join(root, "file"));
  await symlink("real", join(root, "directory"));
  await symlink("gone", join(root, "dangling"));
  await symlink(join(outside, "secret"), join(root, "out"));
  await symlink("loop", join(root, "loop"));

  expect((await list({ depth: 9 })).split("\n")).toEqual([
    "./",
    "  dangling -> gone  [nothing there]",
    "  directory -> real/",
    "  file -> real/a.txt  5 B",
    "  loop  [symbolic link, cannot be opened]",
    "  out  [symbolic link, leads out of the workspace]",
    "  real/",
    "    a.txt  5 B",
  ]);
});

test("what the sandbox refuses is named with the reason, and its content is not", async () => {
  const { root, list } = await openFiles({ "vault/key": "", "a.pem": "", ok: "" }, ["vault"]);
  execFileSync("mkfifo", [join(root, "pipe")]);

  expect(await list()).toBe(
    "./\n  a.pem  [protected]\n  ok  0 B\n  pipe  [device, pipe or socket]\n  vault/  [protected]",
  );
});

test("a large tree is cut level by level, and says what is missing", async () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 600; i++) files[`big/${String(i).padStart(3, "0")}`] = "";
  for (const name of ["one", "two"]) files[`${name}/a`] = "";
  const { tool } = await openFiles(files);

  const { text, details } = await callTool(tool, { depth: 5 });
  const flat = await callTool(tool, { path: "big" });

  const lines = text.split("\n");
  expect(lines.slice(0, 3)).toEqual(["./", "  big/", "    000  0 B"]);
  expect(lines.slice(-5)).toEqual(["    … 467 more", "  one/", "    a  0 B", "  two/", "    a  0 B"]);
  expect(details).toEqual({ shown: 138, total: 605 });
  expect(flat.text.split("\n").slice(-2)).toEqual([
    "  … 200 more",
    "[There is room for 400 entries. List a directory by its path to see more]",
  ]);
});

test("odd names stay on their line", async () => {
  const { root, list } = await openFiles({ "a\nb": "", "-rf": "", " ": "", "é{}[]": "" });
  execFileSync("bash", ["-c", `touch "$1"/$'bad\\xff'`, "bash", root]);

  expect((await list()).split("\n")).toEqual([
    "./",
    "     0 B",
    "  -rf  0 B",
    `  "a\\nb"  0 B`,
    "  bad\ufffd  [its name is not UTF-8, so no path can name it]",
    "  é{}[]  0 B",
  ]);
});

test("a file, a missing directory and the outside are errors that tell what to do", async () => {
  const { list } = await openFiles({ "src/a.ts": "" });

  await expect(list({ path: "src/a.ts" })).rejects.toMatchObject({
    code: "FILE_UNSUPPORTED",
    message: `"src/a.ts" is a file, not a directory. Read it with read_file.`,
  });
  await expect(list({ path: "scr" })).rejects.toMatchObject({
    code: "PATH_NOT_FOUND",
    message: expect.stringContaining(`Did you mean "src"?`),
  });
  await expect(list({ path: "../outside" })).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  await expect(list({ path: "/proc/self" })).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
});

test("an aborted listing rejects with the signal's reason", async () => {
  const { tool } = await openFiles({ "a.txt": "" });

  await expect(callTool(tool, {}, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
});
