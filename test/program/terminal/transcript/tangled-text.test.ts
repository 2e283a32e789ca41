import { expect, test } from "vitest";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";
import { AnswerBlock } from "../../../../src/program/terminal/transcript/answer-block.js";
import { isTangled } from "../../../../src/program/terminal/transcript/tangled-text.js";

const theme = createTheme({ NO_COLOR: "1" });
const drawn = (text: string) => new AnswerBlock(theme, text).render(80);

test.each([
  ["links that never end", "[a](".repeat(2_000)],
  ["pictures that never end", "![a](".repeat(2_000)],
  ["marks that never close", "**a* _b ".repeat(1_200)],
  ["quotes in one another", "> ".repeat(2_000)],
  ["lists in one another", "1. ".repeat(2_000)],
  ["lists in one another, a line each", Array.from({ length: 200 }, (_, at) => `${" ".repeat(at)}- a`).join("\n")],
])("%s are shown as they are", (_, text) => {
  expect(isTangled(text)).toBe(true);
  expect(drawn(text).join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
});

test.each([
  ["a long list of links", "- [one](https://example.com/one) and [two](https://example.com/two)\n".repeat(500)],
  ["a table with marks in each cell", `| a | b |\n| - | - |\n${"| **x** | `y` |\n".repeat(500)}`],
  ["a paragraph full of names", "`some_name` and **another_one** with [a link](https://example.com). ".repeat(12)],
  ["code", `\`\`\`js\n${"a[b](c)[d](e); // **\n".repeat(2_000)}\`\`\``],
  ["a quote of a quote of a list", "> > - one\n> > - two\n"],
])("%s is read as Markdown", (_, text) => {
  expect(isTangled(text)).toBe(false);
});

test("an endless line is cut and says so, and the next one is whole", () => {
  const lines = drawn(`${"x".repeat(1_000_000)}\n\nThe end.`);

  expect(lines).toHaveLength(Math.ceil((10_000 + "… 990000 more characters".length) / 76) + 2);
  expect(lines.slice(-4).join("\n")).toMatch(/x… 990000 more\s+characters\n\n {2}The end\.$/);
});
