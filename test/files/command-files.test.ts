import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandFilesIn } from "../../src/files/command-files.js";
import { markdownFilesIn } from "../../src/files/markdown-files.js";
import { diskFiles } from "../../src/files/project-files.js";
import { temporaryDirectory } from "../workspace/temporary-workspace.js";

async function directoryWith(...paths: readonly string[]) {
  const path = await temporaryDirectory();
  for (const each of paths) {
    mkdirSync(join(path, each, ".."), { recursive: true });
    writeFileSync(join(path, each), "Text.\n");
  }
  return { path, files: diskFiles };
}

test("a command is called by its file, and by the directories that it lies in", async () => {
  const directory = await directoryWith("Review.md", "fix/bug.md");

  expect(await commandFilesIn(directory)).toEqual([
    ["review", join(directory.path, "Review.md")],
    ["fix:bug", join(directory.path, "fix", "bug.md")],
  ]);
  expect((await commandFilesIn(directory, "tools")).map(([name]) => name)).toEqual(["tools:review", "tools:fix:bug"]);
});

test("Markdown files come in order of their names, at most five directories deep, and none of hidden directories", async () => {
  const directory = await directoryWith("b.md", "a.MD", "c.txt", ".hidden/d.md", "1/2/3/4/5/e.md", "1/2/3/4/5/6/f.md");
  symlinkSync(directory.path, join(directory.path, "round"));

  const found = await markdownFilesIn(directory);

  expect(found.map((file) => file.slice(directory.path.length + 1))).toEqual(["1/2/3/4/5/e.md", "a.MD", "b.md"]);
});
