import { expect, test } from "vitest";
import { isDeeperThan } from "../../src/json/depth.js";

test("depth is counted through arrays and objects, however deep they are", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = level % 2 ? [deep] : { a: deep };

  expect(isDeeperThan(200, deep)).toBe(true);
  expect(isDeeperThan(2, { a: [1] })).toBe(false);
  expect(isDeeperThan(1, { a: [[1]] })).toBe(true);
  expect(isDeeperThan(0, "text")).toBe(false);
  expect(isDeeperThan(0, null)).toBe(false);
});
