// What the user said and had to leave is counted where it would stand, however often a session is compacted.
import { estimateTokens } from "loopwright/compaction";
import { expect, test } from "vitest";
import { extractNotes, fitNotes, formatNotes } from "../../../src/compaction/notes/extract-notes.js";
import { summaryMessage } from "../../../src/compaction/notes/summary-message.js";
import { ViewLines } from "../../../src/compaction/view-lines.js";
import { Session } from "../kit.js";

const wish = (n: number) => `Please let service-${n} listen on port ${6500 + n}.`;

/** The notes on a session in which somebody wishes, after notes that are there already. */
function notesOn(wishes: readonly number[], earlier?: string) {
  const session = new Session();
  if (earlier) session.add({ type: "message", message: summaryMessage(earlier) });
  for (const n of wishes) session.user(wish(n)).answer("Fine.");
  const { view } = session.transcript;
  return extractNotes(view, null, new ViewLines().update(view));
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const shown = (text: string) => (text.match(/listen on port/g) ?? []).length;
const leftOut = (text: string) => [...text.matchAll(/\[(\d+) more are left out/g)].map(([, count]) => Number(count));

test("the list of what the user said begins with how much of it is left out, and takes no more room for that", () => {
  const maxTokens = 300;
  const text = formatNotes(notesOn(numbers(0, 40)), maxTokens, estimateTokens);

  expect(text).toContain(
    `## What the user said\n- [${40 - shown(text)} more are left out; recall or the transcript has them.]\n- Please`,
  );
  expect(shown(text)).toBeGreaterThan(5);
  expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
});

test("nothing is said where nothing the user said is left out, or where there is no room to say it", () => {
  const notes = notesOn(numbers(0, 5));

  expect(leftOut(fitNotes(notes, 1_000, estimateTokens).text)).toEqual([]);
  expect(fitNotes(notes, 0, estimateTokens)).toEqual({ text: "", lostShare: 1 });
});

test("what was left out before is counted on in later notes, with room for all else or without", () => {
  const first = formatNotes(notesOn(numbers(0, 40)), 300, estimateTokens);
  const roomy = formatNotes(notesOn([40, 41], first), 2_000, estimateTokens);
  const tight = formatNotes(notesOn(numbers(42, 60), roomy), 300, estimateTokens);

  expect(leftOut(first)).toEqual([40 - shown(first)]);
  expect(leftOut(roomy)).toEqual([42 - shown(roomy)]);
  expect(shown(roomy)).toBe(shown(first) + 2);
  expect(leftOut(tight)).toEqual([60 - shown(tight)]);
});
