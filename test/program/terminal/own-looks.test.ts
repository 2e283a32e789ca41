// What the user has set for their terminal, in a real pseudo-terminal.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEYS } from "./terminal-window.js";
import { makeProject, type StartOptions, useWindows } from "./windows.js";

const startWindow = useWindows();

const start = (scenario: string, settings: object, options?: StartOptions) =>
  startWindow(scenario, makeProject({ "../state/terminal.json": JSON.stringify(settings) }), options);

test("colours of the user's own take the place of the sixteen, and NO_COLOR of both", async () => {
  const settings = { theme: { cyan: "#5fafff", magenta: "bright-green" } };
  const { window } = await start("markdown", settings);
  window.type(`show${KEYS.enter}`);
  await window.wrote("\x1b[92mexport\x1b[39m");
  expect(window.raw).toContain("\x1b[38;2;95;175;255m");
  expect(window.raw).not.toContain("\x1b[36m");

  const plain = await start("markdown", settings, { env: { NO_COLOR: "1" } });
  plain.window.type(`show${KEYS.enter}`);
  await plain.window.sees("emoji");
  expect(plain.window.raw).not.toContain("38;2;");
});

test("keys do what the user's map says, run commands, and are listed so", async () => {
  const { window } = await start("thinking", { keys: { thinking: "alt+t", "/cost": "alt+c", "editor.undo": "alt+z" } });

  window.type("\x1bt");
  await window.sees("reasoning: whole");
  window.type("\x1bc");
  await window.sees("in 0 runs of this session");
  window.type("draft");
  await window.sees(/─\n draft/);
  window.type("\x1bz");
  await window.seesNoMore(/─\n draft/);
  window.type(`/help${KEYS.enter}`);
  await window.sees(/alt\+t +reasoning: short, whole, hidden/);
  expect(window.text).toMatch(/alt\+c +\/cost/);
});

test("with vi's keys Escape leaves writing, letters move and delete, and the footer says so", async () => {
  const { window } = await start("long", { vi: true });

  window.type("one two three");
  await window.sees(/─\n one two three/);
  window.type(KEYS.escape);
  await window.sees("vi: normal");
  window.type("0dw");
  await window.sees(/─\n {1,2}two three/);
  window.type("$bD");
  await window.sees(/─\n {1,2}two\s*\n/);
  window.type("Aand more");
  await window.sees(/─\n {1,2}two and more/);
  expect(window.text).not.toContain("vi: normal");
  window.type(KEYS.enter);
  await window.sees(/line 1\n\n.*esc to interrupt/);
  window.type(KEYS.escape);

  await window.sees("Interrupted.");
});

test("the first line of a command is the status line: it knows the session, has colours and controls nothing", async () => {
  const command = String.raw`cat > facts.json; printf '\033[35mmine\033[0m \033[2J\033]0;pwned\007\342\200\256 end\nsecond'`;
  const { window, project } = await start("own", { statusLine: command }, { columns: 120 });

  await window.sees(String.raw`  mine \u202e end`);
  expect(window.raw).toContain("\x1b[35mmine");
  expect(window.text).not.toContain("second");
  for (const sequence of ["pwned\x07", "\x1b[2J\x1b]", "\u202e"]) expect(window.raw).not.toContain(sequence);
  window.type(`hello${KEYS.enter}`);
  await window.sees("Your command: no.");
  await expect
    .poll(() => JSON.parse(readFileSync(join(project, "facts.json"), "utf8") || "{}"), { timeout: 20_000 })
    .toMatchObject({
      cwd: project,
      model: { id: "scripted", display_name: "scripted/scripted" },
      permission_mode: "default",
      context_window: { used_percentage: expect.any(Number) },
    });
});

test("a status line that hangs or fails leaves the screen as it is, and nothing of it stays", async () => {
  const { window, project } = await start("own", { statusLine: "echo $$ > pid; sleep 600" });
  await expect.poll(() => existsSync(join(project, "pid")), { timeout: 20_000 }).toBe(true);
  window.type(`hello${KEYS.enter}`);
  await window.sees("Your command: no.");
  await window.seesNoMore("esc to interrupt");
  window.type(KEYS.ctrlD);

  expect(await window.exited()).toBe(0);
  const pid = Number(readFileSync(join(project, "pid"), "utf8"));
  await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 10_000 }).toBe(false);
});

test.each([
  ["bell", "\x07"],
  ["notification", "\x1b]9;loopwright waits for you\x07"],
])("a %s calls when the agent waits and when it is done", async (notify, bytes) => {
  const { window } = await start("edits", { notify });
  // The drawing library ends links, of which there are none.
  const calls = () => window.raw.replaceAll("\x1b]8;;\x07", "").split("\x07").length - 1;
  expect(calls()).toBe(0);

  window.type(`go${KEYS.enter}`);
  await window.sees("Run this command?");
  await window.wrote(bytes);
  window.type("1");
  await window.sees("allow in this session: bash(node sum.js --again)");
  window.type("1");
  await window.sees("Printed");
  await window.seesNoMore("esc to interrupt");

  expect(calls()).toBe(3);
});
