import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine } from "../../../src/engine/engine.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { builtinTools } from "../../../src/tools/builtin-tools.js";
import { createBashTool } from "../../../src/tools/shell/bash.js";
import { createBashKillTool } from "../../../src/tools/shell/bash-kill.js";
import { createBashOutputTool } from "../../../src/tools/shell/bash-output.js";
import { withGrowingLimit } from "../../growing-limit.js";
import { processesWith } from "../../workspace/shell/open-shell.js";
import { openWorkspace, temporaryDirectory } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

async function openBackground() {
  const root = await temporaryDirectory();
  const mark = `mark-${Math.random()}`;
  const workspace = await openWorkspace({ root, env: { TEST_MARK: mark } });
  const bash = createBashTool(workspace);
  const output = createBashOutputTool(workspace);
  const kill = createBashKillTool(workspace);
  onTestFinished(() => bash.endSession!());

  return {
    root,
    workspace,
    bash,
    start: (command: string, context = {}) => callTool(bash, { command, run_in_background: true }, context),
    read: (task_id: string, context = {}) => callTool(output, { task_id }, context),
    kill: (task_id: string, context = {}) => callTool(kill, { task_id }, context),
    /** All that is written until a string comes or the command has ended. */
    async readUntil(task_id: string, end: string | RegExp) {
      let all = "";
      await expect.poll(async () => (all += (await callTool(output, { task_id })).text)).toMatch(end);
      return all;
    },
    survivors: () => processesWith(mark),
  };
}

test("a background command answers its task id at once and runs on", async () => {
  const { start, read, readUntil, survivors } = await openBackground();

  const started = await start("echo one; sleep 0.2; echo two; exit 3");

  expect(started).toMatchObject({ text: expect.stringContaining('"bash_1"'), details: { taskId: "bash_1" } });
  expect(await readUntil("bash_1", "exit code")).toMatch(
    /^(.|\n)*one\n(.|\n)*two\n(.|\n)*\[bash_1: exit code 3 after [\d.]+ s.*\]$/,
  );
  expect(await read("bash_1")).toEqual({
    output: expect.any(String),
    text: expect.stringMatching(/^\[bash_1: exit code 3 after [\d.]+ s, no new output\]$/),
    details: { taskId: "bash_1", running: false, exitCode: 3, signal: null, durationMs: expect.any(Number) },
  });
  expect(survivors()).toEqual([]);
});

test("each read answers what is new, and running commands say for how long", async () => {
  const { start, read, readUntil } = await openBackground();
  await start("echo first; sleep 60");

  const first = await readUntil("bash_1", "first");
  const second = await read("bash_1");

  expect(first).toContain("first\n[bash_1: running for ");
  expect(second.text).toMatch(/^\[bash_1: running for [\d.]+ s, no new output\]$/);
  expect(second.details).toMatchObject({ running: true, exitCode: null, signal: null });
});

test("a character or a colour that is half written is read once it is whole", async () => {
  const { root, start, readUntil } = await openBackground();

  await start(
    `printf 'a\\xf0\\x9f\\033[1'; touch half; while [ ! -e go ]; do sleep 0.01; done; printf ';31mb\\xf0\\x9f\\x98\\x80c\\n'`,
  );
  await expect.poll(() => existsSync(`${root}/half`)).toBe(true);
  const early = await readUntil("bash_1", "a");
  await callTool(createBashTool(await openWorkspace({ root })), { command: "touch go" });
  const late = await readUntil("bash_1", "c\n");

  // Two bytes of a character that never came, and then a whole one.
  expect(early + late).toContain("b😀c\n");
  expect(early + late).not.toContain("31m");
});

test("bash_kill ends the whole group, also what resists, and what was written can still be read", async () => {
  const { start, kill, read, readUntil, survivors } = await openBackground();
  await start("echo up; trap '' TERM; setsid sleep 60 & sleep 60 & while :; do sleep 1; done");
  await readUntil("bash_1", "up");

  const killed = await kill("bash_1");

  expect(killed.text).toMatch(/^Ended: bash_1 \(echo up; .*\): ended by bash_kill \(after [\d.]+ s\)\./);
  expect(killed.details).toEqual({ taskId: "bash_1", running: false });
  expect(survivors()).toEqual([]);
  expect((await read("bash_1")).text).toContain("ended by bash_kill");
  expect((await kill("bash_1")).text).toMatch(/^Had ended before: /);
});

test("an unknown id lists the commands there are", async () => {
  const { bash, start, read, kill, readUntil } = await openBackground();
  await expect(read("bash_1")).rejects.toMatchObject({
    code: "COMMAND_NOT_FOUND",
    message: 'There is no background command "bash_1". None was started in this session.',
  });
  await callTool(bash, { command: "sleep 60", description: "Wait\n for it", run_in_background: true });
  await start(`exit 4 # ${"long ".repeat(50)}`);
  await readUntil("bash_2", "exit code");

  const message =
    /^There is no background command "x"\. There are:\n- bash_1 \(Wait for it\): running for [\d.]+ s\n- bash_2 \(exit 4 # (long )+\S*…\): exit code 4 after [\d.]+ s$/;
  for (const refuse of [read, kill]) {
    await expect(refuse("x")).rejects.toMatchObject({
      code: "COMMAND_NOT_FOUND",
      message: expect.stringMatching(message),
    });
  }
});

test("a session sees its own commands alone", async () => {
  const { start, read } = await openBackground();
  await start("sleep 60");

  await expect(read("bash_1", { sessionId: "other" })).rejects.toMatchObject({ code: "COMMAND_NOT_FOUND" });
});

test("the end of a command is reported once, to the agent that started it", async () => {
  const { bash, start, workspace } = await openBackground();
  const about = { sessionId: "session-1", transcriptId: "session-1", turn: 1 };
  const child = { ...about, transcriptId: "child" };
  await start("exit 3");
  await start("sleep 60");
  await start("true", { transcriptId: "child" });
  const remind = (to: typeof about) => bash.reminder!(to);

  const heard: string[] = [];
  await expect.poll(() => heard.push(...[remind(child)].filter((told) => told !== null))).toBe(1);
  await expect.poll(() => heard.push(...[remind(about)].filter((told) => told !== null))).toBe(2);

  expect(heard[0]).toMatch(
    /^Ended in the background:\n- bash_3 \(true\): exit code 0 after [\d.]+ s\nbash_output shows/,
  );
  expect(heard[1]).toMatch(/^Ended in the background:\n- bash_1 \(exit 3\): exit code 3 after/);
  expect([remind(child), remind(about), createBashTool(workspace).reminder!(about)]).toEqual([null, null, null]);
});

test("what an agent has read of a command's end is not told again, and a sub-agent's leftovers are asked to the main agent", async () => {
  const { bash, start, readUntil } = await openBackground();
  const about = { sessionId: "session-1", transcriptId: "session-1", turn: 1 };
  await start("true");
  await readUntil("bash_1", "exit code");
  await start("true", { transcriptId: "child" });

  let told: string | null = null;
  await expect.poll(() => (told = bash.reminder!(about))).not.toBeNull();

  expect(told).toContain("bash_2");
  expect(told).not.toContain("bash_1");
});

test("much output is cut, and all of it is kept once the command has ended", async () => {
  const { start, read, bash } = await openBackground();
  await start("seq 1000000; sleep 0.3");
  const about = { sessionId: "session-1", transcriptId: "session-1", turn: 1 };
  await expect.poll(() => bash.reminder!(about)).not.toBeNull();

  const answer = await read("bash_1");

  const { artifact } = answer.details as { artifact: string };
  const whole = Array.from({ length: 1_000_000 }, (_, i) => `${i + 1}\n`).join("");
  expect(await readFile(artifact, "utf8")).toBe(whole);
  expect(answer.text.startsWith("1\n2\n")).toBe(true);
  expect(answer.text).toContain(`all of it is in "${artifact}"; read it with read_file`);
  expect(answer.text).toContain("999999\n1000000\n[bash_1: exit code 0");
  expect(answer.text.length).toBeLessThan(10_000);
});

test("what cannot start says why when it is read", async () => {
  const shell = { run: () => Promise.reject(new Error("The container is gone.")) };
  const workspace = await openWorkspace({ root: await temporaryDirectory(), shell });
  await callTool(createBashTool(workspace), { command: "true", run_in_background: true });
  const read = () => callTool(createBashOutputTool(workspace), { task_id: "bash_1" });

  await expect
    .poll(async () => (await read()).text)
    .toMatch(/^\[bash_1: The container is gone\. \(after [\d.]+ s\), no new output\]$/);
  expect((await read()).details).toMatchObject({ running: false, exitCode: null });
});

test("sixteen run at a time, and no more", async () => {
  const { start, kill, survivors } = await openBackground();
  for (let n = 1; n <= 16; n++) await start("sleep 60");

  await expect(start("sleep 60")).rejects.toMatchObject({
    code: "COMMAND_FAILED",
    message: expect.stringMatching(/^16 commands run in the background already\..*\n- bash_1 \(sleep 60\): running/),
  });
  await start("true", { sessionId: "other" });
  await kill("bash_7");

  expect((await start("sleep 60")).details).toEqual({ taskId: "bash_17" });
  await expect.poll(() => survivors().length).toBeGreaterThanOrEqual(16);
});

test("commands end with their session, all of them with the tool, and nothing of them is left", async () => {
  const { bash, start, read, survivors } = await openBackground();
  await start("trap '' TERM; yes & sleep 60");
  await start("sleep 60", { sessionId: "other" });

  await bash.endSession!("session-1");
  await expect(read("bash_1")).rejects.toMatchObject({ code: "COMMAND_NOT_FOUND" });
  expect((await read("bash_1", { sessionId: "other" })).text).toContain("running");
  await bash.endSession!();

  expect(survivors()).toEqual([]);
});

test("closing the workspace ends them, also when the shell is the host's own", async () => {
  const { workspace: inner, survivors } = await openBackground();
  const workspace = await openWorkspace({ root: inner.root, shell: { run: (request) => inner.shell.run(request) } });
  await callTool(createBashTool(workspace), { command: "sleep 60", run_in_background: true });
  await expect.poll(() => survivors().length).toBeGreaterThan(0);

  await workspace.close();

  expect(survivors()).toEqual([]);
  expect(await inner.shell.run({ command: "exit 2" })).toMatchObject({ exitCode: 2 });
});

test("a timeout holds in the background when one is given", async () => {
  const { bash, readUntil } = await openBackground();
  let started = 0;
  const output = async (timeout_ms: number) => {
    await callTool(bash, { command: "echo up; sleep 60", run_in_background: true, timeout_ms });
    return readUntil(`bash_${++started}`, "timed out");
  };

  const read = await withGrowingLimit(100, output, (text) => text.includes("up\n"));

  expect(read).toMatch(/up\n(.|\n)*\[bash_\d: timed out after/);
});

test("an abort of the call that started it does not end a command, and `cd` in it moves nobody", async () => {
  const { root, bash, start, readUntil } = await openBackground();
  const controller = new AbortController();

  await start("mkdir sub; cd sub; sleep 0.1; echo done", { signal: controller.signal });
  controller.abort();

  expect(await readUntil("bash_1", "exit code 0")).toContain("done\n");
  expect((await callTool(bash, { command: "pwd" })).text).toBe(`${root}\n`);
});

test("in a run the model reads on, is reminded, and ends what it started", async () => {
  const { root, workspace, survivors } = await openBackground();
  const starts = [
    toolCall("bash", { command: "echo up; while [ ! -e stop ]; do sleep 0.01; done", run_in_background: true }),
    toolCall("bash", { command: "sleep 60", run_in_background: true }),
    toolCall("bash", { command: "touch stop" }),
  ];
  // Reads until the first command has ended; then it ends the second.
  const provider = scripted(
    [
      ({ messages }) => {
        const said = JSON.stringify(messages);
        if (messages.length === 1) return starts;
        if (said.includes("Ended: bash_2")) return text("Done.");
        if (said.includes("bash_1: exit code 0")) return toolCall("bash_kill", { task_id: "bash_2" });
        return toolCall("bash_output", { task_id: "bash_1" });
      },
    ],
    { loop: true },
  );
  const engine = new AgentEngine({
    provider,
    tools: builtinTools(workspace, { names: ["bash", "bash_output", "bash_kill"] }),
    permissions: { decide: () => ({ behavior: "allow" }) },
  });

  const result = await engine.run("Go.", { sessionId: "s" });
  await engine.close();

  expect(result.text).toBe("Done.");
  expect(existsSync(`${root}/stop`)).toBe(true);
  expect(JSON.stringify(result.messages())).toMatch(/\bup\\n.*\[bash_1: exit code 0 after/);
  expect(survivors()).toEqual([]);
});
