import { expect, test } from "vitest";
import { analyze } from "../kit.js";

const words = (line: string) => analyze(line).commands[0]!.words.slice(1);

test.each([
  ["x a{b,c}d", ["abd", "acd"]],
  ["x {1..3}", ["1", "2", "3"]],
  ["x {c..a}", ["c", "b", "a"]],
  ["x {1..7..3}", ["1", "4", "7"]],
  ["x {a,b{c,d}}", ["a", "bc", "bd"]],
  ["x {a}", ["{a}"]],
  ["x '{a,b}'", ["{a,b}"]],
  ["x {}", ["{}"]],
])("%s has the words %j", (line, expected) => {
  expect(words(line)).toEqual(expected);
});

test("braces that are too many, or that hold an expansion, are not followed", () => {
  expect(words("x {1..999}")).toEqual([null]);
  expect(words("x {a,$y}")).toEqual([null]);
});
