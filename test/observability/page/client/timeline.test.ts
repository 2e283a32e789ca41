import { expect, test } from "vitest";
import { Timeline } from "../../../../src/observability/page/client/timeline.js";
import { PageText } from "../../../../src/observability/page/page-text.js";
import { pageEntryOf } from "../../../../src/observability/page/read-entry.js";
import { longSession } from "../long-session.js";

function timelineOf(entries: readonly unknown[]): Timeline {
  const timeline = new Timeline();
  const text = new PageText([]);
  timeline.add(
    entries.map((entry) => pageEntryOf(entry, text)),
    [],
  );
  return timeline;
}

test("each reply begins a turn, with the time of its model and of its tools", () => {
  const entries = longSession(3);
  const { turns, status, calls } = timelineOf(entries);

  const times = turns.map(({ number, modelMs, toolMs }) => ({ number, modelMs, toolMs }));
  const at = (index: number) => entries[index]!.at - entries[index - 1]!.at;
  expect(times).toEqual([
    { number: 1, modelMs: at(2), toolMs: at(3) },
    { number: 2, modelMs: at(4), toolMs: at(5) },
    { number: 3, modelMs: at(6), toolMs: at(7) },
  ]);
  expect([status, calls.size]).toEqual(["completed", 3]);
});

test("compactions stand at the turn before which they were made", () => {
  const { turns } = timelineOf(longSession(240));

  expect(turns.filter(({ compaction }) => compaction !== null).map(({ number }) => number)).toHaveLength(3);
});

test("what a rewind has left is marked, and a chain that breaks marks nothing", () => {
  const entries = longSession(3);
  const rewound = [...entries, { ...entries[1]!, id: "again", parent: entries[1]!.id }];
  const broken = [...entries, { ...entries[1]!, id: "again", parent: "nobody" }];

  const left = (all: readonly unknown[]) =>
    timelineOf(all).turns.flatMap(({ items }) => items.map(({ isLeft }) => isLeft));
  expect(left(rewound).filter(Boolean).length).toBeGreaterThan(5);
  expect(left(rewound).at(0)).toBe(false);
  expect(left(broken)).not.toContain(true);
});
