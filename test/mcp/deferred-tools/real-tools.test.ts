import { expect, test } from "vitest";
import { ToolFinder } from "../../../src/mcp/deferred-tools/tool-finder.js";
import { plainWordSearch } from "./plain-word-search.js";
import { realTasks, realTools } from "./real-tools.js";

const definitions = realTools();

test.each([["seen", 105, 0.66, 0.34]] as const)(
  "of 732 tools of 22 published servers, %s tasks in other words find theirs among the first five",
  (which, count, share, plainShare) => {
    const tasks = realTasks(which);
    const foundBy = (search: (query: string) => readonly string[]) =>
      tasks.filter(({ task, tools }) => search(task).some((name) => tools.includes(name))).length / count;
    const finder = new ToolFinder(definitions);

    const ours = foundBy((query) => finder.byWords(query, 5).map(({ name }) => name));
    const plain = foundBy(plainWordSearch(definitions, 5));

    expect([definitions.length, tasks.length]).toEqual([732, count]);
    expect(ours).toBeGreaterThan(share);
    expect(plain).toBeCloseTo(plainShare, 2);
  },
);

test("every task names tools that are there", () => {
  const names = new Set(definitions.map(({ name }) => name));

  const wanted = realTasks("seen").flatMap(({ tools }) => tools);

  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
});
