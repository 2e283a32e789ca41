// Hook scripts as they are found in people's dotfiles, in bash with jq and in Python, unchanged.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentEngine, type PermissionGate } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import { expect, test } from "vitest";
import { load, onEvent, play, project } from "../hooks/kit.js";

const ask: PermissionGate = { decide: () => ({ behavior: "ask", reason: "Sure?" }) };

test("a one-line formatter with jq and xargs gets the path of what was edited", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent(
      "PostToolUse",
      "jq -r '.tool_input.file_path' | { read -r file_path; if echo \"$file_path\" | grep -q '\\.ts$'; then sed -i 's/  */ /g' \"$file_path\"; fi; }",
      { matcher: "Edit|MultiEdit|Write" },
    ),
  });

  await play(dir, [
    toolCall("write_file", { path: "src/ä ö.ts", content: "let   a\n" }),
    toolCall("write_file", { path: "b.md", content: "a   b\n" }),
    text("done"),
  ]);

  expect(await readFile(join(dir, "src/ä ö.ts"), "utf8")).toBe("let a\n");
  expect(await readFile(join(dir, "b.md"), "utf8")).toBe("a   b\n");
});

test("a python guard of sensitive files reads the path and exits with 2", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent(
      "PreToolUse",
      `python3 -c "import json, sys; data=json.load(sys.stdin); path=data.get('tool_input',{}).get('file_path',''); sys.exit(2 if any(p in path for p in ['.env', 'package-lock.json', '.git/']) else 0)"`,
      { matcher: "Edit|Write" },
    ),
  });

  const { provider } = await play(dir, [
    toolCall("write_file", { path: "config/.env.local", content: "A=1" }),
    toolCall("write_file", { path: "a.txt", content: "a" }),
    text("done"),
  ]);

  expect(provider.requests[1]?.lastToolResult?.isError).toBe(true);
  expect(existsSync(join(dir, "config/.env.local"))).toBe(false);
  expect(existsSync(join(dir, "a.txt"))).toBe(true);
});

test("a python validator of commands tells the model what to use instead", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", "$CLAUDE_PROJECT_DIR/.claude/hooks/validate.py", {
      matcher: "Bash",
    }),
    ".claude/hooks/validate.py": `#!/usr/bin/env python3
import json
import re
import sys

RULES = [(r"\\bgrep\\b(?!.*\\|)", "Use 'rg' instead of 'grep'"), (r"\\brm\\s+-[a-z]*r[a-z]*f", "Dangerous rm blocked")]

try:
    input_data = json.load(sys.stdin)
except json.JSONDecodeError as e:
    print(f"Error: Invalid JSON input: {e}", file=sys.stderr)
    sys.exit(1)

if input_data.get("tool_name", "") != "Bash":
    sys.exit(1)
command = input_data.get("tool_input", {}).get("command", "")
issues = [message for pattern, message in RULES if re.search(pattern, command)]
if issues:
    for message in issues:
        print(f"• {message}", file=sys.stderr)
    sys.exit(2)
`,
  });

  const { provider } = await play(dir, [
    toolCall("bash", { command: "grep x a.txt" }),
    toolCall("bash", { command: "rm -rf build" }),
    toolCall("bash", { command: "echo ok" }),
    text("done"),
  ]);

  expect(provider.requests.slice(1).map(({ lastToolResult }) => lastToolResult?.output)).toEqual([
    "• Use 'rg' instead of 'grep'",
    "• Dangerous rm blocked",
    "ok\n",
  ]);
});

test("the older answers approve and block count, and so does a null that python prints", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", "python3 guard.py"),
    "guard.py": `import json, sys
data = json.load(sys.stdin)
bad = "secret" in json.dumps(data["tool_input"])
print(json.dumps({"decision": "block" if bad else "approve", "reason": "No secrets." if bad else None, "continue": True}))
`,
  });

  const { provider } = await play(
    dir,
    [toolCall("bash", { command: "echo secret" }), toolCall("bash", { command: "echo fine" }), text("done")],
    { permissions: { decide: ({ hook }) => ({ behavior: hook?.behavior ?? "deny" }) } },
  );

  expect(provider.requests.slice(1).map(({ lastToolResult }) => lastToolResult?.output)).toEqual([
    "No secrets.",
    "fine\n",
  ]);
});

test("a git guard asks before a commit on main, by its exit and a heredoc", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PreToolUse", "bash .claude/git-guard.sh", { matcher: "Bash" }),
    ".claude/git-guard.sh": `#!/usr/bin/env bash
set -euo pipefail
command=$(jq -r '.tool_input.command // empty')
[[ "$command" =~ ^git[[:space:]]+commit ]] || exit 0
branch=$(git -C "$CLAUDE_PROJECT_DIR" symbolic-ref --short HEAD)
if [[ "$branch" == "main" ]]; then
  cat <<EOF
{
  "hookSpecificOutput": {
    "hookEventName": "PreToolUse",
    "permissionDecision": "deny",
    "permissionDecisionReason": "Do not commit on $branch; make a branch first."
  }
}
EOF
fi
`,
  });
  execFileSync("git", ["init", "-q", "-b", "main", dir]);

  const { provider } = await play(dir, [toolCall("bash", { command: "git commit -m x" }), text("done")]);

  expect(provider.requests[1]?.lastToolResult?.output).toBe("Do not commit on main; make a branch first.");
});

test("a prompt enricher and a session loader tell the model what they print", async () => {
  const dir = await project({
    ".claude/settings.json": {
      hooks: {
        UserPromptSubmit: [{ hooks: [{ type: "command", command: "python3 time.py" }] }],
        SessionStart: [{ matcher: "startup|resume", hooks: [{ type: "command", command: "cat NOTES.md" }] }],
      },
    },
    "time.py": `import json, sys
prompt = json.load(sys.stdin)["prompt"]
print(json.dumps({"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": f"You said: {prompt}"}}))
`,
    "NOTES.md": "Remember the milk: größer, 日本.\n",
  });

  const { provider } = await play(dir, [text("done")]);

  const told = JSON.stringify(provider.requests[0]?.messages);
  expect(told).toContain("You said: do it");
  expect(told).toContain("Remember the milk: größer, 日本.");
});

test("a stop gate in python runs once, because it minds stop_hook_active", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("Stop", "uv run stop.py || python3 stop.py"),
    "stop.py": `import json, sys
data = json.load(sys.stdin) if not sys.stdin.isatty() else {}
if data["stop_hook_active"]:
    sys.exit(0)
open("stops", "a").write(data["last_assistant_message"] + "\\n")
print(json.dumps({"decision": "block", "reason": "Tests fail: 1 of 3."}))
`,
  });

  const { result, provider } = await play(
    dir,
    [text("I am done."), text("Really done.")],
    // Without uv the pipeline's second half finds its standard input unread.
    { settings: await load(dir) },
  );

  expect(result.text).toBe("Really done.");
  expect(await readFile(join(dir, "stops"), "utf8")).toBe("I am done.\n");
  expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain("Tests fail: 1 of 3.");
});

test("a logger appends to a file in the home directory, and a notifier reads the message", async () => {
  const home = await project({});
  const dir = await project({
    ".claude/settings.json": {
      hooks: {
        PreToolUse: [
          {
            matcher: "Bash",
            hooks: [
              {
                type: "command",
                command:
                  'mkdir -p ~/.claude && jq -r \'"\\(.tool_input.command) - \\(.tool_input.description // "No description")"\' >> ~/.claude/bash-log.txt',
              },
            ],
          },
        ],
        Notification: [{ matcher: "", hooks: [{ type: "command", command: "jq -r .message > notified" }] }],
        PermissionRequest: [
          {
            matcher: "Bash",
            hooks: [
              {
                type: "command",
                command: `jq -c 'if .tool_input.command | startswith("echo") then {hookSpecificOutput: {hookEventName: "PermissionRequest", decision: {behavior: "allow"}}} else {} end'`,
              },
            ],
          },
        ],
      },
    },
  });

  const { provider } = await play(
    dir,
    [
      toolCall("bash", { command: "echo hi" }),
      toolCall("bash", { command: "true", description: "Nothing" }),
      text("x"),
    ],
    { permissions: ask, approver: () => ({ decision: "deny" }), settings: await load(dir, { env: { HOME: home } }) },
  );

  expect(await readFile(join(home, ".claude/bash-log.txt"), "utf8")).toBe("echo hi - No description\ntrue - Nothing\n");
  expect(provider.requests[1]?.lastToolResult?.output).toBe("hi\n");
  expect(provider.requests[2]?.lastToolResult?.isError).toBe(true);
  await expect.poll(() => existsSync(join(dir, "notified"))).toBe(true);
});

test("a matcher for tools of MCP servers, and a guard that masks what they answer", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("PostToolUse", "python3 mask.py", { matcher: "mcp__.*__search" }),
    "mask.py": `import json, sys
data = json.load(sys.stdin)
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": data["tool_response"].replace("4111", "****")}}))
`,
  });
  const settings = await load(dir);
  const { defineTool } = await import("loopwright");
  const mcp = (name: string) =>
    defineTool({ name, description: "Searches.", permission: "read_only", execute: async () => "card 4111" });
  const provider = scripted([toolCall("mcp__shop__search"), toolCall("mcp__shop__list"), text("done")]);
  const engine = new AgentEngine({
    provider,
    tools: [mcp("mcp__shop__search"), mcp("mcp__shop__list")],
    hooks: settings.hooks,
    sessions: createMemorySessionStore(),
  });

  await engine.run("go");

  expect(provider.requests.slice(1).map(({ lastToolResult }) => lastToolResult?.output)).toEqual([
    "card ****",
    "card 4111",
  ]);
});

test("a saver before compaction copies the transcript that the host names", async () => {
  const dir = await project({
    ".claude/settings.json": onEvent("Stop", 'cp "$(jq -r .transcript_path)" saved.jsonl'),
    "transcripts/t.jsonl": "{}\n",
  });

  await play(dir, [text("done")], {
    settings: await load(dir, { transcriptPath: () => join(dir, "transcripts/t.jsonl") }),
  });

  expect(await readFile(join(dir, "saved.jsonl"), "utf8")).toBe("{}\n");
});
