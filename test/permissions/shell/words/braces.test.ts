import { expect, test } from "vitest";
import { analyze } from "../kit.js";

const words = (line: string) => analyze(line).commands[0]!.words.slice(1);

test.each([
  ["x a{b,c}d", ["abd", "acd"]],
  ["x {1..3}", ["1", "2", "3"]],
  ["x {3..1}{a,b}", ["3a", "3b", "2a", "2b", "1a", "1b"]],
  ["x {a}", ["{a}"]],
  ["x {a,b{c,d},}e", ["ae", "bce", "bde", "e"]],
  ["x {a{b,c}{d,e}f,g}", ["abdf", "abef", "acdf", "acef", "g"]],
  ["x '{a,b}'", ["{a,b}"]],
  ["x {}", ["{}"]],
])("%s has the words %j", (line, expected) => {
  expect(words(line)).toEqual(expected);
});

test("braces that are too many, deeper inside each other, or that hold an expansion or a step, are not followed", () => {
  for (const braces of ["{a..c}", "{1..7..3}", "{01..9}", "{a,b{c,{d,e}}}", "{a,{b}}", "{a,{1..3}}"])
    expect(words(`x ${braces}`)).toEqual([null]);
  expect(words(`x {a,${"{b,c}".repeat(7)}}`)).toEqual([null]);
  expect(words("x {a,{b,$y}}")).toEqual([null]);
  expect(words("x {1..999}")).toEqual([null]);
  expect(words("x {a,$y}")).toEqual([null]);
});
