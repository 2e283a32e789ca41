import { expect, test } from "vitest";
import { ladderRetention } from "../../bench/compaction/retention.js";
import { plantedSessions } from "../../bench/compaction/sessions.js";

test.each([
  ["tried", 32_000, 0.95],
  ["held-out", 32_000, 0.95],
  ["held-out", 16_000, 0.9],
] as const)(
  "of facts said once, early, in %s sessions, a %i-token window keeps nearly all",
  async (set, window, least) => {
    const { kept, tokens } = await ladderRetention(plantedSessions(set, 2), window);

    expect(tokens).toBeLessThan(window);
    expect(kept.get("user wish")).toBe(1);
    expect(kept.get("all")).toBeGreaterThanOrEqual(least);
  },
);
