import { describe, expect, test } from "vitest";
import { copyJson, freezeLiteralJson, isDeeperThan, isWithinValues, walkJson } from "../../src/json/copy.js";
import { describeThrown } from "../../src/text/describe-thrown.js";

/** Two references to itself, and 40 levels of parts that are shared: neither has an end that anybody could wait for. */
function endless(): readonly [string, object][] {
  const self: Record<string, unknown> = {};
  self.a = self;
  self.b = self;
  let shared: object = { end: 1 };
  for (let level = 0; level < 40; level++) shared = { l: shared, r: shared };
  return [
    ["refers to itself", self],
    ["shares its parts", shared],
  ];
}

test("depth is counted through arrays and objects, however deep they are", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = level % 2 ? [deep] : { a: deep };

  expect(isDeeperThan(200, deep)).toBe(true);
  expect(isDeeperThan(2, { a: [1] })).toBe(false);
  expect(isDeeperThan(1, { a: [[1]] })).toBe(true);
  expect(isDeeperThan(0, "text")).toBe(false);
  expect(isDeeperThan(0, null)).toBe(false);
});

test("a walk visits everything with its key, up to its budget or until a visit ends it", () => {
  const seen: [unknown, string][] = [];
  const value = { a: 1, b: ["x"] };

  expect(walkJson(value, (each, key) => seen.push([each, key]) > 0)).toBe(true);
  expect(seen).toEqual([
    [value, ""],
    [1, "a"],
    [["x"], "b"],
    ["x", "0"],
  ]);
  expect([isWithinValues(value, 4), isWithinValues(value, 3)]).toEqual([true, false]);
  expect(walkJson(value, (each) => each !== 1)).toBe(false);
});

test("what throws when it is looked at counts as empty", () => {
  const trap = new Proxy({}, { ownKeys: () => fail("no keys"), get: () => fail("no value") });
  const getter = Object.defineProperty({}, "x", { enumerable: true, get: () => fail("no value") });

  expect([isWithinValues(trap, 10), isWithinValues([getter], 10)]).toEqual([true, true]);
});

function fail(message: string): never {
  throw new Error(message);
}

describe.each(endless())("a value that %s", (_name, value) => {
  test("ends every walk", () => {
    expect(isWithinValues(value)).toBe(false);
    expect(isDeeperThan(200, value)).toBe(true);
    expect(describeThrown(value)).toBe("it threw a value that cannot be shown");
    expect(() => freezeLiteralJson(value)).toThrow(/refers to itself .* or has more than/);
    expect(() => copyJson(value)).toThrow(/deeper than|more than/);
  });
});
