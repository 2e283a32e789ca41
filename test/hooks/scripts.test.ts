// Hook scripts as users of Claude Code write them, in bash and Node, run through settings.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BaseTool } from "loopwright";
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

test("what a prompt hook prints is asked to the model", async () => {
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
    prompt_id: expect.any(String),
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

test.each([["exit 1"], ["exit 127"], ["kill -9 $$"], ["exec /no/such/program"]] as const)(
  "a hook that fails with `%s` lets the call go on and is notified of, unless its onFailure blocks",
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
  ["Edit, Write", ["edit_file", "write_file"]],
  ["read_file", ["read_file"]],
  ["Re.*", ["read_file"]],
  ["^(Read|Glob)$", ["glob", "read_file"]],
  ["*", ["bash", "edit_file", "glob", "read_file", "write_file"]],
  ["", ["bash", "edit_file", "glob", "read_file", "write_file"]],
  ["mcp__.*", []],
  ["bas", []],
])("the matcher %j is for %j", async (matcher, tools) => {
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", `printf '%s\\n' "$(cat)" >> log`, { matcher }),
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
    .split("\n")
    .filter(Boolean)
    .map((line) => names[Number(JSON.parse(line).tool_use_id.replace("call_", "")) - 1]);
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

test("the same handler under several matchers runs once for an event that more than one of them is for", async () => {
  const handler = { type: "command", command: "echo formatted >> log" };
  const groups = ["Edit|Write", "Write", "Read"].map((matcher) => ({ matcher, hooks: [handler] }));
  const dir = await project({ ".claude/settings.json": { hooks: { PostToolUse: groups } } });

  await play(dir, [
    toolCall("write_file", { path: "a", content: "a" }),
    toolCall("read_file", { path: "a" }),
    toolCall("glob", { pattern: "*" }),
    text("done"),
  ]);

  expect(await readFile(join(dir, "log"), "utf8")).toBe("formatted\nformatted\n");
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

test("a hook sees what the host names and its own directory, and none of the host's secrets", async () => {
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

test.each([
  ["fails", "echo 'token s3cret-in-stderr' >&2; exit 3", 30, "the command ended with exit code 3"],
  ["is too late", "echo s3cret-in-stderr >&2; sleep 1000", 0.3, "the command did not end within 300 ms"],
  ["cannot be started", "echo '\u0000'", 30, "could not be started in"],
  ["answers broken JSON", "echo '{\"s3cret-in-stdout\": }'", 30, "the output is not valid JSON"],
])(
  "of a hook that %s the model reads neither command line nor output, and the host where it stands",
  async (_what, command, timeout, why) => {
    const dir = await project({
      ".claude/settings.json": onEvent("PreToolUse", `: s3cret-in-command; ${command}`, {
        timeout,
        onFailure: "block",
      }),
    });

    const { result, events } = await play(dir, [toolCall("bash", { command: "true" }), text("done")]);

    const [failure] = events.flatMap((event) =>
      event.type === "notice" && event.code === "HOOK_FAILED" ? event.message : [],
    );
    expect(failure).toContain(why);
    expect(failure).toContain(`(hooks.PreToolUse[0].hooks[0] of ${join(dir, ".claude/settings.json")})`);
    expect(failure).not.toContain("s3cret-in-command");
    expect(JSON.stringify(result.messages())).toContain(why);
    expect(JSON.stringify(result.messages())).not.toContain("s3cret");
  },
);

test("a call is not run when its PreToolUse hook ends the run", async () => {
  const answer = `echo '{"continue":false,"stopReason":"The budget is spent."}'`;
  const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", answer, { matcher: "Bash" }) });

  const { result, events } = await play(dir, [toolCall("bash", { command: "touch ran" })]);

  expect(result.status).toBe("hook-stopped");
  expect(existsSync(join(dir, "ran"))).toBe(false);
  const outcome = { point: "PreToolUse", outcome: "blocked", reason: "The budget is spent." };
  expect(events).toContainEqual(expect.objectContaining(outcome));
  expect(JSON.stringify(result.messages())).toContain("The budget is spent.");
});

test("what blocks after a batch of calls tells the model why", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PostToolBatch", "echo 'The build is red.' >&2; exit 2"),
  });

  const { provider } = await play(dir, [toolCall("bash", { command: "true" }), text("done")]);

  expect(provider.requests[1]!.lastUserText).toBe("The build is red.");
});

test.each([
  ["context", "UserPromptSubmit", "seq 1 100000"],
  [
    "context as JSON",
    "SessionStart",
    `node -e 'console.log(JSON.stringify({hookSpecificOutput:{additionalContext:"1\\n".repeat(50000) + "100000"}}))'`,
  ],
  ["a reason", "PostToolUse", "seq 1 100000 >&2; exit 2"],
])("of a flood of %s the model reads beginning and end", async (_what, event, command) => {
  const dir = await project({ ".claude/settings.json": onEvent(event, command) });

  const { provider } = await play(dir, [toolCall("bash", { command: "true" }), text("done")]);

  const told = JSON.stringify(provider.requests.at(-1)!.messages);
  expect(told.length).toBeLessThan(20_000);
  expect(told).toMatch(/1\\n.* characters left out\).*100000/);
});

test.each(["", "x"])("of a flood no half character reaches the model, after %j", async (lead) => {
  const command = `node -e 'process.stdout.write("${lead}" + "😀".repeat(9000))'`;
  const dir = await project({ ".claude/settings.json": onEvent("UserPromptSubmit", command) });

  const { provider } = await play(dir, [text("done")]);

  const [message] = provider.requests[0]!.messages.filter(
    ({ role, content }) => role === "user" && content.length > 0,
  ).slice(-1);
  const told = (message!.content[0] as { text: string }).text;
  expect(told).toContain("characters left out");
  expect(told).not.toMatch(/\p{Surrogate}/u);
});

test("a hook's ask is asked, also when the gate allows everything", async () => {
  const answer = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Look first."}}'`;
  const dir = await project({ ".claude/settings.json": onEvent("PreToolUse", answer) });

  const { result } = await play(dir, [toolCall("bash", { command: "touch ran" })]);

  expect(result.pending).toMatchObject([{ tool: "bash", reason: "Look first." }]);
  expect(existsSync(join(dir, "ran"))).toBe(false);
});

test("what a Stop hook tells the model is reported in one more turn", async () => {
  const answer = (context: string) =>
    `{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"${context}"}}`;
  const dir = await project({
    ".claude/settings.json": onEvent(
      "Stop",
      `grep -q '"stop_hook_active":true' || echo '${answer("The changelog is empty.")}'`,
    ),
  });

  const { provider, result } = await play(dir, [text("done"), text("Really done.")]);

  expect(provider.requests[1]!.lastUserText).toBe("The changelog is empty.");
  expect(result.text).toBe("Really done.");
});

test("a decision to deny, as other dialects spell it, blocks", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", `echo '{"decision":"deny","reason":"Not here."}'`),
  });

  const { provider } = await play(dir, [toolCall("bash", { command: "touch ran" }), text("done")]);

  expect(provider.requests[1]!.lastToolResult).toMatchObject({ isError: true, output: "Not here." });
});

/** Asks for a name and says what it was reported. */
const elicit: BaseTool = {
  name: "elicit",
  permission: "none",
  definition: () => ({ name: "elicit", description: "Asks.", inputSchema: { type: "object" } }),
  async execute(_input, context) {
    if (context.resumed) return JSON.stringify(context.resumed.answer);
    return context.suspend({ kind: "elicitation", reason: "Your name?", input: { type: "object" } });
  },
};

test.each([
  ["Elicitation", '{"action":"accept","content":{"name":"Bot"}}', { by: "a hook", value: { name: "Bot" } }],
  ["Elicitation", '{"action":"decline"}', { by: "a hook", decision: "deny" }],
  ["ElicitationResult", '{"action":"accept","content":{"name":"A."}}', { by: "a hook", value: { name: "A." } }],
  ["ElicitationResult", '{"action":"cancel"}', { by: "a hook", decision: "deny" }],
  ["ElicitationResult", "{}", { by: "ada", value: { name: "Ada" } }],
])("what a hook at %s answers with %s counts, and is kept and told", async (event, specific, expected) => {
  const answer = JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...JSON.parse(specific) } });
  const dir = await project({ ".claude/settings.json": onEvent(event, `echo '${answer}'`) });

  const { provider, events } = await play(dir, [toolCall("elicit"), text("done")], {
    tools: [elicit],
    approver: () => ({ value: { name: "Ada" }, by: "ada" }),
  });

  expect(JSON.parse(String(provider.requests[1]!.lastToolResult?.output))).toMatchObject(expected);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "approval-answered", answer: expect.objectContaining(expected) }),
  );
});

test("an Elicitation hook that exits with 2 declines in the host's place", async () => {
  const dir = await project({ ".claude/settings.json": onEvent("Elicitation", "echo 'Nobody is here.' >&2; exit 2") });

  const { provider } = await play(dir, [toolCall("elicit"), text("done")], { tools: [elicit] });

  expect(JSON.parse(String(provider.requests[1]!.lastToolResult?.output))).toMatchObject({
    decision: "deny",
    reason: "Nobody is here.",
  });
});
