import { expect, test } from "vitest";
import { isInside } from "../../src/paths/inside.js";

test("a directory holds itself and what is below it, not a sibling whose name begins the same", () => {
  expect(isInside("/work", "/work")).toBe(true);
  expect(isInside("/work/a/b", "/work")).toBe(true);
  expect(isInside("/workshop", "/work")).toBe(false);
  expect(isInside("/", "/work")).toBe(false);
});

test("the root holds everything", () => {
  expect(isInside("/etc/passwd", "/")).toBe(true);
});
