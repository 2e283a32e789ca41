import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration } from "../src/index.js";

test("reads one unit", () => {
  assert.equal(parseDuration("45s"), 45_000);
});

test("adds several units", () => {
  assert.equal(parseDuration("1h 30m"), 5_400_000);
  assert.equal(parseDuration("1h30m"), 5_400_000);
});

test("tells m from ms", () => {
  assert.equal(parseDuration("5m 5ms"), 300_005);
});

test("accepts a decimal point", () => {
  assert.equal(parseDuration("2.0h"), 7_200_000);
});

test("counts the decimals", () => {
  assert.equal(parseDuration("1.5h"), 5_400_000);
  assert.equal(parseDuration("0.25s"), 250);
});

test("refuses what is no duration", () => {
  for (const text of ["", "soon", "5", "5 years", "1.2.3h"]) {
    assert.throws(() => parseDuration(text), SyntaxError);
  }
});
