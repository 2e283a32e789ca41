import { expect, test } from "vitest";
import { fixedPart, textOf, UNKNOWN_DISK } from "../../../src/permissions/lookup/disk-view.js";

test("the part of a path before its first wildcard", () => {
  expect(["/a/b*/c", "/a/b", "/*", "/a/{b,c}"].map(fixedPart)).toEqual(["/a", "/a/b", "/", "/a"]);
});

test("of a disk that is not known nothing is said", () => {
  expect(textOf(UNKNOWN_DISK, "/a", 10)).toBeNull();
  expect([UNKNOWN_DISK.entriesOf("/"), UNKNOWN_DISK.realPathOf("/a"), UNKNOWN_DISK.kindOf("/a")]).toEqual([
    null,
    null,
    "unknown",
  ]);
});
