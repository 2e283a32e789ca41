import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { JsonValue } from "../../../src/contracts/json.js";
import type { BaseTool } from "../../../src/contracts/tool.js";
import type { ArtifactStore } from "../../../src/contracts/workspace.js";
import { AgentEngine } from "../../../src/engine/engine.js";
import type { Limits } from "../../../src/engine/options/limits.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { builtinTools } from "../../../src/tools/builtin-tools.js";
import { createBashTool } from "../../../src/tools/shell/bash.js";
import { createArtifactStore } from "../../../src/workspace/artifacts.js";
import { withGrowingLimit } from "../../growing-limit.js";
import { openWorkspace, temporaryDirectory } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

/** A command that waits for a file. */
const until = (file: string) => `while [ ! -e ${file} ]; do sleep 0.01; done`;

async function openBash() {
  const root = await temporaryDirectory();
  const tool = createBashTool(await openWorkspace({ root }));
  return { root, tool, run: async (command: string) => (await callTool(tool, { command })).text };
}

test("a successful command answers its output word for word", async () => {
  const { tool } = await openBash();

  const answer = await callTool(tool, { command: "printf '  a\\tb\\r\\n\\n'; printf 'é😀' >&2" });

  expect(answer.text).toBe("  a\tb\r\n\né😀");
  expect(answer.details).toEqual({ exitCode: 0, signal: null, timedOut: false, durationMs: expect.any(Number) });
});

test("a non-zero exit is not an error: the answer holds the output and the exit code", async () => {
  const { tool } = await openBash();

  const answer = await callTool(tool, { command: "echo before; exit 3" });

  expect(answer.text).toBe("before\n[Exit code 3]");
  expect(answer.details).toMatchObject({ exitCode: 3, signal: null, timedOut: false });
});

test("a command without output says so", async () => {
  const { run } = await openBash();

  expect(await run("true")).toBe("[Exit code 0, without output]");
  expect(await run("false")).toBe("[Exit code 1, without output]");
});

test("a shell that dies by a signal says which", async () => {
  const { tool } = await openBash();

  const answer = await callTool(tool, { command: "echo x; kill -9 $$" });

  expect(answer.text).toBe("x\n[Ended by SIGKILL]");
  expect(answer.details).toMatchObject({ exitCode: null, signal: "SIGKILL" });
});

test("a timeout keeps the output so far and says what happened", async () => {
  const { tool } = await openBash();

  const answer = await withGrowingLimit(
    100,
    (timeout_ms) => callTool(tool, { command: "echo so far; sleep 60", timeout_ms }),
    ({ text }) => text.startsWith("so far"),
  );

  expect(answer.text).toMatch(/^so far\n\[Timed out after [\d.]+ s: /);
  expect(answer.details).toMatchObject({ timedOut: true });
});

test.each([0, -1, 1.5, 600_001])("a timeout of %d ms is refused", async (timeout_ms) => {
  const { tool } = await openBash();

  await expect(callTool(tool, { command: "true", timeout_ms })).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
});

test("terminal control sequences are removed", async () => {
  const { run } = await openBash();
  const sequences = [
    "\\033[1;31m",
    "\\033[38:2::1:2:3m",
    "\\033]0;title\\007",
    "\\033]8;;http://x\\033\\\\",
    "\\033(B",
    "\\033[?25l",
  ];

  expect(await run(`printf 'a${sequences.join("b")}c'`)).toBe("abbbbbc");
});

test.each([
  ["a progress bar", "10%\\r20%\\r100%\\n", "100%\n"],
  ["one that is erased", "10%%\\r\\033[Kdone\\n", "done\n"],
  ["one that is not ended", "one\\n10%\\r20%\\r", "one\n20%"],
  ["line endings of Windows", "a\\r\\nb\\r\\n", "a\r\nb\r\n"],
  ["a rewritten line that ends so", "1\\r2\\r\\nb", "2\r\nb"],
  ["a spinner", "/\\b-\\b\\\\\\b|\\bok", "ok"],
  ["letters printed twice for bold", "N\\bNA\\bA", "NA"],
  ["backspaces at the start of a line", "a\\n\\b\\bb", "a\nb"],
  ["control bytes", "a\\001\\007\\016b\\177\\tc\\v\\fd\\u0085", "ab\tcd"],
  ["carriage returns alone", "\\r\\r\\n", "\r\n"],
])("of %s only the last state stays", async (_, printed, shown) => {
  const { run } = await openBash();

  expect(await run(`LC_ALL=C.UTF-8; printf '${printed.replaceAll(/(?<!%)%(?!%)/g, "%%")}'`)).toBe(shown);
});

test("the host sets how long commands may run", async () => {
  const workspace = await openWorkspace({ root: await temporaryDirectory() });
  const tool = createBashTool(workspace, { timeoutMs: 100, maxTimeoutMs: 200 });
  const schemaOf = (each: BaseTool) => JSON.stringify(each.definition().inputSchema);

  const slow = await callTool(tool, { command: "sleep 60" });

  expect(slow.text).toMatch(/^\[Timed out after 0\.1 s, without output: .* timeout_ms can be up to 200\]$/);
  await expect(callTool(tool, { command: "true", timeout_ms: 201 })).rejects.toMatchObject({
    code: "TOOL_INPUT_INVALID",
  });
  expect(tool.timeoutMs).toBe(10_200);
  expect(schemaOf(tool)).toMatch(/Default: 100; none in the background/);
  expect(schemaOf(createBashTool(workspace, { maxTimeoutMs: 5_000 }))).toMatch(/Default: 5000;.*"maximum":5000/);
  expect(schemaOf(createBashTool(workspace, { timeoutMs: 900_000 }))).toMatch(/Default: 900000;.*"maximum":900000/);
  for (const options of [{ timeoutMs: 2, maxTimeoutMs: 1 }, { timeoutMs: 0 }, { maxTimeoutMs: "1" }, { timeout: 1 }]) {
    expect(() => createBashTool(workspace, options as object)).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID" }),
    );
  }
});

test("a limit for tools that the host sets caps a tool's own time", async () => {
  const workspace = await openWorkspace({ root: await temporaryDirectory() });
  const run = async (limits: Limits) => {
    const provider = scripted([toolCall("bash", { command: "sleep 0.4; echo $((6*7))" }), text("Ok.")]);
    const permissions = { decide: () => ({ behavior: "allow" as const }) };
    const result = await new AgentEngine({ provider, tools: [createBashTool(workspace)], permissions, limits }).run(
      "go",
    );
    return JSON.stringify(result.messages());
  };

  expect(await run({})).toContain('"output":"42\\n"');
  expect(await run({ toolTimeoutMs: 50_000 })).toContain('"output":"42\\n"');
  expect(await run({ toolTimeoutMs: 50 })).toMatch(/"isError":true/);
});

test("what a command had written is kept when the engine's own limit or an abort ends it", async () => {
  const tool = createBashTool(await openWorkspace({ root: await temporaryDirectory() }));
  const engine = (limits: Limits) =>
    new AgentEngine({
      provider: scripted([]),
      tools: [tool],
      limits,
      permissions: { decide: () => ({ behavior: "allow" }) },
    });
  const call = { id: "1", name: "bash", arguments: { command: "echo before; echo ready > ready; sleep 30" } };

  const ended = await engine({ toolTimeoutMs: 1_500 }).execute(call);
  expect(ended).toMatchObject({ status: "timeout", outcome: "unknown" });
  expect(ended.output).toMatch(/check before you repeat it\.\nUntil then:\nbefore\n$/);

  const stop = new AbortController();
  setTimeout(() => stop.abort(), 1_500);
  const aborted = await engine({}).execute(call, { signal: stop.signal });
  expect(aborted).toMatchObject({ status: "aborted", outcome: "unknown" });
  expect(aborted.output).toMatch(/Until then:\nbefore\n$/);
});

test("what a command that was ended has done is not known", async () => {
  const { tool } = await openBash();
  const late = await callTool(tool, { command: "sleep 5", timeout_ms: 50 });
  const killed = await callTool(tool, { command: "kill -9 $$" });
  for (const { details } of [late, killed]) expect(details).toMatchObject({ outcome: "unknown" });
});

test("binary output does no harm", async () => {
  const { run } = await openBash();

  expect(await run("printf 'a\\0b\\xff\\xfec'")).toBe("ab\ufffd\ufffdc");
});

test("a character split between two writes arrives whole", async () => {
  const { tool } = await openBash();
  const updates: JsonValue[] = [];

  const answer = await callTool(
    tool,
    { command: "printf '\\xf0\\x9f'; sleep 0.15; printf '\\x98\\x80'" },
    { progress: (update) => void updates.push(update) },
  );

  expect(answer.text).toBe("😀");
  expect(updates.map((update) => (update as { output: string }).output).join("")).toBe("😀");
});

test("output of up to 15,000 characters is shown whole", async () => {
  const { run } = await openBash();

  expect(await run("printf 'é%.0s' {1..15000}")).toBe("é".repeat(15_000));
});

test("longer output shows the first 6,000 and the last 3,000 characters and where the whole is", async () => {
  const { tool } = await openBash();
  const whole = Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join("");

  const answer = await callTool(tool, { command: "seq 100000" });

  const { artifact } = answer.details as { artifact: string };
  expect(await readFile(artifact, "utf8")).toBe(whole);
  expect(answer.text.startsWith(`${whole.slice(0, 6_000)}\n\n[…`)).toBe(true);
  expect(answer.text.endsWith(`…]\n\n${whole.slice(-3_000)}`)).toBe(true);
  expect(answer.text).toContain(`all of it is in "${artifact}"; read it with read_file`);
});

test("without an artifact store long output is cut and says so", async () => {
  const workspace = await openWorkspace({ root: await temporaryDirectory() });
  const tool = createBashTool({ ...workspace, artifacts: undefined });

  const answer = await callTool(tool, { command: "seq 100000" });

  expect(answer.text).toContain("no artifact store");
  expect(answer.details).not.toHaveProperty("artifact");
});

test("of an output beyond 64 MiB the artifact holds head and tail", async () => {
  const { tool } = await openBash();

  const answer = await callTool(tool, { command: "echo first; yes | head -c 100M; echo last" });

  const kept = await readFile((answer.details as { artifact: string }).artifact);
  expect(kept.length).toBe(64 * 1024 * 1024);
  expect(answer.text).toContain("its first and last 32 MiB");
  expect(kept.subarray(0, 10).toString()).toBe("first\ny\ny\n");
  expect(kept.subarray(-9).toString()).toBe("y\ny\nlast\n");
  const middle = kept.subarray(kept.length / 2 - 100, kept.length / 2 + 100).toString();
  expect(middle).toMatch(/y\n+\[… 104857611 bytes in all; the middle was not kept …\]\n+y/);
  expect(answer.text.endsWith("last\n")).toBe(true);
});

test("output without a newline and without an end is cut off at the timeout", async () => {
  const { tool } = await openBash();
  const before = process.memoryUsage().rss;

  const answer = await callTool(tool, { command: "cat /dev/zero", timeout_ms: 300 });

  expect(answer.text.length).toBeLessThan(10_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});

test("`cd` lasts to the next call of the same agent only", async () => {
  const { root, tool, run } = await openBash();
  await mkdir(join(root, "sub"));

  await run("cd sub; false");

  expect(await run("pwd")).toBe(`${root}/sub\n`);
  expect((await callTool(tool, { command: "pwd" }, { transcriptId: "s2" })).text).toBe(`${root}\n`);
});

test("`cd` does not lead out of the workspace", async () => {
  const { root, run } = await openBash();
  await mkdir(join(root, "sub"));

  const left = await run("cd sub; cd /; echo x");

  expect(left).toBe(
    `x\n[The shell ended in "/", which is gone, outside the workspace or may not be entered; the next command starts in "${root}"]`,
  );
  expect(await run("pwd")).toBe(`${root}\n`);
});

test("a directory that was removed is left for the root, and the answer says so", async () => {
  const { root, run } = await openBash();
  await mkdir(join(root, "sub"));
  await run("cd sub");
  await rm(join(root, "sub"), { recursive: true });

  expect(await run("pwd")).toBe(
    `${root}\n[The directory "${root}/sub" is gone or may not be entered; this command ran in "${root}"]`,
  );
  expect(await run("pwd")).toBe(`${root}\n`);
});

test("a shell that ends in a directory it has removed says so, and one that has made it again stays there", async () => {
  const { root, run } = await openBash();
  const gone = `[The shell ended in "${root}/sub", which is gone, outside the workspace or may not be entered; the next command starts in "${root}"]`;

  expect(await run("mkdir sub; cd sub; rmdir ../sub; echo x")).toBe(`x\n${gone}`);
  expect(await run("pwd")).toBe(`${root}\n`);
  await run("mkdir sub; cd sub; rmdir ../sub; mkdir ../sub");
  expect(await run("pwd; touch made; ls ../sub")).toBe(`${root}/sub\nmade\n`);
});

test("`cd -` goes back across calls, of the same agent only", async () => {
  const { root, tool, run } = await openBash();
  await run("mkdir one two; cd one; cd ../two");

  expect(await run("cd -; cd - >/dev/null; pwd")).toBe(`${root}/one\n${root}/two\n`);
  expect(await run("cd - && echo $OLDPWD")).toBe(`${root}/one\n${root}/two\n`);
  const other = await callTool(tool, { command: "cd -" }, { transcriptId: "s2" });
  expect(other.text).toContain("OLDPWD not set");
});

test("a shell that moves fires CwdChanged, and a command that changes a file the session knows fires FileChanged", async () => {
  const root = await temporaryDirectory();
  const workspace = await openWorkspace({ root });
  const [read, bash] = builtinTools(workspace, { names: ["read_file", "bash"] });
  const notices: unknown[] = [];
  const context = { notify: (point: string, payload: unknown) => void notices.push([point, payload]) };
  await writeFile(join(root, "known.txt"), "before\n");
  await callTool(read!, { path: "known.txt" }, context);

  await callTool(bash!, { command: "mkdir sub; echo new > unknown.txt; cd sub" }, context);
  await callTool(bash!, { command: "cd .; cd /; pwd" }, context);
  await callTool(bash!, { command: "echo after > ../known.txt; cd ..; rmdir sub" }, context);

  expect(notices).toEqual([
    ["CwdChanged", { oldCwd: root, newCwd: `${root}/sub` }],
    ["CwdChanged", { oldCwd: `${root}/sub`, newCwd: root }],
    ["FileChanged", { filePath: `${root}/known.txt`, event: "change" }],
  ]);
});

test("the host's secrets are not in a command's environment, whatever they are called", async () => {
  const secrets = [
    "OPENAI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "GITHUB_TOKEN",
    "npm_config__auth",
    "MY_PASSWORD",
    "BASH_ENV",
  ];
  for (const name of secrets) process.env[name] = `secret of ${name}`;
  onTestFinished(() => {
    for (const name of secrets) delete process.env[name];
  });
  const { run } = await openBash();

  const seen = await run(
    "env; set; tr '\\0' '\\n' < /proc/$$/environ; tr '\\0' '\\n' < /proc/$PPID/cmdline; declare -p",
  );

  expect(seen).toContain("PATH=");
  expect(seen).not.toContain("secret of");
});

test("a store that streams takes an output as it comes, and one that fails costs only the artifact", async () => {
  const workspace = await openWorkspace({ root: await temporaryDirectory() });
  const artifacts: ArtifactStore = {
    ...workspace.artifacts!,
    async putStream(content) {
      for await (const _ of content) throw new Error("disk full");
      throw new Error("nothing came");
    },
  };
  const tool = createBashTool({ ...workspace, artifacts });

  const answer = await callTool(tool, { command: "seq 2000000" });

  expect(answer.text).toContain("it could not be kept: disk full");
  expect(answer.text.endsWith("1999999\n2000000\n")).toBe(true);
});

test("a store that cannot be streamed to gets head and tail at the end", async () => {
  const workspace = await openWorkspace({ root: await temporaryDirectory() });
  const { putStream: _, ...artifacts } = workspace.artifacts!;
  const tool = createBashTool({ ...workspace, artifacts });

  const answer = await callTool(tool, { command: "seq 1000000" });

  const whole = Array.from({ length: 1_000_000 }, (_, i) => `${i + 1}\n`).join("");
  expect(await readFile((answer.details as { artifact: string }).artifact, "utf8")).toBe(whole);
});

test("an output that is aborted leaves no artifact and no temporary file", async () => {
  const root = await temporaryDirectory();
  const artifacts = createArtifactStore({ dir: join(root, "kept") });
  const tool = createBashTool(await openWorkspace({ root, artifacts }));
  const controller = new AbortController();
  let updates = 0;

  const running = callTool(
    tool,
    { command: "yes" },
    { signal: controller.signal, progress: () => ++updates > 2 && controller.abort(new Error("enough")) },
  );

  await expect(running).rejects.toThrow("enough");
  expect(await readdir(join(root, "kept"))).toEqual([]);
});

test("ending the session forgets where its shells stood", async () => {
  const { root, tool, run } = await openBash();
  await mkdir(join(root, "sub"));
  await run("cd sub");

  await tool.endSession?.("session-1");

  expect(await run("pwd")).toBe(`${root}\n`);
});

test("progress tells the output as it comes, bounded", async () => {
  const { root, tool } = await openBash();
  const updates: { output: string; omittedBytes?: number }[] = [];

  // The command goes on once its output has been reported.
  await callTool(
    tool,
    { command: `echo one; ${until("seen-1")}; echo two; ${until("seen-2")}; yes | head -c 5M` },
    {
      progress(update) {
        updates.push(update as { output: string });
        if (updates.length <= 2) void writeFile(join(root, `seen-${updates.length}`), "");
      },
    },
  );

  expect(updates[0]).toEqual({ output: "one\n" });
  expect(updates[1]).toEqual({ output: "two\n" });
  expect(Math.max(...updates.map(({ output }) => output.length))).toBeLessThanOrEqual(8_192);
  const told = updates.reduce((sum, { output, omittedBytes = 0 }) => sum + output.length + omittedBytes, 0);
  expect(told).toBe(8 + 5 * 1024 * 1024);
});

test("an aborted call rejects with the signal's reason", async () => {
  const { tool } = await openBash();
  const reason = new Error("enough");
  const running = new AbortController();

  const early = callTool(tool, { command: "true" }, { signal: AbortSignal.abort(reason) });
  await expect(early).rejects.toBe(reason);

  const late = callTool(
    tool,
    { command: "echo started; sleep 60" },
    { signal: running.signal, progress: () => running.abort(reason) },
  );
  await expect(late).rejects.toBe(reason);
});

test("a command is exclusive unless it is known to read only", () => {
  const workspace = { root: "/" } as never;

  const cautious = createBashTool(workspace);
  const informed = createBashTool(workspace, { isReadOnlyCommand: (command) => command === "ls" });

  expect(cautious.claims?.({ command: "ls", timeout_ms: 1 })).toEqual([{ mode: "write", key: "*" }]);
  expect(informed.claims?.({ command: "ls", timeout_ms: 1 })).toEqual([{ mode: "read", key: "*" }]);
  expect(informed.claims?.({ command: "rm x", timeout_ms: 1 })).toEqual([{ mode: "write", key: "*" }]);
});

test("a command that begins with a dash is a command and no option of the shell", async () => {
  const { run } = await openBash();

  expect(await run("-x; echo $-")).toMatch(/-x: command not found\nhBc\n$/);
});

test("a command with a NUL character is refused before anything runs", async () => {
  const { tool } = await openBash();

  await expect(callTool(tool, { command: "echo a\0b" })).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
});

test("a directory the shell can no longer enter is left for the root", async () => {
  const { root, run } = await openBash();

  await run("mkdir shut; cd shut; chmod 000 .");
  const next = await run("pwd");

  // A superuser may enter any directory.
  const mayEnter = process.getuid?.() === 0;
  expect(next.split("\n")[0]).toBe(mayEnter ? `${root}/shut` : root);
  await chmod(join(root, "shut"), 0o700);
});

test("with separateStreams the details have both streams apart, and the answer has all of it", async () => {
  const root = await temporaryDirectory();
  const tool = createBashTool(await openWorkspace({ root }), { separateStreams: true });
  const run = async (command: string) => callTool(tool, { command });
  let told = 0;

  const both = await callTool(
    tool,
    { command: `echo out; ${until("seen-1")}; echo err >&2; ${until("seen-2")}; echo more; exit 3` },
    { progress: () => writeFile(join(root, `seen-${++told}`), "") },
  );
  const reopened = await run("echo one > /dev/stderr; echo two | tee /dev/stderr");
  const long = await run("seq 1 20000 >&2; echo short");
  const cut = await withGrowingLimit(
    300,
    (timeout_ms) => callTool(tool, { command: "echo out; echo err >&2; sleep 60", timeout_ms }),
    ({ details }) => (details as { stderr?: string }).stderr === "err\n",
  );

  expect(both.text).toBe("out\nerr\nmore\n[Exit code 3]");
  expect(both.details).toMatchObject({ exitCode: 3, stdout: "out\nmore\n", stderr: "err\n" });
  expect(reopened.details).toMatchObject({ stdout: "two\n", stderr: "one\ntwo\n" });
  expect(long.details).toMatchObject({ stdout: "short\n", stderr: expect.stringContaining("left out") });
  expect(JSON.stringify(long.details).length).toBeLessThan(20_000);
  expect(cut.details).toMatchObject({ timedOut: true, stdout: "out\n", stderr: "err\n" });
});
