import { expect, test } from "vitest";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";
import { indented } from "../../../../src/program/terminal/transcript/block.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SEQUENCE = /\x1b\[\d+m/g;
const { green } = createTheme({});

test("an endless word is parted into whole lines and keeps its colour", () => {
  // The space before it ends its line.
  const lines = indented(`node ${green(`${"z".repeat(1_234)} end`)}`, 102, "  ");

  expect(lines.map((line) => line.replaceAll(SEQUENCE, "").length)).toEqual([7, ...Array(12).fill(102), 40]);
  expect(lines.every((line, at) => at === 0 || line.startsWith("  \x1b[32mz"))).toBe(true);
});
