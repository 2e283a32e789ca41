import { expect, test } from "vitest";
import { nearestNames } from "../../src/text/nearest-names.js";

test.each([
  [
    "what differs in case comes before what differs in a letter",
    "README.md",
    ["readme.mb", "readme.md"],
    ["readme.md", "readme.mb"],
  ],
  [
    "another ending counts as one letter",
    "index.ts",
    ["index.test", "index.tsx", "index.js"],
    ["index.test", "index.tsx", "index.js"],
  ],
  ["two slips are a misspelling, also of a short name", "gerp", ["grep"], ["grep"]],
  ["a third of a long name may differ", "read_file", ["red_filles", "write_file", "bash"], ["red_filles"]],
  ["what nobody could have meant is not named", "deploy", ["grep", "bash", "read_file"], []],
  ["an empty name is near to names of one or two letters", "", ["a", "ab", "abc"], ["a", "ab"]],
  ["nothing is near when there is nothing", "grep", [], []],
])("%s", (_what, wanted, names, expected) => {
  expect(nearestNames(wanted, names)).toEqual(expected);
});

test("three are named unless more are wanted, and equally near ones keep their order", () => {
  const names = ["cat1", "cat2", "cat3", "cat4"];

  expect(nearestNames("cat", names)).toEqual(["cat1", "cat2", "cat3"]);
  expect(nearestNames("cat", names, 4)).toEqual(names);
  expect(nearestNames("cat", names, 1)).toEqual(["cat1"]);
});

test("names that are long or many cost no more than the first hundred letters of two thousand", () => {
  const long = "x".repeat(1_000_000);

  expect(nearestNames(`${long}y`, [long])).toEqual([long]);
  expect(nearestNames("last", [...Array<string>(2_000).fill("something-else"), "last"])).toEqual([]);
});
