import { evaluate } from "loopwright/testing";
import { expect, test } from "vitest";
import { sessionsOfOtherKinds } from "../../bench/compaction/kinds.js";
import { ladderRetention, type Retention } from "../../bench/compaction/retention.js";
import { plantedSessions } from "../../bench/compaction/sessions.js";
import { runs } from "../runs.js";

test("of facts said once, early, a small window keeps nearly all, and recall finds the rest", async () => {
  const { results } = await evaluate({
    cases: [
      { name: "tried", metadata: plantedSessions("tried", runs(1, 2, 2)), expected: { window: 32_000, kept: 0.95 } },
      {
        name: "held-out",
        metadata: plantedSessions("held-out", runs(1, 2, 2)),
        expected: { window: 8_000, kept: 0.95 },
      },
      { name: "of other kinds", metadata: sessionsOfOtherKinds(1), expected: { window: 16_000, kept: 0.9 } },
    ],
    agent: ({ metadata, expected }) => ladderRetention(metadata as never, expected!.window),
    scorers: {
      fits: ({ output }, { expected }) => (output as Retention).tokens < expected!.window,
      wishes: ({ output }) => (output as Retention).kept.get("user wish") === 1,
      kept: ({ output }, { expected }) => (output as Retention).kept.get("all")! >= expected!.kept,
      found: ({ output }) => (output as Retention).found >= 0.97,
    },
  });

  const missed = results.flatMap(({ name, scores }) =>
    scores.flatMap(({ scorer, passed }) => (passed ? [] : `${name}: ${scorer}`)),
  );
  expect(missed).toEqual([]);
});
