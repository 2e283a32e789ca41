// Sessions that are named, deleted and written out, and what goes on beside one, in a real pseudo-terminal.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEYS, type TerminalWindow } from "./terminal-window.js";
import { useWindows } from "./windows.js";

const start = useWindows();

async function say(window: TerminalWindow, line: string, answer: string | RegExp) {
  window.type(line + KEYS.enter);
  await window.sees(answer);
}

test("a session is found again by the name it was given", async () => {
  const { window } = await start("thinking");
  await say(window, "look", "It has a minus.");
  await window.seesNoMore("esc to interrupt");
  await say(window, "/rename", "Say the name, as in /rename parser tests.");
  await say(window, "/rename the \u202e sum", String.raw`This session is named "the \u202e sum".`);
  await say(window, "/new", "A new session.");
  await say(window, "/resume", /Go on with which session\?[\s\S]*❯ 1\. the \\u202e sum {2}just now/);
  window.type(KEYS.escape);
  await window.seesNoMore("Go on with which session?");

  await say(window, "/resume the \u202e sum", /❯ look\n[\s\S]*It has a minus\./);
  await say(window, "/resume nobody", 'No session has the name "nobody" or an id that begins so.');
});

test("a session is deleted once that is confirmed, with its checkpoints", async () => {
  const { window, dir, project } = await start("work");
  await say(window, "fix it", "Make this edit?");
  await say(window, "1", "Run this command?");
  await say(window, "1", "The sum is right now.");
  await window.seesNoMore("esc to interrupt");
  const kept = (name: string) =>
    readdirSync(join(dir, "state", name), { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
      .length;
  expect([kept("sessions"), kept("checkpoints")]).not.toContain(0);

  await say(window, "/delete", "❯ 1. fix it  just now");
  await say(window, "", "❯ 1. Keep it");
  window.type(KEYS.enter);
  await window.seesNoMore("Keep it");
  expect(kept("sessions")).not.toBe(0);
  await say(window, "/delete", "❯ 1. fix it  just now");
  await say(window, "", "❯ 1. Keep it");
  window.type("2");
  await window.sees("Deleted: fix it");

  expect([kept("sessions"), kept("checkpoints")]).toEqual([0, 0]);
  expect(readFileSync(join(project, "sum.js"), "utf8")).toContain("a + b");
  await say(window, "/delete", "There is no other session yet.");
});

test("the page of a session is written to one file without what looks like a secret, for its owner alone", async () => {
  const { window, project } = await start("own", undefined, { columns: 200 });
  const key = `sk-ant-${"a1".repeat(20)}`;
  await say(window, `my key is ${key}`, "Your command: no.");
  await window.seesNoMore("esc to interrupt");

  await say(window, "/share page.txt", "The file's name ends with .html.");
  await say(window, "/share page.html", `Written: ${project}/page.html\n  Nothing was uploaded.`);

  const page = readFileSync(join(project, "page.html"), "utf8");
  expect(page).toContain("[redacted Anthropic key]");
  expect(page).not.toContain(key);
  expect(page).not.toMatch(/(?:src|href)="https?:/);
  expect(statSync(join(project, "page.html")).mode & 0o777).toBe(0o600);
});

test("what runs in the background is counted, looked at and stopped, and the agent is told", async () => {
  const { window } = await start("background", undefined, { columns: 120 });
  await say(window, "begin", "2 in background");

  await say(
    window,
    "/tasks",
    /❯ 1\. bash_1 \(a server\) {2}running for [\d.]+ s\n +2\. Sub-agent reviewer {2}running for /,
  );
  await say(window, "1", "❯ 1. Show its output");
  await say(window, "1", /bash_1 \(a server\) · running for [\d.]+ s\n/);
  // On a slow machine it has not said anything yet.
  while (!/running for [\d.]+ s\n {2}up\n/.test(window.text)) {
    await say(window, "/tasks", "❯ 1. bash_1");
    await say(window, "1", "❯ 1. Show its output");
    await say(window, "1", /running for [\d.]+ s\n {2}(?:up|It has not)/);
  }
  await say(window, "/tasks", "❯ 1. bash_1");
  await say(window, "1", "2. Stop it");
  window.type("2");
  await window.sees("Stopped: bash_1 (a server)");
  await window.sees("1 in background");
  await say(window, "/tasks", /1\. bash_1 \(a server\) {2}ended by the user/);
  await say(window, "2", "2. Stop it");
  window.type("2");
  await window.sees("The review was stopped.");

  await window.seesNoMore("in background");
});

test("the doctor says what there is and what is not known, and trust is asked again", async () => {
  const { window, dir } = await start("own", undefined, { columns: 140 });
  await say(window, "/doctor", "terminal");
  expect(window.text).toMatch(/✔ program +loopwright .*on Node \d+/);
  expect(window.text).toMatch(
    /! model +scripted\/scripted, 100000 tokens, price not known: models\.json can name both/,
  );
  expect(window.text).toMatch(/✔ git +git version \d/);

  await say(window, "/trust", String.raw`mcp: node \u202e server.js`);
  window.type("1");
  await window.sees("The project is trusted from the next start on.");

  expect(readFileSync(join(dir, "state", "trusted"), "utf8")).toBe("true");
});
