import { expect, test } from "vitest";
import {
  CLASSES,
  codePoint,
  complement,
  type Range,
  spell,
  subtract,
} from "../../../../src/tools/search/pattern/character-class.js";

const has = (ranges: readonly Range[], character: string) => {
  const point = character.codePointAt(0)!;
  return ranges.some(([first, last]) => point >= first && point <= last);
};

test("ranges lose their holes, wherever those lie", () => {
  expect(subtract([[0, 9]], [[3, 5]])).toEqual([
    [0, 2],
    [6, 9],
  ]);
  expect(
    subtract(
      [[0, 9]],
      [
        [0, 0],
        [9, 20],
      ],
    ),
  ).toEqual([[1, 8]]);
  expect(subtract([[0, 9]], [[0, 9]])).toEqual([]);
  expect(subtract([[5, 9]], [[0, 4]])).toEqual([[5, 9]]);
});

test("a class and its complement have no character in common, and letters that fold to ASCII are in neither", () => {
  for (const character of ["a", "Z", "5", "_", " ", "é", "漢"]) {
    expect(has(CLASSES.w!, character)).toBe(!has(complement(CLASSES.w!), character));
  }
  expect(has(complement(CLASSES.w!), "\u212a")).toBe(false);
});

test("what is spelled is read back by the engine", () => {
  const inside = new RegExp(`^[${spell(CLASSES.punct!)}]$`, "u");

  expect([..."!/:@[`{~^]-\\"].every((character) => inside.test(character))).toBe(true);
  expect(inside.test("a")).toBe(false);
  expect(new RegExp(`^${codePoint(0x1f600)}$`, "u").test("😀")).toBe(true);
});
