// The screen before the agent is there, in a real pseudo-terminal.
import { expect, test } from "vitest";
import { KEYS } from "./terminal-window.js";
import { useWindows } from "./windows.js";

const start = useWindows();
const GREETING = "esc interrupts";
const RESTORED = "\x1b[?2004l\x1b[>4;0m\x1b[0m\x1b[?25h";

test("what is typed and sent while the agent is opened reaches it, and the rest stays in the editor", async () => {
  const { window } = await start("own", undefined, { sees: GREETING, env: { OPEN_MS: "1500" } });
  window.type(`first${KEYS.enter}`);
  window.type("half a");
  await window.sees(/─\n half a\s/);
  expect(window.text).not.toContain("❯ first");
  expect(window.text).not.toContain("shift+tab");

  await window.sees(/❯ first\n\n {2}Your command: no\./);

  expect(window.text).toMatch(/─\n half a/);
  expect(window.scrollback.split(GREETING)).toHaveLength(2);
});

test.each([
  ["ctrl+c", (key: { type(text: string): void }) => key.type(KEYS.ctrlC), 130],
  ["ctrl+d", (key: { type(text: string): void }) => key.type(KEYS.ctrlD), 130],
  ["SIGTERM", (key: { kill(signal: "SIGTERM"): void }) => key.kill("SIGTERM"), 143],
])("%s leaves while the agent is opened, and the terminal is as it was", async (_name, leave, code) => {
  const { window } = await start("own", undefined, { sees: GREETING, env: { OPEN_MS: "60000" } });

  leave(window);

  expect(await window.exited()).toBe(code);
  expect(window.raw).toContain(RESTORED);
});

test("an agent that cannot be opened leaves nothing on the screen but the error", async () => {
  const { window } = await start("own", undefined, { sees: GREETING, env: { OPEN_MS: "300", OPEN_FAILS: "1" } });

  expect(await window.exited()).toBe(1);

  expect(window.raw).toContain(RESTORED);
  expect(window.text).toContain("Error: The agent cannot be opened.");
  expect(window.text).not.toContain(GREETING);
});
