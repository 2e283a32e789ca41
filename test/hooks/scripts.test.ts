// Hook scripts as users of Claude Code write them, in bash and Node, run through settings.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text, toolCall } from "loopwright/providers/scripted";
import { expect, test } from "vitest";
import { ourInput } from "../../src/hooks/dialect.js";
import { load, onEvent, play, project } from "./kit.js";

/** A Node script that reads the event into `event`. */
const node = (body: string) => `#!/usr/bin/env node
let json = "";
for await (const chunk of process.stdin) json += chunk;
const event = JSON.parse(json);
${body}
`;

test("a formatter runs after each edit and gets the file's absolute path", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PostToolUse", '"$CLAUDE_PROJECT_DIR"/.claude/format.mjs', {
      matcher: "Edit|Write",
    }),
    ".claude/format.mjs": node(`
      import fs from "node:fs";
      const file = event.tool_input.file_path;
      fs.writeFileSync(file, fs.readFileSync(file, "utf8").toUpperCase());`),
    "a.txt": "one\n",
  });

  await play(dir, [
    toolCall("edit_file", { path: "a.txt", old_text: "one", new_text: "two" }),
    toolCall("write_file", { path: "b.txt", content: "three\n" }),
    toolCall("read_file", { path: "a.txt" }),
    text("done"),
  ]);

  expect(await readFile(join(dir, "a.txt"), "utf8")).toBe("TWO\n");
  expect(await readFile(join(dir, "b.txt"), "utf8")).toBe("THREE\n");
});

test("a blocker that exits with 2 stops the command, and its words reach the model", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", ".claude/guard.sh", { matcher: "Bash" }),
    ".claude/guard.sh": `#!/bin/bash
input=$(cat)
if echo "$input" | grep -q '"command":"rm '; then
  echo "Do not remove files here." >&2
  exit 2
fi
`,
    "keep.txt": "kept",
  });

  const { provider } = await play(dir, [
    toolCall("bash", { command: "rm keep.txt" }),
    toolCall("bash", { command: "echo fine" }),
    text("done"),
  ]);

  expect(existsSync(join(dir, "keep.txt"))).toBe(true);
  expect(provider.requests[1]?.lastToolResult).toMatchObject({ isError: true, output: "Do not remove files here." });
  expect(provider.requests[2]?.lastToolResult).toMatchObject({ isError: false, output: "fine\n" });
});

test("what a prompt hook prints is told to the model", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("UserPromptSubmit", "echo 'The build is red.'"),
  });

  const { provider } = await play(dir, [text("I see")]);

  expect(JSON.stringify(provider.requests[0]?.messages)).toContain("The build is red.");
});

test("a prompt hook that exits with 2 refuses the prompt", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("UserPromptSubmit", "echo 'No secrets, please.' >&2; exit 2"),
  });

  const { result, provider } = await play(dir, []);

  expect(result.status).toBe("hook-stopped");
  expect(provider.requests).toEqual([]);
});

test("a logger reads Claude Code's names of tools and fields", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", "cat >> log.jsonl"),
    "a.txt": "one two\n",
  });

  await play(dir, [
    toolCall("read_file", { path: "a.txt", limit: 5 }),
    toolCall("edit_file", { path: "a.txt", edits: [{ old_text: "one", new_text: "1" }] }),
    toolCall("bash", { command: "true", timeout_ms: 1000 }),
    toolCall("grep", { pattern: "one", path: "." }),
    text("done"),
  ]);

  const lines = (await readFile(join(dir, "log.jsonl"), "utf8")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line)).map(({ tool_name, tool_input }) => ({ tool_name, tool_input }))).toEqual(
    [
      { tool_name: "Read", tool_input: { file_path: join(dir, "a.txt"), limit: 5 } },
      {
        tool_name: "Edit",
        tool_input: {
          file_path: join(dir, "a.txt"),
          edits: [{ old_string: "one", new_string: "1" }],
          old_string: "one",
          new_string: "1",
        },
      },
      { tool_name: "Bash", tool_input: { command: "true", timeout: 1000 } },
      { tool_name: "Grep", tool_input: { pattern: "one", path: dir } },
    ],
  );
  expect(JSON.parse(lines[0]!)).toEqual({
    session_id: expect.any(String),
    transcript_path: "",
    cwd: dir,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Read",
    tool_input: expect.anything(),
    tool_use_id: "call_1",
  });
});

test("a stop gate keeps the agent at work until its check passes", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("Stop", "[ -f tested ] || { echo 'Run the tests first.' >&2; exit 2; }"),
  });

  const { result, provider } = await play(dir, [
    text("I am done."),
    toolCall("bash", { command: "touch tested" }),
    text("Tested."),
  ]);

  expect(result).toMatchObject({ status: "completed", text: "Tested." });
  expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain("Run the tests first.");
});

test("an updated input comes back under our field names", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", "node rewrite.mjs", { matcher: "Write" }),
    "rewrite.mjs": node(`
      const { file_path } = event.tool_input;
      console.log(JSON.stringify({ hookSpecificOutput: {
        hookEventName: "PreToolUse", permissionDecision: "allow",
        updatedInput: { file_path: file_path.replace("wrong", "right"), content: "by the hook" },
      } }));`),
  });

  await play(dir, [toolCall("write_file", { path: "wrong.txt", content: "by the model" }), text("done")]);

  expect(existsSync(join(dir, "wrong.txt"))).toBe(false);
  expect(await readFile(join(dir, "right.txt"), "utf8")).toBe("by the hook");
});

test("a JSON answer denies, tells the model, speaks to the host and stops the run", async () => {
  const dir = await project({
    ".claude/settings.json": {
      hooks: {
        PreToolUse: [
          {
            matcher: "Glob",
            hooks: [
              {
                type: "command",
                command: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Not now."}}'`,
              },
            ],
          },
        ],
        PostToolUse: [
          {
            matcher: "Read",
            hooks: [
              {
                type: "command",
                command: `echo '{"systemMessage":"seen","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"It is old.","updatedToolOutput":"redacted"}}'`,
              },
            ],
          },
        ],
        PostToolBatch: [
          {
            hooks: [
              { type: "command", command: `grep -q a.txt && echo '{"continue":false,"stopReason":"Enough."}' || true` },
            ],
          },
        ],
      },
    },
    "a.txt": "secret",
  });

  const { result, events, provider } = await play(dir, [
    toolCall("glob", { pattern: "*" }),
    toolCall("read_file", { path: "a.txt" }),
  ]);

  expect(provider.requests[1]?.lastToolResult).toMatchObject({ isError: true, output: "Not now." });
  expect(result.status).toBe("hook-stopped");
  const told = JSON.stringify(result.messages());
  expect(told).toContain("redacted");
  expect(told).not.toContain("secret");
  expect(told).toContain("It is old.");
  expect(events).toContainEqual(expect.objectContaining({ type: "notice", code: "HOOK_MESSAGE", message: "seen" }));
});

test.each([
  ["exit 1"],
  ["exit 127"],
  ["kill -9 $$"],
  ["echo '{broken'"],
  [`echo '{"hookSpecificOutput":{"hookEventName":"Stop"}}'`],
  [`echo '{"decision":7}'`],
  ["exec /no/such/program"],
] as const)(
  "a hook that fails with `%s` lets the call go on and is told of, unless its onFailure blocks",
  async (command) => {
    const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", command) });
    const strict = await project({ ".claude/settings.json": onEvent("PreToolUse", command, { onFailure: "block" }) });
    const turns = () => [toolCall("bash", { command: "echo ran" }), text("done")];

    const open = await play(dir, turns());
    const shut = await play(strict, turns());

    expect(open.provider.requests[1]?.lastToolResult).toMatchObject({ isError: false, output: "ran\n" });
    expect(open.events).toContainEqual(expect.objectContaining({ type: "notice", code: "HOOK_FAILED" }));
    expect(shut.provider.requests[1]?.lastToolResult).toMatchObject({ isError: true });
  },
);

test.each([
  ["Bash", ["bash"]],
  ["bash", ["bash"]],
  ["Edit|Write", ["edit_file", "write_file"]],
  ["MultiEdit", ["edit_file"]],
  ["Edit|MultiEdit|Write", ["edit_file", "write_file"]],
  ["read_file", ["read_file"]],
  ["Re.*", ["read_file"]],
  ["^(Read|Glob)$", ["glob", "read_file"]],
  ["*", ["bash", "edit_file", "glob", "read_file", "write_file"]],
  ["", ["bash", "edit_file", "glob", "read_file", "write_file"]],
  ["mcp__.*", []],
  ["bas", []],
])("the matcher %j is for %j", async (matcher, tools) => {
  const dir = await project({
    ".claude/settings.json": onEvent(
      "PreToolUse",
      `node -e '
      let json = ""; process.stdin.on("data", (chunk) => json += chunk).on("end", () =>
        require("fs").appendFileSync("log", JSON.parse(json).tool_use_id + " "));'`,
      { matcher },
    ),
    "a.txt": "a",
  });
  const calls = [
    toolCall("bash", { command: "true" }),
    toolCall("edit_file", { path: "a.txt", old_text: "a", new_text: "b" }),
    toolCall("glob", { pattern: "*.txt" }),
    toolCall("read_file", { path: "a.txt" }),
    toolCall("write_file", { path: "b.txt", content: "b" }),
  ];

  await play(dir, [calls, text("done")]);

  const log = existsSync(join(dir, "log")) ? await readFile(join(dir, "log"), "utf8") : "";
  const names = ["bash", "edit_file", "glob", "read_file", "write_file"];
  const seen = log
    .trim()
    .split(" ")
    .filter(Boolean)
    .map((id) => names[Number(id.replace("call_", "")) - 1]);
  expect(seen.sort()).toEqual(tools);
});

test("hooks of several files run together, the same one once", async () => {
  const shared = onEvent("Stop", "echo shared >> log");
  const home = await project({ ".claude/settings.json": shared });
  const dir = await project({
    ".claude/settings.json": shared,
    ".claude/settings.local.json": onEvent("Stop", "echo local >> log"),
  });

  await play(dir, [text("done")], { settings: await load(dir, { home }) });

  expect((await readFile(join(dir, "log"), "utf8")).trim().split("\n").sort()).toEqual(["local", "shared"]);
});

test("a hook that is asked to run once runs once in each session", async () => {
  const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", "echo x >> log", { once: true }) });

  await play(dir, [toolCall("bash", { command: "true" }), toolCall("bash", { command: "true" }), text("done")]);

  expect(await readFile(join(dir, "log"), "utf8")).toBe("x\n");
});

test("once counts from the first call that the hook is for", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", "echo x >> log", {
      once: true,
      matcher: "Bash",
      if: "Bash(echo *)",
    }),
  });

  await play(dir, [
    toolCall("glob", { pattern: "*" }),
    toolCall("bash", { command: "true" }),
    toolCall("bash", { command: "echo 1" }),
    toolCall("bash", { command: "echo 2" }),
    text("done"),
  ]);

  expect(await readFile(join(dir, "log"), "utf8")).toBe("x\n");
});

test("an output that a hook changed in the shape it was given comes back as text", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PostToolUse", "node mask.mjs"),
    "mask.mjs": node(`
      const mask = (text) => text.replaceAll("s3cret", "***");
      const response = event.tool_response;
      if (event.tool_name === "Bash") response.stdout = mask(response.stdout);
      if (event.tool_name === "Read") response.file.content = mask(response.file.content);
      console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: response } }));`),
    "a.txt": "s3cret",
  });

  const { provider } = await play(dir, [
    toolCall("bash", { command: "cat a.txt" }),
    toolCall("read_file", { path: "a.txt" }),
    text("done"),
  ]);

  expect(provider.requests[1]?.lastToolResult?.output).toBe("***");
  expect(provider.requests[2]?.lastToolResult?.output).toMatch(/\*\*\*$/);
});

test("a guard of one edit's texts sees those of a list of edits, and may change the list", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", "node guard.mjs", { matcher: "Edit" }),
    "guard.mjs": node(`
      if (event.tool_input.new_string.includes("eval(")) { console.error("No eval."); process.exit(2); }
      const edits = event.tool_input.edits.map((edit) => ({ ...edit, new_string: edit.new_string + "!" }));
      const updatedInput = { ...event.tool_input, edits };
      console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } }));`),
    "a.txt": "one two\n",
  });
  const edit = (old_text: string, new_text: string) => ({ old_text, new_text });

  const { provider } = await play(dir, [
    toolCall("read_file", { path: "a.txt" }),
    toolCall("edit_file", { path: "a.txt", edits: [edit("one", "1"), edit("two", "eval(2)")] }),
    toolCall("edit_file", { path: "a.txt", edits: [edit("one", "1"), edit("two", "2")] }),
    text("done"),
  ]);

  expect(provider.requests[2]?.lastToolResult).toMatchObject({ isError: true, output: "No eval." });
  expect(await readFile(join(dir, "a.txt"), "utf8")).toBe("1! 2!\n");
});

test("fields named like an object's own methods stay as they are", () => {
  const input = JSON.parse('{"constructor": 1, "__proto__": {"x": 2}, "toString": 3, "file_path": "/a"}');

  expect(JSON.stringify(ourInput("read_file", input))).toBe(
    '{"constructor":1,"__proto__":{"x":2},"toString":3,"path":"/a"}',
  );
});

test("a command with args is started without a shell", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("Stop", "node", {
      args: ["-e", 'require("fs").writeFileSync("log", process.argv[1])', `\${CLAUDE_PROJECT_DIR}/$(touch pwned)`],
    }),
  });

  await play(dir, [text("done")]);

  expect(await readFile(join(dir, "log"), "utf8")).toBe(`${dir}/$(touch pwned)`);
  expect(existsSync(join(dir, "pwned"))).toBe(false);
});

test("neither paths nor prompts become part of a command", async () => {
  const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", "cat > /dev/null") });

  await play(dir, [
    toolCall("write_file", { path: "$(touch pwned)", content: "`touch pwned`; touch pwned\n'\"" }),
    toolCall("read_file", { path: "x'; touch pwned; '" }),
    text("done"),
  ]);

  expect(existsSync(join(dir, "pwned"))).toBe(false);
  expect(existsSync(join(dir, "$(touch pwned)"))).toBe(true);
});

test("a hook sees what the host names and its own folder, and none of the host's secrets", async () => {
  process.env.HOOKS_TEST_SECRET = "s3cret";
  const dir = await project({
    ".claude/settings.json": { ...onEvent("Stop", "env > log"), env: { FROM_FILE: "yes" } },
  });

  await play(dir, [text("done")], { settings: await load(dir, { env: { FROM_HOST: "yes" } }) });
  delete process.env.HOOKS_TEST_SECRET;

  const seen = await readFile(join(dir, "log"), "utf8");
  expect(seen).toContain(`CLAUDE_PROJECT_DIR=${dir}\n`);
  expect(seen).toContain("FROM_FILE=yes");
  expect(seen).toContain("FROM_HOST=yes");
  expect(seen).not.toContain("s3cret");
});
