import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDuration, parseDuration } from "../src/index.js";

test("writes the longest units first", () => {
  assert.equal(formatDuration(5_400_000), "1h 30m");
  assert.equal(formatDuration(86_400_500), "1d 500ms");
});

test("writes nothing as 0ms", () => {
  assert.equal(formatDuration(0), "0ms");
});

test("what was written reads as the same duration", () => {
  for (const milliseconds of [1, 999, 61_000, 90_061_001]) {
    assert.equal(parseDuration(formatDuration(milliseconds)), milliseconds);
  }
});
