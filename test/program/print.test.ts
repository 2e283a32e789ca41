import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createFaultServer } from "../../src/testing/fault-server/index.js";
import { HOSTILE } from "../mcp/hostile-server/path.js";
import { bundleProgram, calling, directoryWith, modelServer, runHere, runProgramFile, type Start } from "./kit.js";

let program: Awaited<ReturnType<typeof bundleProgram>>;
beforeAll(async () => {
  program = await bundleProgram();
});
afterAll(() => program.remove());

const MODEL = ["--model", "openai/gpt-5.1"];

type Where = Partial<Start> & { readonly url?: string };

/** A new project of a new user, unless it is said. */
function placeOf({ cwd = directoryWith({ "a.txt": "Hello\n" }), home = directoryWith(), url, env }: Where) {
  const key: Record<string, string> = url === undefined ? {} : { OPENAI_BASE_URL: url, OPENAI_API_KEY: "test" };
  return { cwd, home, env: { ...key, ...env } };
}

/** Runs the program in a process of its own. */
async function spawned(args: readonly string[], where: Where = {}) {
  const place = placeOf(where);
  return { ...place, ...(await runProgramFile(program.file, args, { ...where, ...place })) };
}

/** Runs it here. */
async function run(args: readonly string[], where: Where = {}) {
  const place = placeOf(where);
  return { ...place, ...(await runHere(args, { ...where, ...place })) };
}

test("-p prints the answer and nothing else, and keeps the session outside the project", async () => {
  const { url, requests } = await modelServer(calling("read_file", { path: "a.txt" }), { text: "It says Hello." });

  const { code, stdout, stderr, cwd, home } = await spawned(["-p", ...MODEL, "What", "does", "a.txt", "say?"], { url });

  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "It says Hello.\n", stderr: "" });
  expect(JSON.stringify(requests[0]!.body)).toContain("What does a.txt say?");
  expect(readdirSync(cwd)).toEqual(["a.txt"]);
  const [project] = readdirSync(join(home, ".loopwright/projects"));
  const sessions = readdirSync(join(home, ".loopwright/projects", project!, "sessions"));
  expect(sessions.filter((name) => name.endsWith(".jsonl"))).toHaveLength(1);
  expect(statSync(join(home, ".loopwright/projects", project!)).mode & 0o077).toBe(0);
});

test("an answer that hides or reorders its text is shown as such to a person, and word for word to a program", async () => {
  const answer = { text: "hi \x1b]0;PWNED\x07\u202etxt" };
  const say = async (isTTY: boolean) =>
    (await run(["-p", ...MODEL, "Say hi."], { ...(await modelServer(answer)), isTTY })).stdout;

  expect(await say(true)).toBe("hi \\u202etxt\n");
  expect(await say(false)).toBe("hi \u202etxt\n");
});

test("on a terminal that says it is dumb nothing is drawn: the prompt is asked for, or answered as with -p", async () => {
  const dumb = { isTTY: true, env: { TERM: "dumb" } };

  const bare = await run(MODEL, { ...(await modelServer({ text: "Hi." })), ...dumb });
  const asked = await run([...MODEL, "Say hi."], { ...(await modelServer({ text: "Hi." })), ...dumb });

  expect(bare).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("There is no prompt.") });
  expect(asked).toMatchObject({ code: 0, stdout: "Hi.\n", stderr: "" });
});

test("a run whose reader leaves goes on to its end", async () => {
  const { url } = await modelServer(calling("write_file", { path: "b.txt", content: "x" }), { text: "Written." });

  const { code, stderr, cwd, home } = await spawned(
    ["-p", "--output-format", "stream-json", "--allowed-tools", "Write", ...MODEL, "Write b.txt"],
    { url, watch: (child) => void child.stdout!.destroy() },
  );

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(existsSync(join(cwd, "b.txt"))).toBe(true);
  expect((await run(["inspect", "--out", "s.md"], { cwd, home })).code).toBe(0);
  expect(readFileSync(join(cwd, "s.md"), "utf8")).toContain("Written.");
});

test.each(["text", "stream-json"])(
  "an output of %s that cannot be written is said in one line, and the exit code is 1",
  async (format) => {
    const { url } = await modelServer({ text: "Hello." });
    const { cwd, home, env } = placeOf({ url });
    const readOnly = openSync(join(cwd, "a.txt"), "r");
    const child = spawn(process.execPath, [program.file, "-p", "--output-format", format, ...MODEL, "Say hello."], {
      ...{ cwd, env: { PATH: process.env.PATH, HOME: home, ...env } },
      stdio: ["ignore", readOnly, "pipe"],
    });
    const stderr = (await child.stderr!.toArray()).join("");
    const code = child.exitCode ?? (await new Promise((resolve) => child.once("close", resolve)));
    closeSync(readOnly);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^loopwright: .*EBADF.*\n$/);
  },
);

test("what needs an approval is not run: the model is told, the output says it, and the exit code is 3", async () => {
  const { url, requests } = await modelServer(calling("write_file", { path: "b.txt", content: "x" }), {
    text: "I could not write.",
  });

  const { code, stdout, cwd } = await run(["-p", "--output-format", "json", ...MODEL, "Write b.txt"], { url });

  const result = JSON.parse(stdout);
  expect(code).toBe(3);
  expect(existsSync(join(cwd, "b.txt"))).toBe(false);
  expect(result).toMatchObject({
    type: "result",
    status: "completed",
    exitCode: 3,
    text: "I could not write.",
    model: "openai/gpt-5.1",
    turns: 2,
    usage: { inputTokens: 200, outputTokens: 20 },
    heldBack: [{ tool: "write_file", rules: ["edit_file(/b.txt)"] }],
  });
  expect(JSON.stringify(requests[1]!.body)).toContain("unattended run");
});

test("a limit of cost that cannot be kept is explained in the words of the command line; --max-tokens holds for every model", async () => {
  const { url } = await modelServer(calling("read_file", { path: "a.txt" }), { text: "Never asked." });
  const own = ["-p", "--model", "openai/own"];

  const cost = await run([...own, "--max-cost", "2", "Go"], { url });
  const tokens = await run([...own, "--max-tokens", "100", "Go"], { url });

  expect(cost).toMatchObject({ code: 1, stdout: "" });
  expect(cost.stderr).toContain(
    "The price of openai/own is not known, so --max-cost cannot be kept. Limit tokens instead, with --max-tokens.",
  );
  expect(tokens.code).toBe(1);
  expect(tokens.stderr).toContain('the run ended as "budget-exceeded"');
});

test("loopwright trust says when there is nothing to trust, and when there is nobody to ask", async () => {
  const cwd = directoryWith({ ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash(ls)"] } }) });

  expect(await run(["trust"])).toMatchObject({
    code: 0,
    stdout: "This project brings nothing that needs your trust.\n",
  });
  const unattended = await run(["trust"], { cwd });
  expect(unattended.code).toBe(2);
  expect(unattended.stderr).toContain("it needs a terminal. For one run, pass --trust-project.");
});

test("rules and modes of the command line allow and deny", async () => {
  const write = () => modelServer(calling("write_file", { path: "b.txt", content: "x" }), { text: "Done." });

  const allowed = await run(["-p", ...MODEL, "--allowed-tools", "Write(b.txt)", "Write"], { url: (await write()).url });
  const edits = await run(["-p", ...MODEL, "--permission-mode", "acceptEdits", "Write"], { url: (await write()).url });
  const denied = await run(
    ["-p", ...MODEL, "--permission-mode", "bypassPermissions", "--disallowed-tools", "Bash, Write", "Write"],
    { url: (await write()).url },
  );
  const quiet = await run(["-p", ...MODEL, "--permission-mode", "dontAsk", "Write"], { url: (await write()).url });

  expect([allowed, edits, denied, quiet].map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect([allowed, edits, denied, quiet].map(({ cwd }) => existsSync(join(cwd, "b.txt")))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("stream-json prints a line for the start, for each event and for the result", async () => {
  const { url } = await modelServer({ text: "Hi." });

  const { code, stdout, cwd } = await run(["-p", "--output-format=stream-json", ...MODEL, "Hi"], { url });

  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines[0]).toMatchObject({ type: "start", v: 1, directory: cwd, model: "openai/gpt-5.1", mcpServers: [] });
  expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed", sessionId: lines[0].sessionId });
  expect(lines.slice(1, -1).map(({ seq }) => seq)).toEqual(lines.slice(1, -1).map((_, index) => index + 1));
});

test("a prompt is piped in, alone or behind the one of the command line", async () => {
  const { url, requests } = await modelServer({ text: "A." }, { text: "B." });

  const alone = await spawned(["-p", ...MODEL], { url, input: "Only this.\n" });
  const both = await spawned(["-p", ...MODEL, "Summarise:"], { url, input: "A long text.\n" });

  expect([alone.stdout, both.stdout]).toEqual(["A.\n", "B.\n"]);
  expect(JSON.stringify(requests[0]!.body)).toContain("Only this.");
  expect(JSON.stringify(requests[1]!.body)).toContain("Summarise:\\n\\nA long text.");
});

test("an input that stays open without a word does not keep a prompt waiting", async () => {
  const { url } = await modelServer({ text: "A." });

  const { code, stdout, stderr } = await spawned(["-p", ...MODEL, "Go"], { url, input: null });

  expect({ code, stdout }).toEqual({ code: 0, stdout: "A.\n" });
  expect(stderr).toContain("standard input is open, but nothing has come from it, so it is not read");
});

test("remarks that nobody reads any more do not end the run", async () => {
  const { url } = await modelServer(calling("write_file", { path: "b.txt", content: "x" }), { text: "A." });

  const { code, stdout } = await spawned(["-p", ...MODEL, "Go"], { url, start: (child) => child.stderr?.destroy() });

  expect({ code, stdout }).toEqual({ code: 3, stdout: "A.\n" });
});

test("-p --continue has the mode of the session, unless it names another", async () => {
  const write = calling("write_file", { path: "new.txt", content: "x" });
  const { url } = await modelServer({ text: "A plan." }, write, { text: "No." }, write, { text: "Written." });
  const edits = ["--allowed-tools", "Edit"];

  const place = await run(["-p", "--permission-mode", "plan", ...MODEL, "Plan it"], { url });
  const where = { url, cwd: place.cwd, home: place.home };
  await run(["-p", "--continue", ...edits, ...MODEL, "Do it"], where);
  expect(existsSync(join(place.cwd, "new.txt"))).toBe(false);
  await run(["-p", "--continue", "--permission-mode", "default", ...edits, ...MODEL, "Do it"], where);
  expect(existsSync(join(place.cwd, "new.txt"))).toBe(true);
});

test("a session goes on by --continue and by --resume, and is listed", async () => {
  const { url, requests } = await modelServer({ text: "One." }, { text: "Two." }, { text: "Three." });
  const first = await run(["-p", "--output-format", "json", ...MODEL, "First prompt"], { url });
  const place = { url, cwd: first.cwd, home: first.home };
  const { sessionId } = JSON.parse(first.stdout);

  const second = await run(["-p", "--continue", ...MODEL, "Second prompt"], place);
  const third = await run(["-p", "--resume", sessionId.slice(0, 8), ...MODEL, "Third prompt"], place);
  const listed = await run(["sessions"], place);

  expect([second.stdout, third.stdout]).toEqual(["Two.\n", "Three.\n"]);
  const sent = JSON.stringify(requests[2]!.body);
  for (const prompt of ["First prompt", "Second prompt", "Third prompt"]) expect(sent).toContain(prompt);
  expect(listed.stdout).toMatch(new RegExp(`^${sessionId}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  First prompt\\n$`));
});

test("a run that fails says why and how to go on, with exit code 1; so does one at its limit", async () => {
  const failing = await createFaultServer([{ status: 401, body: "{}" }]);
  onTestFinished(() => failing.close());
  const limited = await modelServer(calling("list_dir", { path: "." }), { text: "Never." });

  const failed = await run(["-p", ...MODEL, "Go"], { url: failing.url });
  const stopped = await run(["-p", "--max-turns", "1", ...MODEL, "Go"], { url: limited.url });

  expect([failed.code, stopped.code]).toEqual([1, 1]);
  expect(failed.stderr).toMatch(/the run ended as "failed": [\s\S]*loopwright --resume /);
  expect(stopped.stderr).toContain('the run ended as "max-turns"');
});

test("Ctrl+C ends the run, leaves a session that goes on, and exits with 130", async () => {
  const { url } = await modelServer(calling("bash", { command: "echo started; sleep 60" }), { text: "Went on." });
  const args = ["-p", "--output-format", "stream-json", "--allowed-tools", "Bash(echo *) Bash(sleep *)", ...MODEL];
  let isInterrupted = false;

  const first = await spawned([...args, "Wait"], {
    url,
    watch(child, stdout) {
      if (isInterrupted || !stdout.includes('"update":')) return;
      isInterrupted = true;
      child.kill("SIGINT");
    },
  });
  const second = await run(["-p", "--continue", ...MODEL, "Go on"], { url, cwd: first.cwd, home: first.home });

  expect(first.code).toBe(130);
  expect(JSON.parse(first.stdout.trimEnd().split("\n").at(-1)!)).toMatchObject({
    type: "result",
    status: "aborted",
    exitCode: 130,
  });
  expect(second).toMatchObject({ code: 0, stdout: "Went on.\n" });
});

describe("without a usable command line or a model it explains and exits with 2", () => {
  test.each([
    [["--alowed-tools", "x"], "Did you mean --allowed-tools?"],
    [["--outputFormat", "json"], "Did you mean --output-format?"],
    [["-p", "--permission-mode", "pln", "x"], "Did you mean plan?"],
    [["-p", "--max-turns", "none", "x"], "expected a whole number above 0"],
    [["-p", "--model"], "needs a value"],
    [["-p", "--continue", "--resume", "x", "y"], "give one of them"],
    [["-p", "--resume", "nothing", "--model", "ollama/x", "y"], 'There is no session "nothing"'],
    [["-p", "--dir", "not-made", "x"], /There is no directory ".*not-made"/],
    [["-p", "--model", "antropic/claude", "x"], "Did you mean anthropic/claude?"],
    [["-p", "--model", "gpt-5.1", "x"], "needs a key: set OPENAI_API_KEY"],
    [["-p", "--model", "ollama/x"], "There is no prompt"],
    [["-p", "x"], "There is no model to talk to"],
    [["sessions", "more"], 'does not take "more"'],
    [["inspect"], "There is no session of this project yet"],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await run(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
  });
});

test("a place where sessions cannot be kept is named, with what to do", async () => {
  const env = { LOOPWRIGHT_HOME: "/proc/nowhere/at-all" };

  const { code, stdout, stderr } = await run(["-p", "--model", "ollama/x", "y"], { env });

  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^loopwright: Sessions cannot be kept in "\/proc\/.+Set LOOPWRIGHT_HOME to a directory/);
});

test("a project that is not trusted is named, and --trust-project lets it count", async () => {
  const cwd = directoryWith({
    ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Write(b.txt)"] } }),
  });
  const write = calling("write_file", { path: "b.txt", content: "x" });
  const { url } = await modelServer(write, { text: "No." }, { text: "Hello." }, write, { text: "Yes." });

  const cautious = await run(["-p", "--output-format", "stream-json", ...MODEL, "Write"], { url, cwd });
  const inWords = await run(["-p", ...MODEL, "Hi"], { url, cwd });
  const trusting = await run(["-p", "--trust-project", ...MODEL, "Write"], { url, cwd });

  expect(JSON.parse(cautious.stdout.split("\n")[0]!).untrusted).toMatchObject([{ part: "settings" }]);
  expect(inWords.stderr).toMatch(/^loopwright: this project is not trusted, so its settings do not count\./);
  expect([cautious.code, trusting.code]).toEqual([3, 0]);
  expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("x");
});

test("a server that asks the user is declined, the run goes on, and the output says so", async () => {
  const server = { command: process.execPath, args: [HOSTILE, "asks for a form"] };
  const cwd = directoryWith({ ".mcp.json": JSON.stringify({ mcpServers: { dinner: server } }) });
  const { url, requests } = await modelServer(calling("mcp__dinner__echo", {}), { text: "Nobody was there." });
  const allow = ["--trust-project", "--allowed-tools", "mcp__dinner__*"];

  const { code, stdout, stderr } = await run(["-p", ...allow, ...MODEL, "Invite them"], { url, cwd });

  expect({ code, stdout }).toEqual({ code: 3, stdout: "Nobody was there.\n" });
  expect(stderr).toBe(
    "loopwright: mcp__dinner__echo asked a question that nobody could answer, so it was declined: Who comes to dinner?\n",
  );
  const { messages } = requests[1]!.body as { readonly messages: readonly { readonly content: string }[] };
  expect(messages.at(-1)?.content).toBe('{"action":"decline"}');
});

test("the demo, the help and the version need no key", async () => {
  const demo = await run(["demo"]);
  const help = await run(["--help"]);
  const version = await spawned(["--version"]);

  expect([demo.code, help.code, version.code]).toEqual([0, 0, 0]);
  expect(demo.stdout).toContain("All three tests pass");
  expect(help.stdout).toContain("--permission-mode");
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+/);
});

test("a server that settings disable is not started, and a model that they deny is not used", async () => {
  const { url, requests } = await modelServer({ text: "Hi." });
  const project = (settings: object) =>
    directoryWith({
      ".claude/settings.json": JSON.stringify(settings),
      ".mcp.json": JSON.stringify({ mcpServers: { bad: { command: "sh", args: ["-c", "touch STARTED; exit 1"] } } }),
    });
  const args = ["-p", "--trust-project", ...MODEL, "Hi"];

  const disabled = await spawned(args, { url, cwd: project({ disabledMcpjsonServers: ["bad"] }) });
  const denied = await run(args, { url, cwd: project({ deniedModels: ["gpt-5"] }) });

  expect({ code: disabled.code, isStarted: existsSync(join(disabled.cwd, "STARTED")) }).toEqual({
    code: 0,
    isStarted: false,
  });
  expect(denied.code).not.toBe(0);
  expect(denied.stderr).toMatch(/The model "gpt-5\.1" is denied by deniedModels of .*settings\.json/);
  expect(requests).toHaveLength(1);
});
