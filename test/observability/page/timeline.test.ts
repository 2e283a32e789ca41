import { expect, test } from "vitest";
import { Timeline } from "../../../page/timeline.js";
import { PageText } from "../../../src/observability/page/page-text.js";
import { pageEntryOf } from "../../../src/observability/page/read-entry.js";
import { longSession } from "./long-session.js";

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

test("what a rewind has left is marked; a chain that breaks, turns in a circle or has an id twice hides nothing", () => {
  const entries = longSession(3);
  const rewound = [...entries, { ...entries[1]!, id: "again", parent: entries[1]!.id }];
  const broken = ["nobody", 7, {}, undefined, "again"].map((parent) => [
    ...entries,
    { ...entries[1]!, id: "again", parent },
  ]);
  const twice = [...rewound, { ...entries[2]!, parent: "again" }];

  const left = (all: readonly unknown[]) =>
    timelineOf(all).turns.flatMap(({ items }) => items.map(({ isLeft }) => isLeft));
  expect(left(rewound).filter(Boolean).length).toBeGreaterThan(5);
  expect(left(rewound).at(0)).toBe(false);
  for (const all of [...broken, twice]) expect(left(all)).not.toContain(true);
});

test("times and counts that cannot be are taken for unknown", () => {
  const usage = { inputTokens: -5, outputTokens: Number.NaN, cacheReadTokens: 1e300 };
  const reply = { type: "message", message: { role: "assistant", content: [], usage } };
  const base = { v: 1, runId: "r", turn: 1 };

  const { turns } = timelineOf([
    { ...base, id: "a", parent: null, at: 0.1, type: "run-start" },
    { ...base, id: "b", parent: "a", at: Date.UTC(2026, 0, 1), ...reply },
  ]);

  expect(turns.map(({ at, modelMs, usage }) => ({ at, modelMs, usage }))).toEqual([
    { at: 0, modelMs: 0, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
  ]);
});

test("what the vendor's server has run is a row with its call and what it found", () => {
  const uses = [
    { id: "srv_1", name: "web_search", input: { query: "loops" }, trust: "untrusted" },
    { id: "srv_1", name: "web_search", output: "Two loops.", trust: "untrusted" },
  ];
  const content = uses.map((serverTool) => ({ type: "reasoning", text: "", provider: "p", serverTool }));
  const base = { v: 1, runId: "r", turn: 1, at: 1 };

  const { turns } = timelineOf([
    { ...base, id: "a", parent: null, type: "run-start" },
    { ...base, id: "b", parent: "a", type: "message", message: { role: "assistant", content } },
  ]);

  const parts = turns.flatMap(({ items }) => items.flatMap((item) => ("part" in item && item.part ? [item.part] : [])));
  expect(parts).toEqual([
    { type: "reasoning", text: 'The server\'s tool web_search {"query":"loops"}' },
    { type: "reasoning", text: "The server's tool web_search\n\nTwo loops." },
  ]);
});

test("a compaction by the vendor's server stands at its turn under the stage's name, with its cost", () => {
  const report = {
    stage: "serverCompaction",
    beforeTokens: 900,
    afterTokens: 90,
    removedTurns: 4,
    durationMs: 5,
    costUsd: 0.25,
  };
  const data = { type: "compaction", encrypted_content: "c2VjcmV0" };
  const summary = { role: "user", origin: "summary", content: [{ type: "text", text: "Notes." }] };
  const replacement = [{ ...summary, serverSummary: { provider: "p", model: "m", data } }];
  const base = { v: 1, runId: "r", turn: 1, at: 1 };

  const { turns } = timelineOf([
    { ...base, id: "a", parent: null, type: "run-start" },
    { ...base, id: "b", parent: "a", type: "view-edit", stage: report.stage, from: "a", to: "a", replacement, report },
    { ...base, id: "c", parent: "b", type: "message", message: { role: "assistant", content: [] } },
  ]);

  const shown = JSON.stringify(turns);
  expect(shown).toContain("serverCompaction");
  expect(shown).toContain("0.25");
  expect(shown).not.toContain("c2VjcmV0");
});
