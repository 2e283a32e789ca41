import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LOCAL_DISK, textOf } from "../../../src/permissions/lookup/disk-view.js";
import { type Files, filesIn } from "../files-kit.js";

let files: Files;
beforeEach(async () => {
  files = await filesIn("src/a.ts");
  files.link("../outside", "out");
});
afterEach(() => files.close());

test("what is there, and of which kind", () => {
  const at = (name: string) => join(files.root, name);
  expect(["src/a.ts", "src", "out", "none"].map((name) => LOCAL_DISK.kindOf(at(name)))).toEqual([
    "file",
    "directory",
    "directory",
    null,
  ]);
  expect(["src", "out", "none"].map((name) => LOCAL_DISK.isLink(at(name)))).toEqual([false, true, false]);
  expect(LOCAL_DISK.entriesOf(at("src"))).toEqual([{ name: "a.ts", kind: "file" }]);
  expect(LOCAL_DISK.entriesOf(at("none"))).toEqual([]);
});

test("a file is read up to a size, and nothing else is", () => {
  const path = join(files.root, "src/a.ts");
  writeFileSync(path, "12345");

  expect([textOf(LOCAL_DISK, path, 5), textOf(LOCAL_DISK, path, 4), textOf(LOCAL_DISK, files.root, 99)]).toEqual([
    "12345",
    null,
    null,
  ]);
});

test("dots behind a link are followed on the disk, and what is not there keeps its name", () => {
  const outside = LOCAL_DISK.realPathOf(join(files.root, "out"))!;
  expect(LOCAL_DISK.realPathOf(`${files.root}/out/../x`)).toBe(join(outside, "../x"));
  expect(LOCAL_DISK.realPathOf(`${files.root}/none/y`)).toBe(join(files.root, "none/y"));
});
