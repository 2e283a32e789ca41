import { expect, test } from "vitest";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";
import { AnswerBlock } from "../../../../src/program/terminal/transcript/answer-block.js";

const drawn = (text: string, env = { NO_COLOR: "1" } as Record<string, string>) =>
  new AnswerBlock(createTheme(env), text).render(60).map((line) => line.trimEnd());

test("columns stand on the side that the text says, wide characters and markup counted", () => {
  const text = "| name | price | 漢 |\n| --- | --: | :-: |\n| **one** | 1.5 | x |\n| twenty | 1,200 | 漢字漢 |\n";

  expect(drawn(text)).toEqual([
    "  ┌────────┬───────┬────────┐",
    "  │ name   │ price │   漢   │",
    "  ├────────┼───────┼────────┤",
    "  │ one    │   1.5 │   x    │",
    "  ├────────┼───────┼────────┤",
    "  │ twenty │ 1,200 │ 漢字漢 │",
    "  └────────┴───────┴────────┘",
  ]);
  expect(drawn(text, {})[3]).toBe("  │ \x1b[1mone\x1b[22m    │   1.5 │   x    │");
});

test("several tables are told apart, and rules in code are none", () => {
  const table = (rule: string) => `| aaa |\n${rule}\n| b |\n`;
  const lines = drawn(`${table("| --: |")}\ntext\n\n\`\`\`\n| x |\n| :-: |\n\`\`\`\n\n- a list\n\n${table("| --- |")}`);

  expect(lines.filter((line) => / b /.test(line))).toEqual(["  │   b │", "  │ b   │"]);
});

test("a cell that holds the border's own character leaves its row as it is", () => {
  expect(drawn("| a | b |\n| --: | --: |\n| x│y | z |\n| 1 | 2222 |\n").join("\n")).toContain("│ x│y │ z    │");
});

test("task lists keep their marks", () => {
  expect(drawn("- [x] done\n- [ ] open\n  - [X] inner\n")).toEqual([
    "  - [x] done",
    "  - [ ] open",
    "      - [x] inner",
  ]);
});
