import { expect, test } from "vitest";
import { sessionsOfOtherKinds } from "../../bench/compaction/kinds.js";
import { ladderRetention } from "../../bench/compaction/retention.js";
import { plantedSessions } from "../../bench/compaction/sessions.js";

const sets = {
  tried: () => plantedSessions("tried", 2),
  "held-out": () => plantedSessions("held-out", 2),
  other: () => sessionsOfOtherKinds(1),
};

test.each([
  ["tried", 32_000, 0.95],
  ["held-out", 8_000, 0.95],
  ["other", 16_000, 0.9],
] as const)(
  "of facts said once, early, in %s sessions, a %i-token window keeps nearly all, and recall finds the rest",
  async (set, window, least) => {
    const { kept, found, tokens } = await ladderRetention(sets[set](), window);

    expect(tokens).toBeLessThan(window);
    expect(kept.get("user wish")).toBe(1);
    expect(kept.get("all")).toBeGreaterThanOrEqual(least);
    expect(found).toBeGreaterThanOrEqual(0.97);
  },
);
