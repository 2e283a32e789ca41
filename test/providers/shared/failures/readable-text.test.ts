import { expect, test } from "vitest";
import { isPage, readableText } from "../../../../src/providers/shared/failures/readable-text.js";

const asItIs = (text: string) => text;

test("what a server said becomes one bounded line", () => {
  expect(readableText("  a\n\tb\u001b[31m\0c  ", asItIs)).toBe("a b [31m c");
  expect(readableText("x".repeat(100_000), asItIs)).toHaveLength(500);
});

test("an HTML page is reported by its title", () => {
  const page = "<!DOCTYPE html><html><head><title> 502 Bad Gateway </title></head><body>…</body></html>";

  expect(isPage(page)).toBe(true);
  expect(readableText(page, asItIs)).toBe('an HTML page titled "502 Bad Gateway"');
  expect(readableText("<html><body></body></html>", asItIs)).toBe("an HTML page");
  expect(isPage("1 < 2")).toBe(false);
});

test("secrets are taken out before the line is cut", () => {
  const scrub = (text: string) => text.replaceAll("s3cret", "*");

  expect(readableText(`${"x".repeat(497)}s3cret`, scrub)).toBe(`${"x".repeat(497)}*`);
});
