import { evaluate } from "loopwright/testing";
import { expect, test } from "vitest";
import { ToolFinder } from "../../../src/mcp/deferred-tools/tool-finder.js";
import { splitMcpToolName } from "../../../src/mcp/tool-name.js";
import { catalogue, moreServices, tasks } from "./catalogue.js";

const definitions = catalogue().map((tool) => tool.definition());

/** The share of tasks that find their tool among the first five. */
async function foundOf(which: "learned" | "unlearned" | "everyday") {
  const finder = new ToolFinder(definitions);
  const { cases, scores } = await evaluate({
    cases: tasks(which).map(({ task, tools }, index) => ({ name: `${index}: ${task}`, input: task, expected: tools })),
    agent: ({ input }) => finder.byWords(String(input), 5).map(({ name }) => splitMcpToolName(name)!.tool),
    scorers: { found: ({ output }, { expected }) => expected!.some((tool) => (output as string[]).includes(tool)) },
  });
  return { count: cases.length, share: scores[0]!.value };
}

test("of 662 tasks in other words than the tools' own, most find their tool among the first five of 715", async () => {
  const { count, share } = await foundOf("learned");

  expect([definitions.length, count]).toEqual([715, 662]);
  expect(share).toBeGreaterThan(0.88);
});

test("of 170 tasks that the thesaurus has not learned from, more than half do", async () => {
  const { count, share } = await foundOf("unlearned");

  expect(count).toBe(170);
  // What words alone can do for everyday speech: 59 of a hundred. A host's own rank() is for more.
  expect(share).toBeGreaterThan(0.55);
});

test("of 159 everyday tasks, of which plain word search finds half, nearly all do", async () => {
  const { count, share } = await foundOf("everyday");

  expect(count).toBe(159);
  expect(share).toBeGreaterThan(0.85);
});

test.each([
  ["learned", 100, 0.68],
  ["unlearned", 102, 0.45],
] as const)(
  "of 500 tools, %s tasks for those of other services find the very one among the first five",
  (which, count, share) => {
    const { tools, tasks } = moreServices(which);
    const others = definitions.filter((_, index) => index % 2 === 0).slice(0, 298);
    const offered = [
      ...others,
      ...[...moreServices("learned").tools, ...moreServices("unlearned").tools].map((each) => each.definition()),
    ];
    const finder = new ToolFinder(offered);

    const found = tasks.filter((each) => finder.byWords(each.task, 5).some(({ name }) => name === each.tools[0]));

    expect([offered.length, tools.length]).toEqual([500, count]);
    expect(found.length / count).toBeGreaterThan(share);
  },
);

test("phrasings between semicolons are asked one by one, and the best of each come first", () => {
  const finder = new ToolFinder(definitions);
  const best = (query: string) => finder.byWords(query, 1)[0]?.name;

  const both = finder.byWords("set alarm clock; translate text; ;", 4).map(({ name }) => name);

  expect(both.slice(0, 2)).toEqual([best("set alarm clock"), best("translate text")]);
  expect(new Set(both).size).toBe(4);
});

test("the same query finds the same tools, in the same order", () => {
  const [one, other] = [new ToolFinder(definitions), new ToolFinder(definitions)];

  for (const { task } of tasks().slice(0, 40)) expect(one.byWords(task, 10)).toEqual(other.byWords(task, 10));
});

test("a query of exact names finds those, in its order", () => {
  const finder = new ToolFinder(definitions);

  const named = finder.named("mcp__weather__get_forecast, mcp__gmail__send_email mcp__gmail__nope");

  expect(named.map(({ name }) => name)).toEqual(["mcp__weather__get_forecast", "mcp__gmail__send_email"]);
});

test.each([
  ["create_refund", "mcp__stripe__create_refund"],
  ["mcp__stripe__create_refnd", "mcp__stripe__create_refund"],
  ["mcp__paypal__create_refund", "mcp__stripe__create_refund"],
  ["refund_customer", "mcp__stripe__create_refund"],
])("a name that does not exist, %s, is answered with names like it", (wrong, right) => {
  expect(new ToolFinder(definitions).like(wrong)).toContain(right);
});

test.each(["", "   ", "!!!", "\u0000", "日本語", "a".repeat(10_000), "🙂"])(
  "a query without a word it knows, %j, finds nothing and does no harm",
  (query) => {
    const finder = new ToolFinder(definitions);

    expect(finder.byWords(query, 5).length).toBeLessThanOrEqual(5);
    expect(finder.named(query)).toEqual([]);
  },
);
