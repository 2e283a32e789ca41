import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeAll, expect, test } from "vitest";
import { HOSTILE } from "../../mcp/hostile-server/path.js";
import { bundled, temporaryDirectory } from "../../sessions/kit.js";
import { KEYS, TerminalWindow, type WindowOptions } from "./terminal-window.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const COLOR = /\x1b\[[0-9;]*m/;

let program = "";
const windows: TerminalWindow[] = [];

beforeAll(async () => {
  program = await bundled(new URL("fixture.ts", import.meta.url));
});

afterEach(async () => {
  for (const window of windows.splice(0)) await window.close();
});

interface Start extends Omit<WindowOptions, "cwd"> {
  readonly dir?: string;
  readonly sessionId?: string;
}

/** A project with a wrong sum, and the state of the program beside it. */
function makeProject(): string {
  const dir = temporaryDirectory();
  mkdirSync(join(dir, "project"));
  writeFileSync(join(dir, "project", "sum.js"), "export const add = (a, b) => a - b;\nconsole.log(add(1, 2));\n");
  return dir;
}

async function start(scenario: string, { dir = makeProject(), sessionId, ...options }: Start = {}) {
  const session = sessionId === undefined ? [] : [sessionId];
  const command = [process.execPath, program, scenario, join(dir, "state"), ...session];
  const window = new TerminalWindow(command, { ...options, cwd: join(dir, "project") });
  windows.push(window);
  await window.sees("shift+tab");
  return { window, dir, sum: () => readFileSync(join(dir, "project", "sum.js"), "utf8") };
}

function sessionIn(dir: string, window: TerminalWindow): string {
  // The long line is wrapped at the window's width.
  const [, id] = /--resume ([0-9a-f-]+)/.exec(window.scrollback.replaceAll("\n", ""))!;
  expect(dir).not.toBe("");
  return id!;
}

test("an answer is shown as Markdown, with wide characters in their columns, at 80 and at 200 columns", async () => {
  const { window } = await start("markdown");

  window.paste("a pasted\nprompt in two lines");
  await window.sees("prompt in two lines");
  window.type(KEYS.enter);
  // The footer comes back when the run has ended.
  await window.sees(/emoji 👩‍👩‍👧 and é[\s\S]*scripted · \d% context$/u);
  const narrow = window.text;
  window.resize(200, 40);
  await window.sees(/─{200}[\s\S]*scripted · \d% context$/);
  const wide = window.text;

  expect(narrow).toContain(
    "❯ a pasted\n  prompt in two lines\n\n  Result\n\n  The sum is right now. Run npm test to see:",
  );
  for (const text of [narrow, wide]) {
    expect(text).toContain("  │ name │ 漢字 │\n  ├──────┼──────┤\n  │ one  │ 一つ │\n");
  }
  expect(window.raw).toContain("\x1b[36m");
  // What was in the scrollback before is the person's.
  expect(window.raw).not.toContain("\x1b[3J");
});

test("with NO_COLOR there are no colours", async () => {
  const { window } = await start("work", { env: { NO_COLOR: "1" } });

  window.type(`fix it${KEYS.enter}`);
  await window.sees("Make this edit?");

  expect(window.text).toContain(
    "     1 - export const add = (a, b) => a - b;\n     1 + export const add = (a, b) => a + b;",
  );
  // The cursor is drawn in reverse.
  expect(window.raw.replaceAll("\x1b[0m", "").replaceAll("\x1b[7m", "")).not.toMatch(COLOR);
});

test("an edit is shown before it is approved, and what only reads is one line", async () => {
  const { window, sum } = await start("work");

  window.type(`fix it${KEYS.enter}`);
  await window.sees("Make this edit?");
  const asked = window.text;
  expect(sum()).toContain("a - b");
  window.type(KEYS.enter);
  await window.sees("Run this command?");
  expect(sum()).toContain("a + b");
  window.type("1");
  await window.sees("The sum is right now.");

  expect(asked).toContain("2. Yes, and allow in this session: edit_file(/sum.js)");
  expect(asked).toContain("  Plan 0 of 2\n    ▸ Read the code\n    ○ Fix the sum");
  expect(window.text).toContain("  ● Read sum.js · 2 lines\n  ● Edit sum.js · +1 −1\n");
  expect(window.text).toContain("  ● bash git push origin main · not allowed\n");
  expect(window.text).not.toContain("No rule allows");
});

test("always allowing adds the rule that was shown, and a refusal reaches the model with its reason", async () => {
  const { window } = await start("edits");

  window.type(`run it${KEYS.enter}`);
  await window.sees("2. Yes, and allow in this session: bash(node sum.js)");
  window.type("2");
  await window.sees("2. Yes, and allow in this session: bash(node sum.js --again)");
  window.type("4");
  await window.sees("What to do instead?");
  window.type(`Use the tests.${KEYS.enter}`);
  await window.sees("Printed");
  await window.seesNoMore("esc to interrupt");

  expect(window.text).toMatch(/Printed: .*The user said no:\s+Use the tests\./s);
  window.type(`/permissions${KEYS.enter}`);
  await window.sees("allow bash(node sum.js)  this session");
});

test("what scrolls away because of a question is in the scrollback once", async () => {
  const { window } = await start("edits", { rows: 14 });

  window.type(`run it${KEYS.enter}`);
  await window.sees("allow in this session: bash(node sum.js)");
  window.type("1");
  await window.sees("allow in this session: bash(node sum.js --again)");
  window.type("1");
  await window.sees("Printed: ");
  await window.seesNoMore("esc to interrupt");
  window.type(`/permissions${KEYS.enter}`);
  await window.sees("❯ 1. default");
  window.type(KEYS.escape);
  await window.seesNoMore("❯ 1. default");
  window.type(KEYS.ctrlD);
  await window.exited();

  const count = (what: string) => window.scrollback.split(what).length - 1;
  expect(["❯ run it", "● bash node sum.js --again", "Printed: ", "❯ /permissions"].map(count)).toEqual([1, 1, 1, 1]);
});

test("a question is answered with one of its options, or in one's own words", async () => {
  const { window } = await start("question");

  window.type(`report${KEYS.enter}`);
  await window.sees("3. Something else");
  window.type(KEYS.down + KEYS.enter);
  await window.sees("You chose HTML.");
  window.type(`again${KEYS.enter}`);
  await window.sees("3. Something else");
  window.type("3");
  await window.sees("enter to send");
  window.type(`Word 文書${KEYS.enter}`);
  await window.sees("You chose Word 文書.");

  expect(window.text).toContain("● Which format should the report have? · Word 文書");
});

test("a server's form is filled in step by step, checked, shown whole and sent", async () => {
  const { window } = await start("elicitation", { columns: 120, env: { HOSTILE_SERVER: HOSTILE } });

  window.type(`invite them${KEYS.enter}`);
  await window.sees("Your address (1 of 4)");
  expect(window.text).toContain("The server dinner asks\n\n  Who comes to dinner?\n\n  Your address (1 of 4)");
  for (const [typed, then] of [
    ["not an address", "That is not an email address."],
    ["ada@example.com", "seats (2 of 4)"],
    ["0", "It must be at least 1."],
    ["2", "meal (3 of 4)"],
  ]) {
    window.type("1");
    await window.sees("enter to send");
    window.type(`${typed}${KEYS.enter}`);
    await window.sees(then!);
  }
  window.type("2");
  await window.sees("news (4 of 4)");
  window.type(KEYS.enter);
  await window.sees("Send this");
  expect(window.text).toContain("Your address: ada@example.com\n  seats: 2\n  meal: fish\n  news: false");
  window.type("1");

  await window.sees("The server was told");
  await window.sees('{"action":"accept","content":{"email":"ada@example.com","seats":2,"meal":"fish","news":false}}');
});

test.each([
  ["2", "decline"],
  ["3", "cancel"],
])("a server's question is left by choice %s", async (key, action) => {
  const { window } = await start("elicitation", { env: { HOSTILE_SERVER: HOSTILE } });

  window.type(`invite them${KEYS.enter}`);
  await window.sees("Your address (1 of 4)");
  window.type(key);

  await window.sees(`{"action":"${action}"}`);
});

test("a plan is approved before anything changes, and then carried out in the same run", async () => {
  const { window, dir } = await start("plan");

  expect(window.text).toContain("plan mode · shift+tab");
  window.type(`do it${KEYS.enter}`);
  await window.sees("Carry out this plan?");
  expect(window.text).toContain("  2. Turn the minus into a plus");
  expect(window.text).toMatch(/1\. Yes, and ask[\s\S]*4\. No, keep planning[\s\S]*5\. Yes, and edit/);
  window.type("5");
  await window.sees("Carried out.");

  expect(readFileSync(join(dir, "project", "done.txt"), "utf8")).toBe("done\n");
  expect(window.text).toContain("edits without asking · shift+tab");
});

test("what is typed while the agent works is read at its next step", async () => {
  const { window } = await start("slow");

  window.type(`go${KEYS.enter}`);
  await window.sees("● bash sleep 0.2; echo done · running".replace("●", "○"));
  window.type(`in French${KEYS.enter}`);
  await window.sees("French it is.");

  expect(window.text).toMatch(/· ok.*\n\n❯ in French\n\n {2}French it is\./);
});

test("a question that comes while somebody types waits until the line is sent", async () => {
  const { window } = await start("draft");

  window.type(`go${KEYS.enter}`);
  await window.sees("I a");
  window.type("step ");
  await window.sees("send or clear your line to answer this");
  // Whoever sends a line may go on typing: what comes right behind it is no answer.
  window.type(`1${KEYS.enter}1`);
  await window.sees("for your line: 1");

  expect(window.text).toContain("❯ step 1  read at the next step");
  expect(window.text).toContain("● bash node sum.js · waiting for you");
  await setTimeout(1_100);
  window.type("1");
  await window.sees("It printed something.");
});

test("escape interrupts, ctrl+c twice leaves, and the terminal is as it was", async () => {
  const { window, dir } = await start("long");

  window.type(`go${KEYS.enter}`);
  await window.sees(/line 1\n\n.*esc to interrupt/);
  window.type(KEYS.escape);
  await window.sees("Interrupted.");
  window.type(KEYS.ctrlC);
  await window.sees("press ctrl+c again to leave");
  window.type(KEYS.ctrlC);

  expect(await window.exited()).toBe(0);
  expect(window.raw).toContain("\x1b[?2004l\x1b[>4;0m\x1b[0m\x1b[?25h");
  expect(window.isCursorVisible).toBe(true);
  expect(sessionIn(dir, window)).toMatch(/^[0-9a-f-]{36}$/);
  expect(window.text).not.toContain("shift+tab");
});

test("ctrl+d leaves while a question is asked, too", async () => {
  const { window } = await start("kill");

  window.type(`go${KEYS.enter}`);
  await window.sees("Run this command?");
  window.type(KEYS.ctrlD);

  expect(await window.exited()).toBe(0);
});

test("a session that was killed goes on where it was, with everything that was said", async () => {
  const first = await start("kill");
  first.window.type(`go${KEYS.enter}`);
  await first.window.sees("waiting for you");
  first.window.kill("SIGKILL");
  await first.window.exited();
  const { window } = await start("kill", { dir: first.dir, sessionId: "latest" });

  await window.sees("Run this command?");
  expect(window.text).toContain("❯ go\n\n  I run it now.\n");
  window.type("1");
  await window.sees("It printed");
  expect(window.text).toContain("node sum.js · not finished");
  expect(window.text).not.toContain("· running");
  window.type(KEYS.ctrlD);

  expect(await window.exited()).toBe(0);
});

test("a picture is a line between two texts, also when the session goes on", async () => {
  const shown = "Here it is:\n\n  [image: image/png, 3.0 KB]\n\n  Nice?";
  const first = await start("picture");
  first.window.type(`go${KEYS.enter}`);
  await first.window.sees("Nice?");
  expect(first.window.text).toContain(shown);
  first.window.type(KEYS.ctrlD);
  await first.window.exited();

  const { window } = await start("picture", { dir: first.dir, sessionId: "latest" });

  await window.sees("Nice?");
  expect(window.text).toContain(shown);
});

test("nothing that a model or a tool says controls the terminal", async () => {
  const { window } = await start("hostile");

  window.type(`go${KEYS.enter}`);
  await window.sees("Run this command?");
  expect(window.text).toContain(String.raw`printf '\x1b[2Jx' # \u202e evil \x1b[8m hidden`);
  window.type("1");
  await window.sees("https://good.example (https://evil.example)");

  for (const sequence of ["pwned\x07", "\x1b]52", "clear \x1b", "\x1b[2Jx", "\x1b[8m", "\u009b", "\u202e"]) {
    expect(window.raw).not.toContain(sequence);
  }
});

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s ends the program and leaves the terminal as it was", async (signal, code) => {
  const { window } = await start("long");
  window.type(`go${KEYS.enter}`);
  await window.sees("line 1");

  window.kill(signal);

  expect(await window.exited()).toBe(code);
  expect(window.isCursorVisible).toBe(true);
  expect(window.raw).toContain("\x1b[?2004l");
});

test("an error nobody caught leaves the terminal as it was and is readable", async () => {
  const { window } = await start("crash");

  window.type(`go${KEYS.enter}`);

  expect(await window.exited()).toBe(1);
  expect(window.isCursorVisible).toBe(true);
  expect(window.scrollback).toContain("Error: a bug in the program");
});

test("sub-agents are shown as a tree while they work", async () => {
  const { window } = await start("agents", { columns: 120 });

  window.type(`review${KEYS.enter}`);
  await window.sees(/Sub-agents 2\n {4}├ reviewer Review the sum · .*\n(?:.*\n)?.* {4}└ reviewer Review the docs · /);
  await window.sees("The review found nothing.");

  expect(window.text).not.toContain("Sub-agents");
});

test("calls that a tool makes are shown below it", async () => {
  const { window } = await start("composed");

  window.type(`look${KEYS.enter}`);
  await window.sees("Surveyed.");

  expect(window.text).toMatch(
    / {2}● survey .*· 1 line\n {4}● Read sum\.js · 2 lines\n {4}● Read none\.js · failed\n {6}\S/,
  );
});

test("a session is taken back with its files, copied, and found again", async () => {
  const { window, sum } = await start("work");
  window.type(`fix it${KEYS.enter}`);
  await window.sees("Make this edit?");
  window.type("1");
  await window.sees("Run this command?");
  window.type("1");
  await window.sees("The sum is right now.");
  await window.seesNoMore("esc to interrupt");

  window.type(`/fork${KEYS.enter}`);
  await window.sees("This is a copy.");
  window.type(`/resume${KEYS.enter}`);
  await window.sees("Go on with which session?");
  window.type(KEYS.enter);
  await window.seesNoMore("This is a copy.");
  window.type(`/rewind${KEYS.enter}`);
  await window.sees("Go back to before which prompt?");
  window.type(KEYS.enter);
  await window.sees("sum.js: as it was");
  window.type(KEYS.enter);
  await window.sees("1 file taken back. Back before this prompt.");

  expect(sum()).toContain("a - b");
  expect(window.text).toMatch(/─\n fix it/);
});

test("going back says how many files stay as others left them, also when no file goes back", async () => {
  const { window, dir, sum } = await start("work");
  window.type(`fix it${KEYS.enter}`);
  await window.sees("Make this edit?");
  window.type("1");
  await window.sees("Run this command?");
  window.type("1");
  await window.sees("The sum is right now.");
  await window.seesNoMore("esc to interrupt");
  writeFileSync(join(dir, "project", "sum.js"), "mine");

  window.type(`/rewind${KEYS.enter}`);
  await window.sees("Go back to before which prompt?");
  window.type(KEYS.enter);
  await window.sees("No file taken back, 1 left as commands or others made them.");

  expect(sum()).toBe("mine");
});

test("completion offers files and commands, and the arrow keys earlier prompts", async () => {
  const { window, dir } = await start("markdown");

  window.type("look at @su");
  await window.sees("→ sum.js");
  window.type(KEYS.tab);
  await window.sees(/look at @sum\.js\s/);
  window.type(KEYS.enter);
  await window.sees("日本語のテキスト");
  await window.seesNoMore("esc to interrupt");
  window.type("/rew");
  await window.sees("go back to an earlier prompt");
  window.type(KEYS.ctrlC);
  await window.seesNoMore("go back to an earlier prompt");
  window.type(KEYS.up);
  await window.sees(/─\n look at @sum\.js/);

  expect(readFileSync(join(dir, "state", "history.jsonl"), "utf8")).toBe('"look at @sum.js"\n');
});

test("completion offers the resources of servers beside files", async () => {
  const { window } = await start("resources", { columns: 120, env: { HOSTILE_SERVER: HOSTILE } });

  window.type("look at @dinn");
  await window.sees("→ dinner:menu://friday");
  window.type(KEYS.tab);

  await window.sees(/look at @dinner:menu:\/\/friday\s/);
  expect(window.raw).not.toContain("\u202e");
});
