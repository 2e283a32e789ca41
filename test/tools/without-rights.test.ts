import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/contracts/json.js";
import { bundleProgram, NOBODY, nodeForNobody } from "../workspace/bundled-program.js";
import { temporaryDirectory } from "../workspace/temporary-workspace.js";

const isRoot = process.getuid?.() === 0;

/** Runs tool calls as a user without root rights. */
async function callAll(directory: string, root: string, calls: readonly (readonly [string, JsonObject])[]) {
  const program = await bundleProgram(new URL("./without-rights-program.ts", import.meta.url), directory);
  const stdout = execFileSync(isRoot ? nodeForNobody(directory) : process.execPath, [program, root], {
    cwd: directory,
    input: JSON.stringify(calls),
    env: { PATH: process.env.PATH, HOME: directory, TMPDIR: directory },
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  const { uid, answers } = JSON.parse(stdout.toString()) as { uid: number; answers: string[] };
  expect(uid).not.toBe(0);
  return answers;
}

async function writeTree(directory: string): Promise<string> {
  const root = join(directory, "root");
  const make = async (path: string, mode: number, content?: string) => {
    const whole = join(root, path);
    if (content === undefined) await mkdir(whole);
    else await writeFile(whole, content);
    // What root makes is foreign to nobody, but for the directories nobody is to work in.
    if (isRoot && (path === "" || path === "open")) await chown(whole, NOBODY, NOBODY);
    modes.push([whole, mode]);
  };
  const modes: [string, number][] = [];
  await make("", 0o755);
  await make("open", 0o755);
  await make("open/a.txt", 0o444, "needle\n");
  await make("closed.txt", 0o000, "needle\n");
  for (const [name, mode] of [
    ["closed", 0o000],
    ["names-only", 0o444],
    ["no-names", 0o111],
    ["read-only", 0o555],
    ["sticky", 0o1777],
  ] as const) {
    await make(name, mode);
    await make(`${name}/b.txt`, 0o444, "needle\n");
  }
  await symlink("/root", join(root, "foreign"));
  await symlink("closed/b.txt", join(root, "into-closed"));
  for (const [path, mode] of modes.reverse()) await chmod(path, mode);
  onTestFinished(async () => {
    for (const name of ["closed", "names-only", "no-names", "read-only"]) await chmod(join(root, name), 0o755);
  });
  return root;
}

test("without root rights, what may not be read is said, and the rest is found", async () => {
  const directory = await temporaryDirectory();
  await chmod(directory, 0o755);
  if (isRoot) await chown(directory, NOBODY, NOBODY);
  const root = await writeTree(directory);

  const outside = 'a symbolic link leads out of the workspace. Use a path inside "ROOT".';
  const answers = await callAll(directory, root, [
    ["list_dir", {}],
    ["list_dir", { path: "closed" }],
    ["glob", { pattern: "**/*.txt" }],
    ["glob", { pattern: "*", path: "closed" }],
    ["grep", { pattern: "needle" }],
    ["grep", { pattern: "needle", path: "no-names/b.txt" }],
    ["grep", { pattern: "needle", path: "closed" }],
    ["grep", { pattern: "needle", path: "closed.txt" }],
    ["read_file", { path: "closed.txt" }],
    ["read_file", { path: "closed/b.txt" }],
    ["read_file", { path: "no-names/b.txt" }],
    ["read_file", { path: "no-names/missing.txt" }],
    ["read_file", { path: "foreign/x" }],
    ["create_dir", { path: "read-only/new" }],
    ["create_dir", { path: "closed/new" }],
    ["create_dir", { path: "sticky/new" }],
    ["create_dir", { path: "foreign/new" }],
    ["write_file", { path: "read-only/new.txt", content: "x" }],
    ["edit_file", { path: "open/a.txt", old_text: "needle", new_text: "x" }],
    ["read_file", { path: "open/a.txt" }],
  ]);

  expect(answers.map((answer) => answer.split("\n"))).toEqual([
    [
      "./",
      "  closed/  [not readable]",
      "  closed.txt  7 B",
      "  foreign  [symbolic link, leads out of the workspace]",
      "  into-closed  [symbolic link, cannot be opened]",
      "  names-only/",
      "    b.txt  [cannot be opened]",
      "  no-names/  [not readable]",
      "  open/",
      "    a.txt  7 B",
      "  read-only/",
      "    b.txt  7 B",
      "  sticky/",
      "    b.txt  7 B",
    ],
    [`TOOL_FAILED: "closed" could not be used: this user has no permission for it.`],
    expect.arrayContaining(["closed.txt", "open/a.txt", "read-only/b.txt", "sticky/b.txt"]),
    [`TOOL_FAILED: "closed" cannot be searched: this user has no permission to read it.`],
    ["open/a.txt", "read-only/b.txt", "sticky/b.txt"],
    ["no-names/b.txt"],
    [`TOOL_FAILED: "closed" cannot be searched: this user has no permission to read it.`],
    [`TOOL_FAILED: "closed.txt" cannot be searched: this user has no permission to read it.`],
    [`TOOL_FAILED: "closed.txt" could not be used: this user has no permission for it.`],
    [`PATH_INVALID: The path "closed/b.txt" is refused: a directory on the way to it may not be searched.`],
    ["1\tneedle"],
    [`PATH_NOT_FOUND: There is no file "no-names/missing.txt". Look for it with glob.`],
    [`PATH_OUTSIDE: The path "foreign/x" is refused: ${outside}`],
    [`TOOL_FAILED: "read-only/new" could not be used: this user has no permission for it.`],
    [`PATH_INVALID: The path "closed/new" is refused: a directory on the way to it may not be searched.`],
    [`Created the directory "sticky/new".`],
    [`PATH_OUTSIDE: The path "foreign/new" is refused: ${outside}`],
    [`TOOL_FAILED: "read-only/new.txt" could not be used: this user has no permission for it.`],
    [`TOOL_FAILED: "open/a.txt" could not be used: this user has no permission for it.`],
    ["1\tneedle"],
  ]);
});
