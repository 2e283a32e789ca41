import { CURSOR_MARKER, type TUI, visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { VisibleEditor, VisibleInput } from "../../../../src/program/terminal/input/visible-editor.js";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";

const LEFT = "\x1b[D";
const tui = { requestRender() {}, terminal: { rows: 24 } } as unknown as TUI;
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const plain = (line: string) => line.replace(CURSOR_MARKER, "").replace(/\x1b\[[0-9;]*m/g, "");

function editorWith(text: string, paddingX = 0): VisibleEditor {
  const editor = new VisibleEditor(tui, createTheme({ NO_COLOR: "1" }).editor, { paddingX });
  editor.focused = true;
  editor.handleInput(paste(text));
  return editor;
}

test("what hides, reorders or controls is seen in the editor, at the cursor, too, and stays what it is", () => {
  const text = "pay \u202eevil\u202c 5\u200b€ \x9b31m 👩‍👩‍👧 שלום";
  const editor = editorWith(text);
  const shown = String.raw`pay \u202eevil\u202c 5\u200b€ \x9b31m 👩‍👩‍👧 שלום`;
  const places: number[] = [];
  for (let n = 0; n <= [...text].length; n++) {
    const [, line] = editor.render(80);
    expect(plain(line!).trimEnd()).toBe(shown);
    places.push(visibleWidth(plain(line!.split(CURSOR_MARKER)[0]!)));
    editor.handleInput(LEFT);
  }

  expect(places[0]).toBe(visibleWidth(shown));
  expect(places.slice(0, -1).every((place, at) => place >= places[at + 1]!)).toBe(true);
  // In front of each mark the cursor is on its first character.
  expect(places).toEqual(expect.arrayContaining([4, 14, 22, 30]));
  expect(editor.getText()).toBe(text);
});

test.each([1, 2, 3])("a wide character in a terminal of %i columns ends nothing", (width) => {
  const editor = editorWith("宽 👩‍👩‍👧", 1);

  expect(editor.render(width).every((line) => visibleWidth(plain(line)) <= width)).toBe(true);
  expect(editor.getText()).toBe("宽 👩‍👩‍👧");
});

test("lines are wrapped by what is seen, and none is wider than the terminal", () => {
  const editor = editorWith(`${"ab\u2066 ".repeat(30)}\nplain`);

  const lines = editor.render(40);

  expect(lines.every((line) => visibleWidth(line) <= 40)).toBe(true);
  expect(lines.map(plain).join("").split(String.raw`ab\u2066`).length - 1).toBeGreaterThan(15);
  expect(editor.getLines()[1]).toBe("plain");
});

test("a line to fill in shows the same and answers with what was typed", () => {
  const input = new VisibleInput();
  input.focused = true;
  input.handleInput(paste("no\u202e!"));
  input.handleInput(LEFT);

  const [line] = input.render(40);

  expect(plain(line!)).toContain(String.raw`no\u202e!`);
  expect(line!.split(CURSOR_MARKER)[0]!.endsWith(String.raw`no\u202e`)).toBe(true);
  expect(input.getValue()).toBe("no\u202e!");
});
