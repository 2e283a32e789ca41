import { expect, test } from "vitest";
import { ToolFinder } from "../../../src/mcp/deferred-tools/tool-finder.js";
import { wordsIn } from "../../../src/text/words.js";
import type { Task } from "./catalogue.js";
import { plainWordSearch } from "./plain-word-search.js";
import { realTasks, realTools } from "./real-tools.js";

const definitions = realTools();
const byName = new Map(definitions.map((each) => [each.name, each]));
const finder = new ToolFinder(definitions);
const plainly = plainWordSearch(definitions, 5);

/** The share of tasks that find a tool that does them among the first five. */
function foundOf(tasks: readonly Task[], search: (query: string) => readonly string[]): number {
  return tasks.filter(({ task, tools }) => search(task).some((name) => tools.includes(name))).length / tasks.length;
}

function sharesAWord({ task, tools }: Task): boolean {
  const words = new Set(wordsIn(task));
  return tools.some((name) => wordsIn(`${name} ${byName.get(name)!.description}`).some((word) => words.has(word)));
}

test.each([
  ["seen", 105, 0.73, 0.343, 81, 0.77],
  ["unseen", 104, 0.52, 0.192, 65, 0.72],
] as const)(
  "of 732 tools of 22 published servers, %s tasks in other words find theirs among the first five",
  (which, count, share, plainShare, sharingCount, sharingShare) => {
    const tasks = realTasks(which);
    const sharing = tasks.filter(sharesAWord);
    const search = (query: string) => finder.byWords(query, 5).map(({ name }) => name);

    const [found, foundSharing] = [foundOf(tasks, search), foundOf(sharing, search)];

    expect([definitions.length, tasks.length, sharing.length]).toEqual([732, count, sharingCount]);
    // Measured in November 2026: 0.78 and 0.81 of those seen, 0.56 and 0.77 of the others.
    expect(found).toBeGreaterThan(share);
    expect(foundSharing).toBeGreaterThan(sharingShare);
    expect(foundOf(tasks, plainly)).toBeCloseTo(plainShare, 3);
  },
);

test("every task names tools that are there", () => {
  const wanted = [...realTasks("seen"), ...realTasks("unseen")].flatMap(({ tools }) => tools);

  expect(wanted.filter((name) => !byName.has(name))).toEqual([]);
});

test("a tool that deletes comes first for those alone who want something deleted", () => {
  const first = (query: string) => finder.byWords(query, 1)[0]?.name;

  expect(first("give the comment a thumbs up reaction")).toBe("mcp__slack__slack_add_reaction");
  expect(first("delete the reaction from the comment")).toMatch(/delete_.*_reaction/);
});

test("a service with a capital letter is meant, and what is in quotation marks is not searched for", () => {
  const first = (query: string) => finder.byWords(query, 1)[0]?.name;

  expect(first("search pages in Notion")).toMatch(/^mcp__notion__/);
  expect(first('create a folder named "delete all issues"')).toBe(first('create a folder named "holidays"'));
});
