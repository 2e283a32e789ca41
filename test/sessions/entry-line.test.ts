import { expect, test } from "vitest";
import type { SessionEntry } from "../../src/contracts/session.js";
import { encodeBatch, entryJson, readEntry, readHeader } from "../../src/sessions/entry-line.js";

const ENTRIES = [
  { v: 1, id: "a", text: "grüße 😀" },
  { v: 1, id: "b" },
] as unknown as SessionEntry[];

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
  }
  return lines;
}

test("an append is read back with its place in the file", () => {
  const lines = linesOf(encodeBatch(ENTRIES.map(entryJson), 4));
  const headers = lines.map((line) => readHeader(line));

  expect(headers).toMatchObject([
    { n: 4, first: 4, last: 5 },
    { n: 5, first: 4, last: 5 },
  ]);
  expect(lines.map((line, at) => readEntry(line, headers[at] as never))).toEqual(ENTRIES);
});

test("a line with any changed or missing byte is not intact", () => {
  const [line] = linesOf(encodeBatch([entryJson(ENTRIES[0]!)], 1));
  for (let at = 0; at < line!.length; at++) {
    const changed = Buffer.from(line!);
    changed[at]! ^= 1;
    const header = readHeader(changed);
    // Whether the byte of the version makes it a newer one, it is never taken for intact.
    expect(header === null || header === "newer").toBe(true);
    expect(readHeader(line!.subarray(0, at))).toBeNull();
  }
});

test("a line of a newer version is recognised", () => {
  expect(readHeader(Buffer.from('{"v":2,"anything":"else"}'))).toBe("newer");
});

test.each([undefined, "text", null, 3])("%j is not an entry", (value) => {
  expect(() => entryJson(value as never)).toThrow(expect.objectContaining({ code: "SESSION_WRITE" }));
});
