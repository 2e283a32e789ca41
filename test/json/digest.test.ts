import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { canonicalJson } from "../../src/json/copy.js";
import { quickDigest, strongDigest } from "../../src/json/digest.js";

const samples = [
  ...Array.from({ length: 140 }, (_, length) => "a".repeat(length)),
  "",
  "ünïcödé 漢字 🎉",
  "lone \ud800 surrogate",
  { b: [1, 2, { c: null }], a: "x" },
  "x".repeat(1_000_000),
];

test("the strong digest is SHA-256 of the canonical text, whatever its length and script", () => {
  for (const sample of samples) {
    expect(strongDigest(sample)).toBe(createHash("sha256").update(canonicalJson(sample)).digest("hex"));
  }
});

test("the strong digest does not depend on the order of keys", () => {
  expect(strongDigest({ a: 1, b: 2 })).toBe(strongDigest({ b: 2, a: 1 }));
});

test("the quick digest distinguishes different inputs and is the same for the same", () => {
  const digests = samples.map(quickDigest);

  expect(new Set(digests).size).toBe(new Set(samples.map((sample) => JSON.stringify(sample))).size);
  expect(samples.map(quickDigest)).toEqual(digests);
  expect(digests.every((digest) => /^[0-9a-f]{16}$/.test(digest))).toBe(true);
});
