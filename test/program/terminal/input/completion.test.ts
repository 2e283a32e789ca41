import { expect, test } from "vitest";
import { Completion } from "../../../../src/program/terminal/input/completion.js";

const FILES = ["src/", "src/engine.ts", "src/end.ts", "docs/a page.md", "README.md"];
const completion = new Completion([{ name: "resume", argument: "[id]", summary: "go on" }], async () => FILES);

async function offered(line: string): Promise<readonly string[] | null> {
  const found = await completion.getSuggestions([line], 0, line.length, { signal: new AbortController().signal });
  return found?.items.map(({ value }) => value) ?? null;
}

test("a slash at the beginning offers commands, an @ anywhere files", async () => {
  expect(await offered("/re")).toEqual(["/resume"]);
  expect(await offered("see /re")).toBeNull();
  expect(await offered("see @src/en")).toEqual(["@src/engine.ts", "@src/end.ts"]);
  expect(await offered("see @page")).toEqual(['@"docs/a page.md"']);
  expect(await offered("mail@example")).toBeNull();
});

test("a file is put in place of what was typed, a directory without a space behind it", () => {
  const put = (line: string, value: string) =>
    completion.applyCompletion([line], 0, line.length, { value, label: value }).lines;

  expect(put("see @READ", "@README.md")).toEqual(["see @README.md "]);
  expect(put("see @sr", "@src/")).toEqual(["see @src/"]);
  expect(put("/res", "/resume")).toEqual(["/resume "]);
});

test("an offer that is older than the last key does not change what was typed since", () => {
  const put = (line: string, value: string) =>
    completion.applyCompletion([line], 0, line.length, { value, label: value }).lines;

  expect(put("/fork", "/help")).toEqual(["/fork"]);
  expect(put("/resume", "/resume")).toEqual(["/resume "]);
  expect(put("a word ", "@README.md")).toEqual(["a word "]);
});
