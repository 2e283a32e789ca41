import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  characterBorder,
  clip,
  firstCharacters,
  lastCharacters,
  sliceCharacters,
  wholeCharacters,
} from "../../src/text/cut.js";
import { splitHeadAndTail } from "../../src/text/head-and-tail.js";

const TEXTS = fc.string({ unit: "grapheme", maxLength: 40 }).filter((text) => text.isWellFormed());
const INDEXES = fc.nat(60);

test("no cut of a whole string halves a character, and none is longer than it may be", () => {
  fc.assert(
    fc.property(TEXTS, INDEXES, INDEXES, (text, a, b) => {
      const pieces = [clip(text, a + 1), firstCharacters(text, a), lastCharacters(text, a)];
      const { head, tail } = splitHeadAndTail(text, a, b);
      pieces.push(sliceCharacters(text, Math.min(a, b), Math.max(a, b)), wholeCharacters(text.slice(a, b)), head, tail);

      expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([]);
      expect(clip(text, a + 1).length).toBeLessThanOrEqual(a + 1);
      expect(firstCharacters(text, a).length).toBeLessThanOrEqual(a);
      expect(lastCharacters(text, a).length).toBeLessThanOrEqual(a);
    }),
  );
});

test("neighbouring slices lose nothing and repeat nothing", () => {
  fc.assert(
    fc.property(TEXTS, INDEXES, (text, at) => {
      expect(sliceCharacters(text, 0, at) + sliceCharacters(text, at)).toBe(text);
    }),
  );
});

test("head, tail and what lies between them make up the whole", () => {
  fc.assert(
    fc.property(TEXTS, INDEXES, INDEXES, (text, headChars, tailChars) => {
      const { head, tail, omittedChars } = splitHeadAndTail(text, headChars, tailChars);

      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(head.length + omittedChars + tail.length).toBe(text.length);
    }),
  );
});

test("a border inside a character moves back, and one beyond the string moves to its end", () => {
  expect([0, 1, 2, 3, 9].map((index) => characterBorder("a😀", index))).toEqual([0, 1, 1, 3, 3]);
  expect([-1, 0].map((index) => characterBorder("😀", index))).toEqual([0, 0]);
});

test("a string of exactly the longest length is not clipped", () => {
  expect([clip("abcd", 4), clip("abcd", 3), clip("a😀b", 3), clip("abcd", 0)]).toEqual(["abcd", "ab…", "a…", "…"]);
});
