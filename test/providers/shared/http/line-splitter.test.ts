import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "../../../../src/providers/shared/http/line-splitter.js";
import { runs } from "../../../runs.js";

function split(pieces: readonly string[]): { readonly lines: string[]; readonly rest: string } {
  const splitter = new LineSplitter();
  const lines: string[] = [];
  for (const piece of pieces) splitter.push(piece, (line) => lines.push(line) > 0);
  return { lines, rest: splitter.rest() };
}

test("a line ends with any of the three line breaks", () => {
  expect(split(["a\nb\r\nc\rd"])).toEqual({ lines: ["a", "b", "c"], rest: "d" });
  expect(split(["a\r", "\nb\n"])).toEqual({ lines: ["a", "b"], rest: "" });
  expect(split(["a\r", "\r", "\n"])).toEqual({ lines: ["a", ""], rest: "" });
});

test("the pieces a text arrives in make no difference", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "\r", "\n"), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(split(pieces)).toEqual(split([pieces.join("")]));
    }),
    { numRuns: runs(200, 1_000, 20_000) },
  );
});

test("what has no end yet is counted", () => {
  const splitter = new LineSplitter();
  splitter.push("one\ntwo", () => true);
  splitter.push(" and more", () => true);

  expect(splitter.heldChars).toBe("two and more".length);
  expect(splitter.rest()).toBe("two and more");
  expect(splitter.heldChars).toBe(0);
});

test("nothing is handed over once the consumer wants no more", () => {
  const lines: string[] = [];
  new LineSplitter().push("a\nb\nc\n", (line) => lines.push(line) < 2);

  expect(lines).toEqual(["a", "b"]);
});
