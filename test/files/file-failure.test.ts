import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { describeFileFailure } from "../../src/files/file-failure.js";

test("what the file system answers is put into words", async () => {
  const error = await readFile(tmpdir()).catch((thrown: unknown) => thrown);

  expect(describeFileFailure(error)).toBe("it is a directory");
  expect(describeFileFailure(Object.assign(new Error("…"), { code: "ENOSPC" }))).toBe("the disk is full");
});

test("an answer without words of its own is named", () => {
  expect(describeFileFailure(Object.assign(new Error("…"), { code: "EXDEV" }))).toBe("the file system answered EXDEV");
});

test.each([
  new Error("no code"),
  Object.assign(new Error("…"), { code: "ERR_INVALID_ARG_TYPE" }),
  Object.assign(new Error("…"), { code: 5 }),
  Object.assign(new Error("…"), { code: "constructor" }),
  { code: "ENOENT" },
  "ENOENT",
  null,
])("%j is not a failure of the file system", (error) => {
  expect(describeFileFailure(error)).toBeUndefined();
});
