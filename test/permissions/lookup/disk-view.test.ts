import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  entriesOf,
  fixedPart,
  isDirectoryOnDisk,
  isFileOnDisk,
  isOnDisk,
  realPathOf,
} from "../../../src/permissions/lookup/disk-view.js";
import { type Files, filesIn } from "../files-kit.js";

let files: Files;
beforeEach(async () => {
  files = await filesIn("src/a.ts");
  files.link("../outside", "out");
});
afterEach(() => files.close());

test("what is there, and of which kind", () => {
  const at = (name: string) => join(files.root, name);
  expect([isFileOnDisk(at("src/a.ts")), isFileOnDisk(at("src")), isFileOnDisk(at("none"))]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isDirectoryOnDisk(at("src")), isDirectoryOnDisk(at("out")), isDirectoryOnDisk(at("src/a.ts"))]).toEqual([
    true,
    true,
    false,
  ]);
  expect([isOnDisk(at("src")), isOnDisk(at("none"))]).toEqual([true, false]);
  expect(entriesOf(at("src"))?.map(({ name }) => name)).toEqual(["a.ts"]);
  expect(entriesOf(at("none"))).toEqual([]);
});

test("dots behind a link are followed on the disk, and what is not there keeps its name", () => {
  const outside = realPathOf(join(files.root, "out"));
  expect(realPathOf(`${files.root}/out/../x`)).toBe(join(outside, "../x"));
  expect(realPathOf(`${files.root}/none/y`)).toBe(join(files.root, "none/y"));
});

test("the part of a path before its first wildcard", () => {
  expect(["/a/b*/c", "/a/b", "/*", "/a/{b,c}"].map(fixedPart)).toEqual(["/a", "/a/b", "/", "/a"]);
});
