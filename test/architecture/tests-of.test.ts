import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { TESTED_ELSEWHERE, TestFinder } from "../tests-of.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const finder = new TestFinder();

test("for every source with behaviour a test can be found by its name, by its folder, or in the table", () => {
  expect(finder.sources.length).toBeGreaterThan(800);
  expect(finder.sources.filter((source) => finder.testsOf(source).length === 0)).toEqual([]);
});

test("what the table names reaches what it is named for, and every row of it is needed", () => {
  const rows = Object.entries(TESTED_ELSEWHERE).map(([at, tests]) => {
    const held = finder.sources.filter((source) => source === at || source.startsWith(`${at}/`));
    return { at, tests, held };
  });

  // Tested in a process that is started from a program: no import leads there.
  const started = ["src/program/terminal"];
  for (const { at, tests, held } of rows) {
    expect(held, at).not.toEqual([]);
    for (const one of tests) {
      expect(existsSync(join(ROOT, one)), one).toBe(true);
      if (started.includes(at)) continue;
      expect(
        held.some((source) => finder.reaches(one, source)),
        `${one} for ${at}`,
      ).toBe(true);
    }
    expect(
      held.some((source) => finder.isOnlyNamed(source)),
      `a source at ${at} that is found no other way`,
    ).toBe(true);
  }
});
