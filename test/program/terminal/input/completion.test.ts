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

test("of a hostile name every character is shown, and one that cannot be written in a line is not offered", async () => {
  const names = ["a\u202egnp.exe", "b\u200b.txt", "c\x1b]0;title\x07.txt", "d\ne.txt"];
  const { signal } = new AbortController();

  const found = await new Completion([], async () => names).getSuggestions(["@"], 0, 1, { signal });

  expect(found?.items).toEqual([
    { value: "@a\u202egnp.exe", label: String.raw`a\u202egnp.exe` },
    { value: "@b\u200b.txt", label: String.raw`b\u200b.txt` },
  ]);
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
