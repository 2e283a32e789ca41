import { relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesBelow } from "../../../src/permissions/lookup/files-below.js";
import { LOCAL_DISK } from "../../../src/permissions/lookup/local-disk.js";
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
