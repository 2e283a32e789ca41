import { expect, test } from "vitest";
import type { PendingRequest } from "../../../../src/contracts/approval.js";
import type { PermissionUpdate } from "../../../../src/contracts/permission.js";
import { approvalQuestion } from "../../../../src/program/terminal/questions/approval-question.js";
import { ChoiceDialog, type ChosenAnswer } from "../../../../src/program/terminal/questions/choice-dialog.js";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";

const RULE: PermissionUpdate = { type: "addRules", behavior: "allow", rules: ["bash(x)"], destination: "session" };
const theme = createTheme({ NO_COLOR: "1" });
const save = async () => {};

function question(tool: string, suggestions: readonly PermissionUpdate[], parts: { save?: typeof save } = {}) {
  const about = { v: 1, id: "1", kind: "approval", sessionId: "s", agentPath: [], toolCallId: "c" } as const;
  const request: PendingRequest = { ...about, tool, input: {}, digest: "d", reason: "Why.", suggestions };
  return approvalQuestion(request, theme, { diff: undefined, ...parts });
}

/** What is chosen by each digit. */
function byNumber(asked: ReturnType<typeof question>) {
  return "123456789".split("").flatMap((digit) => {
    let chosen: ChosenAnswer | null = null;
    const dialog = new ChoiceDialog(
      theme,
      asked,
      (answer) => {
        chosen = answer;
      },
      { rows: 40, isAnswering: true },
      true,
    );
    dialog.handleInput(digit);
    // "No" wants a line of text first.
    if (dialog.render(80).join("\n").includes("What to do instead?")) return `${digit} no`;
    const { index } = chosen ?? { index: -1 };
    return index === -1 ? [] : `${digit} ${asked.choices[index]!.label.replace(/:.*/, "")}`;
  });
}

test("an answer has the same number in every approval, whichever others there are", () => {
  const all = ["1 Yes", "2 no", "3 Yes, and allow in this session", "4 Yes, and always in this project"];
  const edits = "5 Yes, and stop asking about edits";

  expect(byNumber(question("bash", []))).toEqual(all.slice(0, 2));
  expect(byNumber(question("bash", [RULE]))).toEqual(all.slice(0, 3));
  expect(byNumber(question("bash", [RULE], { save }))).toEqual(all);
  expect(byNumber(question("edit_file", [RULE], { save }))).toEqual([...all, edits]);
  expect(byNumber(question("edit_file", []))).toEqual([...all.slice(0, 2), edits]);
});

test("the numbers that are shown are those that are typed", () => {
  const asked = question("edit_file", []);
  const dialog = new ChoiceDialog(theme, asked, () => {}, { rows: 40, isAnswering: true }, true);

  const shown = dialog
    .render(80)
    .join("\n")
    .match(/\d\. \w+/g);

  expect(shown).toEqual(["1. Yes", "2. No", "5. Yes"]);
});
