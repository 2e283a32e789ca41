import { visibleWidth } from "@mariozechner/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Frame } from "../../../../src/program/terminal/screen/frame.js";
import { runs } from "../../../runs.js";

function drawn(lines: string[], width: number): string[] {
  const part = { render: () => lines, invalidate: () => {} };
  return new Frame(
    () => [part],
    () => {},
  ).render(width);
}

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
