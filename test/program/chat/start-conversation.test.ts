import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { bundleProgram, calling, directoryWith, modelServer } from "../kit.js";
import { KEYS, TerminalWindow, type WindowOptions } from "../terminal/terminal-window.js";

let program: Awaited<ReturnType<typeof bundleProgram>>;
beforeAll(async () => {
  program = await bundleProgram();
});
afterAll(() => program.remove());

/** The program in a terminal. */
function start(args: readonly string[], options: WindowOptions): TerminalWindow {
  const window = new TerminalWindow([process.execPath, program.file, ...args], { columns: 100, rows: 40, ...options });
  onTestFinished(() => window.close());
  return window;
}

test("a project is trusted once for what it brings, a rule is allowed for good, and the session goes on by its id", async () => {
  const cwd = directoryWith({
    ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash(node --version)"] } }),
  });
  const home = directoryWith();
  const write = (path: string) => calling("write_file", { path, content: "x" });
  const { url } = await modelServer(write("a.txt"), { text: "Wrote it." }, write("a.txt"), { text: "Wrote it again." });
  const env = { HOME: home, OPENAI_BASE_URL: url, OPENAI_API_KEY: "test" };

  const first = start(["--model", "openai/gpt-5.1", "Write", "a.txt"], { cwd, env });
  await first.sees("Do you trust it? [y/N]");
  expect(first.text).toContain('settings: permissions.allow[0]: "Bash(node --version)"');
  first.type("y\r");
  await first.sees("3. Yes, and always in this project: edit_file(/a.txt)");
  expect(existsSync(join(cwd, "a.txt"))).toBe(false);
  first.type("3");
  await first.sees("Wrote it.");
  first.type(KEYS.ctrlD);
  expect(await first.exited()).toBe(0);
  const [project] = readdirSync(join(home, ".loopwright/projects"));
  const state = join(home, ".loopwright/projects", project!);
  expect(JSON.parse(readFileSync(join(state, "trust.json"), "utf8"))).toMatchObject({ root: cwd, isTrusted: true });

  const second = start(["--model", "openai/gpt-5.1", "--continue", "Again"], { cwd, env });
  await second.sees("Wrote it again.");
  expect(second.scrollback).not.toContain("Do you trust it?");
  second.type(KEYS.ctrlD);
  expect(await second.exited()).toBe(0);

  writeFileSync(join(cwd, ".claude/settings.json"), JSON.stringify({ permissions: { allow: ["Bash"] } }));
  const third = start(["--model", "openai/gpt-5.1"], { cwd, env });
  await third.sees("Do you trust it? [y/N]");
  expect(third.text).toContain(`This project brings more than you trusted: ${cwd}`);
  expect(third.text).toContain('settings: permissions.allow[0]: "Bash"');
});

test("a session that goes on knows what it has cost, and what an earlier run has allowed for good can be taken back", async () => {
  const cwd = directoryWith();
  const home = directoryWith();
  const write = (path: string) => calling("write_file", { path, content: "x" });
  const { url } = await modelServer(write("a.txt"), { text: "Wrote it." }, write("a.txt"));
  const env = { HOME: home, OPENAI_BASE_URL: url, OPENAI_API_KEY: "test" };

  const first = start(["--model", "openai/gpt-5.1", "Write"], { cwd, env });
  await first.sees("3. Yes, and always in this project: edit_file(/a.txt)");
  first.type("3");
  await first.sees("Wrote it.");
  first.type(KEYS.ctrlD);
  expect(await first.exited()).toBe(0);
  const [project] = readdirSync(join(home, ".loopwright/projects"));
  const rules = () => JSON.parse(readFileSync(join(home, ".loopwright/projects", project!, "rules.json"), "utf8"));
  expect(rules().allow).toEqual(["edit_file(/a.txt)"]);

  const second = start(["--model", "openai/gpt-5.1", "--continue"], { cwd, env });
  await second.sees("Wrote it.");
  second.type("/cost\r");
  await second.sees("$0.0004 in 1 run of this session");
  await second.sees("200 tokens in, 20 out");
  second.type("/permissions\r");
  await second.sees("allow edit_file(/a.txt)  always in this project");
  second.type("6");
  await second.sees("Taken back: edit_file(/a.txt)");
  expect(rules().allow).toEqual([]);
  second.type("Again\r");
  await second.sees("3. Yes, and always in this project: edit_file(/a.txt)");
});

test("what a project asks for is shown as it is, asked again when left, and counts as soon as it is trusted", async () => {
  const server = { command: "node", args: ["server.js", "\u202etxt.exe", "\u001b[8mhidden\u001b[0m"] };
  const settings = { model: "openai/gpt-4.1-mini", permissions: { defaultMode: "acceptEdits" } };
  const cwd = directoryWith({
    ".mcp.json": JSON.stringify({ mcpServers: { local: server } }),
    ".claude/settings.json": JSON.stringify(settings),
  });
  const env = { HOME: directoryWith(), OPENAI_BASE_URL: "http://127.0.0.1:9", OPENAI_API_KEY: "test" };

  const first = start(["--model", "openai/gpt-5.1"], { cwd, env });
  await first.sees("Do you trust it? [y/N]");
  expect(first.text).toContain("local: node server.js \\u202etxt.exe \\x1b[8mhidden\\x1b[0m");
  first.type(KEYS.ctrlC);
  await first.sees("asks before changes · shift+tab");
  first.type(KEYS.ctrlD);
  expect(await first.exited()).toBe(0);

  const second = start([], { cwd, env });
  await second.sees("Do you trust it? [y/N]");
  second.type("y\r");
  await second.sees("edits without asking · shift+tab");
  expect(second.text).toMatch(/openai\/gpt-4\.1-mini$/);
});

test("a mistyped answer is asked again, and loopwright trust changes one that was kept", async () => {
  const cwd = directoryWith({ ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash(ls)"] } }) });
  const home = directoryWith();
  const env = { HOME: home, OPENAI_BASE_URL: "http://127.0.0.1:9", OPENAI_API_KEY: "test" };
  const trusted = () => {
    const [project] = readdirSync(join(home, ".loopwright/projects"));
    return JSON.parse(readFileSync(join(home, ".loopwright/projects", project!, "trust.json"), "utf8")).isTrusted;
  };

  const first = start(["--model", "openai/gpt-5.1"], { cwd, env });
  await first.sees("Do you trust it? [y/N]");
  first.type("u\r");
  await first.sees("Please answer y or n. Do you trust it? [y/N]");
  first.type("\r");
  await first.sees("asks before changes · shift+tab");
  expect(trusted()).toBe(false);
  first.type(KEYS.ctrlD);
  await first.exited();

  const left = start(["trust"], { cwd, env });
  await left.sees("Your answer so far: no, not trusted.");
  await left.sees("Do you trust it? [y/N]");
  left.type(KEYS.ctrlC);
  expect(await left.exited()).toBe(130);
  expect(trusted()).toBe(false);

  const second = start(["trust"], { cwd, env });
  await second.sees("Do you trust it? [y/N]");
  second.type("y\r");
  await second.sees("It is trusted from now on.");
  expect(await second.exited()).toBe(0);
  expect(trusted()).toBe(true);
});

test("the demo at a terminal asks before it changes anything, and leaves nothing behind", async () => {
  const tmp = directoryWith();
  const window = start(["demo"], { cwd: tmp, env: { HOME: directoryWith(), TMPDIR: tmp } });

  await window.sees("Run this command?");
  expect(readdirSync(tmp).filter((name) => name.startsWith("loopwright-demo-"))).toHaveLength(1);
  window.type(KEYS.ctrlC);
  window.type(KEYS.ctrlC);

  await window.exited();
  expect(readdirSync(tmp)).toEqual([]);
});
