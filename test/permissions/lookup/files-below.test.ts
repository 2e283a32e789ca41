import { appendFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LOCAL_DISK } from "../../../src/permissions/lookup/disk-view.js";
import { filesBelow } from "../../../src/permissions/lookup/files-below.js";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";
import { type Files, filesIn } from "../files-kit.js";

let files: Files;
beforeEach(async () => {
  files = await filesIn("a.ts", "src/b.ts", "src/c.md", "dist/d.ts", "node_modules/e.ts", ".git/f");
  files.link("../outside/x", "src/link");
});
afterEach(() => files.close());

function below(line: string) {
  const found = filesBelow(files.root, analyzeCommand(line).commands[0]!, LOCAL_DISK);
  const names = (paths: readonly string[]) => paths.map((path) => relative(files.root, path)).sort();
  return found && { files: names(found.files), links: names(found.links) };
}

test("all files, but for what is installed and git's own", () => {
  expect(below("grep -r x .")).toEqual({ files: ["a.ts", "dist/d.ts", "src/b.ts", "src/c.md"], links: [] });
});

test("what the words of grep leave out, and links when they are followed", () => {
  expect(below("grep -r x --include=*.ts --exclude-dir=dist .")?.files).toEqual(["a.ts", "src/b.ts"]);
  expect(below("grep -r x --exclude='*.ts' .")?.files).toEqual(["src/c.md"]);
  expect(below("grep -r -e --include=*.ts .")?.files).toContain("src/c.md");
  expect(below("grep -r x -- --include=*.ts .")?.files).toContain("src/c.md");
  expect(below("cp -r --include=*.ts .")?.files).toContain("src/c.md");
  expect(below("grep -R x .")?.links).toEqual(["src/link"]);
});

test("a search asks when it comes to a file that needs approval, or that a rule is about", async () => {
  expect(await files.others("allow", ["grep -rn x .", "grep -rn x src", "rg x"])).toEqual([]);
  files.put(".env");
  expect(await files.others("ask", ["grep -rn x .", "grep -rn x", "rg -uuu x .", "diff -r . src"])).toEqual([]);
  expect(await files.others("allow", ["grep -rn x src", "rg x", "grep -rn --include=*.ts x ."])).toEqual([]);
  const rules = { deny: ["Read(c.md)"] };
  expect(await files.others(["ask", "deny"], ["grep -rn x src", "grep -r x ."], rules)).toEqual([]);
});

test("a search that goes on behind links asks when one leads out of the workspace", async () => {
  files.link("../../outside", "src/out");
  const following = [
    "grep -R x .",
    "grep --deref x src",
    "rg -L x",
    "rg --follow x src",
    "diff -r src dist",
    "find -L .",
  ];
  expect(await files.others("ask", following)).toEqual([]);
  expect(await files.others("allow", ["grep -r x .", "rg x src", "find .", "grep -R x dist"])).toEqual([]);
});

test("a link to what lies in the workspace is followed, however the links lead around", async () => {
  for (const [target, name] of [
    [".", "dist/again"],
    ["..", "dist/up"],
    ["../dist", "src/back"],
  ] as const)
    files.link(target, name);
  expect(await files.others("allow", ["grep -R x dist", "rg -L x src"])).toEqual([]);
  files.put("secrets/key.pem");
  expect(await files.others("ask", ["grep -R x dist", "rg -L x src"])).toEqual([]);
  expect(await files.others("allow", ["grep -r x dist", "rg x src"])).toEqual([]);
});

test("a search with rg comes to the files that are neither hidden nor ignored", async () => {
  files.put("key.pem");
  expect(await files.others("ask", ["rg x", "rg x ."])).toEqual([]);
  expect(await files.others("allow", ["rg x src", "rg x -g '*.ts'"])).toEqual([]);
  files.git("init", "-q");
  appendFileSync(join(files.root, ".gitignore"), "*.pem\n");
  expect(await files.others("allow", ["rg x"])).toEqual([]);
  expect(await files.others("ask", ["rg --no-ignore x ."])).toEqual([]);
});
