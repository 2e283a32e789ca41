import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LOCAL_DISK } from "../../../src/permissions/lookup/disk-view.js";
import { createGitIgnore } from "../../../src/permissions/lookup/repository.js";
import { type Files, filesIn } from "../files-kit.js";

let files: Files;
beforeEach(async () => {
  files = await filesIn("gen/a", "src/b", "src/gen/c");
});
afterEach(() => files.close());

test("a path is ignored by the patterns of any directory on its way", () => {
  writeFileSync(join(files.root, ".gitignore"), "/gen\n*.out\n");
  writeFileSync(join(files.root, "src/.gitignore"), "gen/\n");
  const ignores = createGitIgnore(files.root, LOCAL_DISK);
  const asked = ["gen", "gen/a", "src/b", "src/gen", "src/gen/c", "x.out", "src/x.out", ".", "../outside"];
  expect(asked.filter((name) => ignores(join(files.root, name)))).toEqual([
    "gen",
    "gen/a",
    "src/gen",
    "src/gen/c",
    "x.out",
    "src/x.out",
  ]);
});
