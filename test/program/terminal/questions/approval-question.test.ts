import { expect, test, vi } from "vitest";
import type { PendingRequest } from "../../../../src/contracts/approval.js";
import type { PermissionUpdate } from "../../../../src/contracts/permission.js";
import { approvalQuestion } from "../../../../src/program/terminal/questions/approval-question.js";
import { ChoiceDialog, type ChosenAnswer } from "../../../../src/program/terminal/questions/choice-dialog.js";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";

const RULE: PermissionUpdate = { type: "addRules", behavior: "allow", rules: ["bash(x)"], destination: "session" };
const theme = createTheme({ NO_COLOR: "1" });
const save = async () => {};
const SCREEN = { rows: 40, isAnswering: true, typedAt: Number.NEGATIVE_INFINITY };

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
      SCREEN,
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
  const yes = ["1 Yes", "2 Yes, and allow in this session", "3 Yes, and always in this project"];
  const no = "4 no";
  const edits = "5 Yes, and stop asking about edits";

  expect(byNumber(question("bash", []))).toEqual([yes[0], no]);
  expect(byNumber(question("bash", [RULE]))).toEqual([yes[0], yes[1], no]);
  expect(byNumber(question("bash", [RULE], { save }))).toEqual([...yes, no]);
  expect(byNumber(question("edit_file", [RULE], { save }))).toEqual([...yes, no, edits]);
  expect(byNumber(question("edit_file", []))).toEqual([yes[0], no, edits]);
});

test("why it is asked is seen however long the command is", () => {
  const reason = "It deletes src and everything in it.";
  const about = { v: 1, id: "1", kind: "approval", sessionId: "s", agentPath: [], toolCallId: "c" } as const;
  const input = { command: `${"echo a\n".repeat(500)}rm -rf src` };
  const request: PendingRequest = { ...about, tool: "bash", input, digest: "d", reason, suggestions: [] };
  const asked = approvalQuestion(request, theme, { diff: undefined });

  const shown = new ChoiceDialog(theme, asked, () => {}, SCREEN, false).render(80).join("\n");

  expect(shown).toContain(reason);
  expect(shown).toContain("more lines · ctrl+o shows all");
});

test("the numbers that are shown are those that are typed", () => {
  const asked = question("edit_file", []);
  const dialog = new ChoiceDialog(theme, asked, () => {}, SCREEN, true);

  const shown = dialog
    .render(80)
    .join("\n")
    .match(/\d\. \w+/g);

  expect(shown).toEqual(["1. Yes", "4. No", "5. Yes"]);
});

test("after a letter that no answer has, Enter answers nothing for a second", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const answers: (ChosenAnswer | null)[] = [];
  const dialog = new ChoiceDialog(theme, question("bash", []), (answer) => answers.push(answer), SCREEN, false);

  for (const letter of "and then") dialog.handleInput(letter);
  dialog.handleInput("\r");
  vi.advanceTimersByTime(900);
  dialog.handleInput("\r");
  expect(answers).toEqual([]);
  vi.advanceTimersByTime(200);
  dialog.handleInput("\r");

  expect(answers).toEqual([{ index: 0, text: "" }]);
  vi.useRealTimers();
});

test.each([
  ["a sentence with digits", [..."use port 3000", "\r"], "use port 3000"],
  ["a letter before a number", [..."a 1"], "a 1"],
  ["a pasted list", ["\x1b[200~1. do this\n2. and that\x1b[201~", "1"], "1. do this\n2. and that1"],
  ["a digit that no answer has", [..."7 of 1", "\x7f"], "7 of "],
])("a question is not answered by %s until there was a pause of a second, and the text is kept", (_, keys, typed) => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const answers: (ChosenAnswer | null)[] = [];
  const dialog = new ChoiceDialog(theme, question("bash", [RULE], { save }), (a) => answers.push(a), SCREEN, false);

  for (const key of keys) dialog.handleInput(key);
  expect([answers, dialog.typed]).toEqual([[], typed]);
  expect(dialog.render(80).at(-1)).toContain(`for your line: ${typed.split("\n")[0]!.trim()}`);
  vi.advanceTimersByTime(1_000);
  dialog.handleInput("3");

  expect(answers).toEqual([{ index: 2, text: "" }]);
  vi.useRealTimers();
});

test("a question that comes right after a key in the line is not answered at once; one without typing before is", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const answers: (ChosenAnswer | null)[] = [];
  const asked = (typedAt: number) =>
    new ChoiceDialog(theme, question("bash", []), (a) => answers.push(a), { ...SCREEN, typedAt }, false);

  const typing = asked(performance.now());
  for (const key of ["1", "\r"]) typing.handleInput(key);
  expect([answers, typing.typed]).toEqual([[], "1"]);
  asked(SCREEN.typedAt).handleInput("1");

  expect(answers).toEqual([{ index: 0, text: "" }]);
  vi.useRealTimers();
});

test("a list that a person has opened is narrowed by typing, and Esc shows all of it again", () => {
  const answers: (ChosenAnswer | null)[] = [];
  const choices = ["Fix the parser", "Write the docs", "Fix the docs"].map((label) => ({ label }));
  const dialog = new ChoiceDialog(theme, { title: "Which?", choices }, (answer) => answers.push(answer), SCREEN, true);
  const shown = () => dialog.render(80).filter((line) => /Fix|Write|nothing/.test(line));

  for (const letter of "docs") dialog.handleInput(letter);
  expect(shown().join("\n")).toMatch(/the docs\n.*the docs$/);
  for (const letter of " fi") dialog.handleInput(letter);
  expect(shown()).toEqual(["  ❯ Fix the docs"]);
  dialog.handleInput("\x1b");
  expect(shown()).toHaveLength(3);
  for (const letter of "zzz") dialog.handleInput(letter);
  dialog.handleInput("\r");
  expect([shown(), answers]).toEqual([["    nothing fits"], []]);
  for (const key of ["\x7f", "\x7f", "\x7f", "p", "a", "r", "s", "\r"]) dialog.handleInput(key);

  expect(answers).toEqual([{ index: 0, text: "" }]);
});
