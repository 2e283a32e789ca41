import { expect, test } from "vitest";
import { isSaidIn } from "../../../src/compaction/notes/already-in-summary.js";

const said = (summary: string, text: string) => isSaidIn(summary, { section: "Decisions and findings", text });

test("names and numbers of a note have to be in the summary letter for letter", () => {
  const note = "The cache lives in src/cache.ts and holds 40 entries at most.";

  expect(said("At most 40 entries are what the cache in src/cache.ts holds, it lives there.", note)).toBe(true);
  expect(said("At most 30 entries are what the cache in src/cache.ts holds, it lives there.", note)).toBe(false);
  expect(said("At most 40 entries are what the cache in src/store.ts holds, it lives there.", note)).toBe(false);
});

test("a word without end takes no longer than other text", () => {
  expect(said("a", "a".repeat(300_000))).toBe(false);
  expect(said("a", `1${".".repeat(300_000)}a`)).toBe(false);
});
