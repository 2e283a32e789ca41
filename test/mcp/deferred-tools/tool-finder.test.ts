import { expect, test } from "vitest";
import type { ToolDefinition } from "../../../src/index.js";
import { ToolFinder } from "../../../src/mcp/deferred-tools/tool-finder.js";
import { modelQueries, publishedDefinitions, type Wanted } from "./published-tools.js";

const definitions = publishedDefinitions();
const finder = new ToolFinder(definitions);
const namesOf = (query: string, limit = 5) => finder.byWords(query, limit).map(({ name }) => name);
const wanted = modelQueries();

/** How many find a tool that does it among the first `limit`. */
const countFound = (limit: number, wordsOf: (each: Wanted) => string) =>
  wanted.filter((each) => namesOf(wordsOf(each), limit).some((name) => each.tools.includes(name))).length;

test("of 100 queries as a model writes them, 99 find their tool among the first five of 732, and 91 find it first", () => {
  expect([definitions.length, wanted.length]).toEqual([732, 100]);
  // Measured in November 2026: 100 and 94.
  expect(countFound(5, ({ query }) => query)).toBeGreaterThanOrEqual(99);
  expect(countFound(1, ({ query }) => query)).toBeGreaterThanOrEqual(91);
});

test("a query asked as a question finds what the query finds", () => {
  for (const ask of [
    "How do I …?",
    "Can you … for me?",
    "What do I have to do to …?",
    "Where is it that we … please",
  ]) {
    for (const { query } of wanted) expect(namesOf(ask.replace("…", query))).toEqual(namesOf(query));
  }
});

test("questions in other words find their tool among the first five 97 times of 100, and first 77 times", () => {
  // Measured in November 2026: 100 and 81.
  expect(countFound(5, ({ question }) => question)).toBeGreaterThanOrEqual(97);
  expect(countFound(1, ({ question }) => question)).toBeGreaterThanOrEqual(77);
});

test("every query names tools that are there", () => {
  const names = new Set(definitions.map(({ name }) => name));

  expect(wanted.flatMap(({ tools }) => tools).filter((name) => !names.has(name))).toEqual([]);
});

test("a tool is found by each of its name, its server, its description and its parameters", () => {
  const tool = (name: string, description = "", ...parameters: string[]): ToolDefinition => ({
    name,
    description,
    inputSchema: { type: "object", properties: Object.fromEntries(parameters.map((each) => [each, {}])) },
  });
  const finder = new ToolFinder([
    tool("mcp__alpha__send_parcel"),
    tool("mcp__beta__list", "Lists invoices."),
    tool("mcp__gamma__run", "Runs.", "branchName"),
    tool("plain_tool"),
  ]);

  const first = ["parcels", "alpha", "invoice", "branch", "plain"].map((query) => finder.byWords(query, 5)[0]?.name);

  expect(first).toEqual([
    "mcp__alpha__send_parcel",
    "mcp__alpha__send_parcel",
    "mcp__beta__list",
    "mcp__gamma__run",
    "plain_tool",
  ]);
});

test("tools in other languages are found in their own words", () => {
  const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: "object" as const } });
  const finder = new ToolFinder([
    tool("a", "Erstellt eine Verschlüsselung für Anhänge."),
    tool("b", "创建一个新的日历事件。"),
    tool("c", "يفتح المنفذ على الخادم."),
    tool("d", "데이터베이스의 비밀번호를 바꾼다."),
  ]);

  const first = ["Schlüssel", "日历", "منفذ", "비밀번호"].map((query) => finder.byWords(query, 5)[0]?.name);

  expect(first).toEqual(["a", "b", "c", "d"]);
});

test("phrasings between semicolons are asked one by one, and the best of each come first", () => {
  const both = namesOf("take a screenshot in playwright; merge pull request; ;", 4);

  expect(both.slice(0, 2)).toEqual([namesOf("take a screenshot in playwright")[0], namesOf("merge pull request")[0]]);
  expect(new Set(both).size).toBe(4);
});

test("the same query finds the same tools, in the same order", () => {
  const other = new ToolFinder(definitions);

  for (const { query } of wanted.slice(0, 40)) expect(finder.byWords(query, 10)).toEqual(other.byWords(query, 10));
});

test("a query of exact names finds those, in its order", () => {
  const named = finder.named("mcp__slack__slack_post_message, mcp__notion__API-get-self mcp__notion__nope");

  expect(named.map(({ name }) => name)).toEqual(["mcp__slack__slack_post_message", "mcp__notion__API-get-self"]);
});

test.each([
  ["kubectl_scale", "mcp__kubernetes__kubectl_scale"],
  ["mcp__kubernetes__kubectl_scal", "mcp__kubernetes__kubectl_scale"],
  ["mcp__openshift__kubectl_scale", "mcp__kubernetes__kubectl_scale"],
  ["scale_kubectl", "mcp__kubernetes__kubectl_scale"],
])("a name that does not exist, %s, is answered with names like it", (wrong, right) => {
  expect(finder.like(wrong)).toContain(right);
});

test.each(["", "   ", "!!!", "\u0000", "日本語", "a".repeat(10_000), "🙂"])(
  "a query without a word it knows, %j, finds nothing",
  (query) => {
    expect(finder.byWords(query, 5)).toEqual([]);
    expect(finder.named(query)).toEqual([]);
  },
);
