// Handlers of type agent and mcp_tool, watched settings, exit codes and streams.
import { appendFileSync, readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool } from "loopwright";
import { agentHook, type McpToolCaller, mcpToolHook, type SettingsChange } from "loopwright/hooks";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { expect, test, vi } from "vitest";
import { load, onEvent, play, project } from "./kit.js";

const guarded = (handler: object) => ({
  ".claude/settings.json": { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [handler] }] } },
});

test("an agent handler looks into the matter with the tools it is given, and its no blocks", async () => {
  const dir = await project(guarded({ type: "agent", prompt: "Is the tree clean? $ARGUMENTS", timeout: 20 }));
  const looked: string[] = [];
  const look = defineTool({
    name: "look",
    description: "Looks.",
    permission: "read_only",
    execute: async () => {
      looked.push("look");
      return "3 files changed";
    },
  });
  const wreck = defineTool({
    name: "wreck",
    description: "Wrecks.",
    permission: "execute",
    execute: async () => "gone",
  });
  const judge = scripted([toolCall("look"), text('{"ok": false, "reason": "Commit first."}')]);
  const settings = await load(dir, { provider: judge, tools: [look, wreck] });

  const { provider } = await play(dir, [toolCall("bash", { command: "git pull" }), text("done")], { settings });

  expect(looked).toEqual(["look"]);
  expect(judge.requests[0]?.tools.map(({ name }) => name)).toEqual(["look"]);
  expect(provider.requests[1]?.lastToolResult).toMatchObject({ output: "Commit first.", isError: true });
});

const from = (path: string) => `\${${path}}`;

test("an mcp_tool handler calls the host's tool with values of the event, and its JSON is read like a command's", async () => {
  const handler = {
    type: "mcp_tool",
    server: "policy",
    tool: "check",
    input: {
      line: from("tool_input.command"),
      about: `run ${from("tool_input.command")} as ${from("tool_name")}`,
      all: from("tool_input"),
      no: from("a.b"),
    },
  };
  const dir = await project(guarded(handler));
  const calls: unknown[] = [];
  const callTool: McpToolCaller = async (call) => {
    calls.push(call);
    return '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "Not today."}}';
  };
  const settings = await load(dir, { callTool });

  const { provider } = await play(dir, [toolCall("bash", { command: "ls" }), text("done")], { settings });

  expect(calls).toEqual([
    {
      server: "policy",
      tool: "check",
      input: { line: "ls", about: "run ls as Bash", all: { command: "ls" }, no: "" },
    },
  ]);
  expect(provider.requests[1]?.lastToolResult).toMatchObject({ output: "Not today.", isError: true });
});

test.each([
  ["fails", () => Promise.reject(new Error("secret key 12345"))],
  ["answers with broken JSON", async () => "{"],
])("a call that an mcp_tool handler guards does not run when the tool %s", async (_what, callTool) => {
  const dir = await project(guarded({ type: "mcp_tool", server: "policy", tool: "check" }));

  const { provider } = await play(dir, [toolCall("bash", { command: "echo ran" }), text("done")], {
    settings: await load(dir, { callTool }),
  });

  expect(provider.requests[1]?.lastToolResult).toMatchObject({ isError: true });
  expect(JSON.stringify(provider.requests)).not.toContain("12345");
});

test("hooks of both kinds refuse options they do not know", () => {
  const about = { dir: "/", provider: scripted([]), prompt: "Fine?" };
  expect(() => agentHook({ ...about, tool: [] } as never)).toThrow('Did you mean "tools"?');
  expect(() => mcpToolHook({ dir: "/", server: "s", tool: "t", calTool: 1 } as never)).toThrow("callTool");
});

test("a command that fails fires PostToolUseFailure with its exit code, one that succeeds PostToolUse", async () => {
  const log = (event: string) => onEvent(event, `cat >> ${event}.jsonl`) as { hooks: object };
  const dir = await project({
    ".claude/settings.json": { hooks: { ...log("PostToolUse").hooks, ...log("PostToolUseFailure").hooks } },
  });

  await play(dir, [
    toolCall("bash", { command: "echo out; echo err >&2; exit 3" }),
    toolCall("bash", { command: "echo fine" }),
    text("done"),
  ]);

  const { readFile } = await import("node:fs/promises");
  const [failed] = (await readFile(join(dir, "PostToolUseFailure.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [succeeded] = (await readFile(join(dir, "PostToolUse.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(failed).toMatchObject({
    tool_name: "Bash",
    exit_code: 3,
    is_interrupt: false,
    error: expect.stringMatching(/^Exit code 3\n[\s\S]*out/),
  });
  expect(succeeded).toMatchObject({ tool_name: "Bash", tool_response: { interrupted: false, stderr: "" } });
  expect(succeeded.tool_response.stdout).toBe("fine\n");
});

test("the streams of a tool that keeps them apart are apart in the response", async () => {
  const { toWire } = await import("../../src/hooks/hook-input-json.js");
  const input = {
    hookEventName: "PostToolUse",
    sessionId: "s",
    runId: "r",
    agentPath: [],
    toolName: "bash",
    toolInput: { command: "x" },
    toolUseId: "c",
    toolResponse: "out\nerr\n",
    toolDetails: { stdout: "out\n", stderr: "err\n", exitCode: 0, timedOut: true },
    durationMs: 1,
  } as const;

  expect(toWire(input, { dir: "/" })).toMatchObject({
    tool_response: { stdout: "out\n", stderr: "err\n", interrupted: true, isImage: false },
  });
  expect(toWire(input, { dir: "/" })).not.toHaveProperty("tool_details");
});

test("responses of files have the shapes of the public types", async () => {
  const { theirResponse } = await import("../../src/hooks/dialect.js");
  const read = "3\tlet a;\n4\tlet b;\n\n[Lines 3-4 of 1,204. Continue with offset=5.]";

  expect(
    theirResponse("read_file", { input: { path: "a.ts", offset: 3 }, output: read, details: undefined, root: "/p" }),
  ).toEqual({
    type: "text",
    file: { filePath: "/p/a.ts", content: "let a;\nlet b;", numLines: 2, startLine: 3, totalLines: 1204 },
  });
  const edit = { path: "a.ts", old_text: "x", new_text: "y" };
  expect(theirResponse("edit_file", { input: edit, output: "Edited.", details: undefined, root: "/p" })).toMatchObject({
    filePath: "/p/a.ts",
    oldString: "x",
    newString: "y",
    replaceAll: false,
    userModified: false,
  });
  expect(
    theirResponse("glob", {
      input: {},
      output: "a.ts\nb.ts\n[The newest 2 of 9 files. Use a narrower pattern]",
      details: undefined,
      root: "/p",
    }),
  ).toEqual({
    filenames: ["a.ts", "b.ts"],
    numFiles: 2,
    truncated: true,
  });
});

test.each([
  ['{"reason": "Use npm ci."}', "Use npm ci."],
  ['{"hookSpecificOutput": {"permissionDecisionReason": "Use npm ci."}}', "Use npm ci."],
  ["not JSON", "A PreToolUse hook blocked this without saying why."],
])("a hook that ends with 2 and prints %s blocks, and the model reads why", async (printed, reason) => {
  const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", `printf '%s' '${printed}'; exit 2`) });

  const { provider } = await play(dir, [toolCall("bash", { command: "npm i" }), text("done")]);

  expect(provider.requests[1]?.lastToolResult?.output).toBe(reason);
});

test("a watched settings file that changes, appears or is replaced runs ConfigChange and is reported once", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("ConfigChange", "cat >> changes.jsonl; echo no >&2; exit 2"),
  });
  const settings = await load(dir);
  const changes: SettingsChange[] = [];
  let heard: () => void = () => {};
  const next = () => new Promise<void>((resolve) => (heard = resolve));
  const watch = settings.watch({
    intervalMs: 10,
    sessionId: "s1",
    onChange(change) {
      changes.push(change);
      heard();
    },
  });

  let change = next();
  await writeFile(join(dir, ".claude/settings.local.json"), "{}");
  await change;
  change = next();
  await writeFile(join(dir, "new.json"), '{"permissions": {}}');
  await rename(join(dir, "new.json"), join(dir, ".claude/settings.json"));
  await change;
  await watch.close();
  await writeFile(join(dir, ".claude/settings.json"), '{"permissions": {"deny": []}}');
  await settings.close();

  expect(changes).toMatchObject([
    { source: "local", blocked: true, reason: "no" },
    { source: "project", blocked: true, reason: "no" },
  ]);
  const { readFile } = await import("node:fs/promises");
  const [first] = (await readFile(join(dir, "changes.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({
    hook_event_name: "ConfigChange",
    session_id: "s1",
    source: "local_settings",
    file_path: join(dir, ".claude/settings.local.json"),
  });
});

test("a watched settings file that is written in pieces is reported when it is whole", async () => {
  const dir = await project({});
  const file = join(dir, ".claude/settings.json");
  await mkdir(join(dir, ".claude"), { recursive: true });
  const whole = JSON.stringify({ permissions: { allow: Array.from({ length: 40 }, (_, i) => `Bash(npm run s${i})`) } });
  const seen: string[] = [];
  const settings = await load(dir);
  const watch = settings.watch({ intervalMs: 100, onChange: () => seen.push(readFileSync(file, "utf8")) });

  for (let at = 0; at < whole.length; at += 20) {
    appendFileSync(file, whole.slice(at, at + 20));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await vi.waitUntil(() => seen.length > 0, 240_000);
  await watch.close();
  await settings.close();

  expect(seen).toEqual([whole]);
});

test("the command of WorktreeCreate prints the path of the tree", async () => {
  const { answerOf } = await import("../../src/hooks/hook-output.js");
  const outcome = { exitCode: 0, signal: null, stdout: "Preparing\n/trees/one\n", stderr: "" };

  expect(answerOf(outcome, { point: "WorktreeCreate" })).toEqual({ worktreePath: "/trees/one" });
});
