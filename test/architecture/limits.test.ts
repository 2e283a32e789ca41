import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { gone, type Limits, measured, readLimits, risen } from "./limits.js";
import { faults } from "./measure/structure.js";
import { measureTrips, tripRows } from "./measure/trips.js";

const PAGE = fileURLToPath(new URL("../../docs/architecture.md", import.meta.url));
const limits = readLimits();
const trips = await measureTrips();
const found = faults();
const now = measured(trips, found);

const FALL = "These numbers only fall. Once they have: npx tsx test/architecture/write-limits.ts";

/** The reader of a failure sees the numbers, what to do, and the names behind each number. */
function hold(kind: keyof Limits, advice: string, behind: Readonly<Record<string, readonly string[]>> = {}): void {
  const above = risen(now[kind], limits[kind]);
  const listed = Object.entries(behind)
    .filter(([name]) => now[kind][name]! > limits[kind][name]!)
    .map(([name, names]) => `\n${name}:\n  ${names.join("\n  ")}`);

  expect([...above, ...gone(now[kind], limits[kind])], `${FALL}\n${advice}${listed.join("")}\n`).toEqual([]);
}

test("no module has more lines than its budget, and every budget has its module", () => {
  hold(
    "modules",
    "To add lines here, take as many from another module in the same commit: --raise moves the budget, the commit says why.",
  );
});

test("no trip enters more files, functions or lines than its limit", () => {
  const files = Object.entries(trips).map(([name, { entered }]) => [`${name}, files`, entered]);

  hold("trips", "Let the trip enter less: join files of one idea, leave out a step.", Object.fromEntries(files));
});

test("no circle grows, no arrow turns back, no function is written a second time", () => {
  hold("structure", "Move the type, or import the function that is there.", found);
});

test("no file has more than 300 lines, and no large one grows", () => {
  hold("linesOfLargeFiles", "Look for the second idea in the file.");
});

test("no directory has more than 20 entries, and no large one grows", () => {
  hold("entriesOfLargeDirectories", "Give the files of one idea a directory of their own.");
});

test("docs/architecture.md says how many files each trip enters", () => {
  const lines = readFileSync(PAGE, "utf8").split("\n");

  expect(
    lines.filter((line) => /^\| .+ \| \d+ \|$/.test(line)),
    FALL,
  ).toEqual(tripRows(trips));
});

test("what is above its limit, has no limit, or has only a limit is named", () => {
  const [counts, held] = [
    { "src/a": 11, "src/b": 10, "src/new": 1 },
    { "src/a": 10, "src/b": 10, "src/old": 5 },
  ];

  expect(risen(counts, held)).toEqual(["src/a: 11, at most 10", "src/new: 1, and has no limit"]);
  expect(gone(counts, held)).toEqual(["src/old: has a limit and needs none"]);
});
