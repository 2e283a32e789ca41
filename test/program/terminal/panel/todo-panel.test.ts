import { expect, test } from "vitest";
import { todoBlock } from "../../../../src/program/terminal/panel/todo-panel.js";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";

test("an item of the plan is one line in the conversation, however long it is and whatever is in it", () => {
  const todos = [
    { content: `Read\r\nthe \x1b]0;title\x07code ${"and more ".repeat(20)}`, status: "completed" },
    { content: "Fix it", status: "pending" },
  ] as const;

  expect(
    todoBlock(todos, createTheme({ NO_COLOR: "1" }))
      .render(40)
      .join("\n")
      .replaceAll("\x1b[0m", ""),
  ).toBe("  Plan 1 of 2\n    ✔ Read ⏎ the code and more and more…\n    ○ Fix it");
});
