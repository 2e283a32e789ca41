import { expect, test } from "vitest";
import { createWebSearchTool, type WebSearchOptions } from "../../../src/tools/web/web-search.js";
import { callTool } from "../call-tool.js";

const found = (results: unknown, options: Partial<WebSearchOptions> = {}) =>
  callTool(createWebSearchTool({ search: () => results as never, ...options }), { query: "cats" });

test("results come as a numbered list", async () => {
  const asked: unknown[] = [];
  const search: WebSearchOptions["search"] = async (query, { maxResults, signal }) => {
    asked.push(query, maxResults, signal instanceof AbortSignal);
    return [
      { title: "Cats", url: "https://cats.example/", snippet: "All about\ncats." },
      { title: "More cats", url: "http://more.example/a b" },
    ];
  };

  const { text, details } = await callTool(createWebSearchTool({ search }), { query: "cats" });

  expect(asked).toEqual(["cats", 10, true]);
  expect(text).toBe(
    "1. Cats\n   https://cats.example/\n   All about cats.\n2. More cats\n   http://more.example/a%20b",
  );
  expect(details).toMatchObject({ results: [{ title: "Cats" }, { title: "More cats", snippet: "" }] });
});

test("no results is an answer", async () => {
  expect((await found([])).text).toBe('No results for "cats". Try other words.');
});

test("what is not a result is left out, and the rest is bounded", async () => {
  const good = {
    title: "x".repeat(10_000),
    url: "https://a.example/",
    snippet: `s\u001b[31m\u2028${"y".repeat(100_000)}`,
  };
  const bad = [null, 7, {}, { title: "t" }, { title: "t", url: "javascript:alert(1)" }, { title: "t", url: "no url" }];

  const { text } = await found([...bad, ...Array.from({ length: 50 }, () => good)], { maxResults: 3 });

  expect(text.split("\n")).toHaveLength(9);
  expect(text.length).toBeLessThan(4_000);
  for (const character of ["\u001b", "\u2028"]) expect(text).not.toContain(character);
});

test.each([
  ["no list", null],
  ["text", "cats"],
  ["only what is not a result", [{ title: "t", url: "ftp://a" }]],
])("a search that answers %s fails with a reason", async (_what, results) => {
  await expect(found(results)).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: expect.stringContaining("search"),
  });
});

test("a tool without a search function is refused at once", () => {
  for (const options of [undefined, {}, { search: "google" }, { search: () => [], maxResults: 0 }]) {
    expect(() => createWebSearchTool(options as never)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  }
});
