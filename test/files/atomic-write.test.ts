import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAtomically, entryPaths, isTemporaryName, writeAtomically } from "../../src/files/atomic-write.js";
import { temporaryDirectory } from "../workspace/temporary-workspace.js";

const bytes = (text: string) => new TextEncoder().encode(text);

test("a file is created or replaced whole, and nothing else is left beside it", async () => {
  const dir = await temporaryDirectory();

  await writeAtomically(entryPaths(dir), "a.txt", bytes("one"));
  const status = await writeAtomically(entryPaths(dir), "a.txt", bytes("second"));

  expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("second");
  expect(status.size).toBe(6n);
  expect(status.ino).toBe(statSync(join(dir, "a.txt"), { bigint: true }).ino);
  expect(readdirSync(dir)).toEqual(["a.txt"]);
});

test("the mode of what was there stays, unless another is asked for", async () => {
  const dir = await temporaryDirectory();
  const path = join(dir, "run.sh");
  writeFileSync(path, "old");
  chmodSync(path, 0o750);

  await writeAtomically(entryPaths(dir), "run.sh", bytes("new"), statSync(path));
  expect(statSync(path).mode & 0o7777).toBe(0o750);

  await writeAtomically(entryPaths(dir), "run.sh", bytes("new"), statSync(path), 0o600);
  expect(statSync(path).mode & 0o7777).toBe(0o600);
});

test("a symbolic link is replaced, and what it leads to stays as it was", async () => {
  const dir = await temporaryDirectory();
  writeFileSync(join(dir, "target"), "kept");
  symlinkSync("target", join(dir, "link"));

  await writeAtomically(entryPaths(dir), "link", bytes("new"));

  expect(lstatSync(join(dir, "link")).isFile()).toBe(true);
  expect(readFileSync(join(dir, "target"), "utf8")).toBe("kept");
});

test("a write that fails leaves what was there, and no temporary file", async () => {
  const dir = await temporaryDirectory();
  mkdirSync(join(dir, "taken"));
  writeFileSync(join(dir, "taken", "file"), "kept");

  await expect(writeAtomically(entryPaths(dir), "taken", bytes("new"))).rejects.toThrow();

  expect(readdirSync(dir)).toEqual(["taken"]);
  expect(readdirSync(join(dir, "taken"))).toEqual(["file"]);
});

test("of many who create one name, one does, and its content is whole", async () => {
  const dir = await temporaryDirectory();

  const created = await Promise.all(
    Array.from({ length: 10 }, (_, index) => createAtomically(entryPaths(dir), "one", bytes(`by ${index}`))),
  );

  expect(created.filter(Boolean)).toHaveLength(1);
  expect(readFileSync(join(dir, "one"), "utf8")).toBe(`by ${created.indexOf(true)}`);
  expect(readdirSync(dir)).toEqual(["one"]);
});

test("only our own temporary names count as such", () => {
  expect(isTemporaryName(".loopwright-0123456789abcdef.tmp")).toBe(true);
  for (const name of [
    "a.tmp",
    ".loopwright-0123.tmp",
    "x.loopwright-0123456789abcdef.tmp",
    ".loopwright-0123456789abcdef.tmp~",
  ]) {
    expect(isTemporaryName(name)).toBe(false);
  }
});
