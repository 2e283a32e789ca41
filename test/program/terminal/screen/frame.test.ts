import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Frame } from "../../../../src/program/terminal/screen/frame.js";
import { runs } from "../../../runs.js";

function drawn(lines: string[], width: number): string[] {
  const part = { render: () => lines, invalidate: () => {} };
  return new Frame({ above: () => [part], below: () => [], rows: () => 24, onFrame: () => {} }).render(width);
}

/** A screen of ten rows and the scrollback above it, as a terminal keeps them: what leaves the screen comes after the rest. */
function terminal() {
  const scrollback: string[] = [];
  let [above, below] = [[] as string[], [] as string[]];
  const part = (lines: () => string[]) => ({ render: () => lines(), invalidate: () => {} });
  const frame = new Frame({
    above: () => [part(() => above)],
    below: () => [part(() => below)],
    rows: () => 10,
    onFrame: (count) => expect(count).toBe(scrollback.length),
  });
  return {
    scrollback,
    draw(conversation: string[], rest: string[]): string[] {
      [above, below] = [conversation, rest];
      const lines = frame.render(80);
      scrollback.push(...lines.slice(scrollback.length, Math.max(scrollback.length, lines.length - 10)));
      return lines.slice(scrollback.length);
    },
  };
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n}`);

test("what was pushed off the screen by a question does not come back, and the room is used by what follows", () => {
  const { draw, scrollback } = terminal();

  draw(numbered("said", 8), ["editor"]);
  const asked = draw(numbered("said", 8), numbered("question", 7));
  const answered = draw(numbered("said", 8), ["editor"]);
  draw(numbered("said", 40), ["editor"]);

  expect(asked).toEqual([...numbered("said", 8).slice(5), ...numbered("question", 7)]);
  expect(answered).toEqual([...numbered("said", 8).slice(5), ...Array.from({ length: 6 }, () => ""), "editor"]);
  expect(scrollback).toEqual(numbered("said", 31));
});

test("a question that is taller than the screen loses its first lines, and the scrollback has the conversation alone", () => {
  const { draw, scrollback } = terminal();

  draw(numbered("said", 8), ["editor"]);
  const asked = draw(numbered("said", 8), numbered("question", 15));
  draw(numbered("said", 9), ["editor"]);
  draw(numbered("said", 30), ["editor"]);

  expect(asked).toEqual(numbered("question", 15).slice(5));
  expect(scrollback).toEqual(numbered("said", 21));
});

test("colours stay, every other sequence goes", () => {
  expect(drawn(["\x1b[31mred\x1b[39m\x1b[2J\x1b]0;x\x07 \x1b]8;;http://x\x1b\\link\u009b8m\r"], 80)).toEqual([
    "\x1b[31mred\x1b[39m link8m",
  ]);
});

test("no line is wider than the terminal", () => {
  const line = fc.string({
    unit: fc.constantFrom("a", "漢", "é", "👩‍👩‍👧", "\x1b[1m", "\x1b[22m", " ", "\x1b", "\x07"),
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), fc.integer({ min: 8, max: 40 }), (lines, width) => {
      for (const shown of drawn(lines, width)) expect(visibleWidth(shown)).toBeLessThanOrEqual(width);
    }),
    { numRuns: runs(200, 2_000, 20_000) },
  );
});
