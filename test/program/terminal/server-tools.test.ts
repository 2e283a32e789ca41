// What the vendor's server runs, in a real pseudo-terminal.
import { expect, test } from "vitest";
import { KEYS } from "./terminal-window.js";
import { makeProject, useWindows } from "./windows.js";

const startWindow = useWindows();

test("a call of the server's own tool is a line, whose control characters reach nothing", async () => {
  const { window } = await startWindow("searching", makeProject({}));

  window.type(`search${KEYS.enter}`);
  await window.sees("There are two.");

  expect(window.text).toMatch(/The server runs web_search .*loops/);
  expect(window.raw).not.toContain("\x1b]0;owned");
});
