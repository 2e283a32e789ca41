import { join } from "node:path";
import { expect, test } from "vitest";
import { readTerminalSettings } from "../../../../src/program/terminal/settings/terminal-settings.js";
import { directoryWith } from "../../kit.js";

function read(content: unknown) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return () => readTerminalSettings({ LOOPWRIGHT_HOME: directoryWith({ "terminal.json": text }) });
}

test("without a file everything is as the program has it", () => {
  const settings = readTerminalSettings({ LOOPWRIGHT_HOME: directoryWith() });

  expect(settings).toEqual({ theme: {}, keys: {}, editorKeys: {}, vi: false, notify: "off" });
});

test("colours, keys of actions, commands and the editor, vi, the status line and notices are read", () => {
  const settings = read({
    $schema: "x",
    theme: { cyan: "bright-blue", dim: "#8a8a8a" },
    keys: { unfold: ["alt+u", "f5"], "/compact": "alt+k", thinking: null, "editor.undo": "ctrl+u" },
    vi: true,
    statusLine: "echo hi",
    notify: "bell",
  })();

  expect(settings).toEqual({
    theme: { cyan: "bright-blue", dim: "#8a8a8a" },
    keys: { unfold: ["alt+u", "f5"], "/compact": ["alt+k"], thinking: [] },
    editorKeys: { "tui.editor.undo": ["ctrl+u"] },
    vi: true,
    statusLine: "echo hi",
    notify: "bell",
  });
});

test.each([
  ["{", "JSON"],
  [[], "the file is an object."],
  [{ colour: {} }, 'there is no "colour".'],
  [{ theme: { cyann: "red" } }, 'there is no "cyann". Did you mean "cyan"?'],
  [{ theme: { cyan: "\x1b[31m" } }, '"theme.cyan" is a name such as bright-blue, or #rrggbb.'],
  [{ keys: { unfoldd: "alt+u" } }, 'there is no "unfoldd". Did you mean "unfold"?'],
  [{ keys: { unfold: "hyper+u" } }, '"keys.unfold" is a key such as alt+k, a list of keys, or null.'],
  [{ keys: { "/compact": "ctrl+c" } }, "the key ctrl+c keeps what it does."],
  [{ keys: { unfold: "u" } }, '"keys.unfold" is a key such as alt+k'],
  [{ vi: "yes" }, '"vi" is true or false.'],
  [{ statusLine: { command: "x" } }, '"statusLine" is a command.'],
  [{ notify: "loud" }, '"notify" is one of off, bell, notification.'],
])("%j is refused with what is wrong", (content, message) => {
  expect(read(content)).toThrow(message);
  expect(read(content)).toThrow(join("terminal.json"));
});
