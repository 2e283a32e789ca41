// Sessions of other programs, in the form in which those write them.
type Line = Readonly<Record<string, unknown>>;

const jsonl = (lines: readonly Line[]) => `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
const at = (second: number) => new Date(Date.UTC(2026, 9, 1, 12, 0, second)).toISOString();

const claude = (uuid: string, parentUuid: string | null, rest: Line, second = 0): Line => ({
  uuid,
  parentUuid,
  sessionId: "c0ffee",
  isSidechain: false,
  cwd: "/app",
  timestamp: at(second),
  ...rest,
});
const user = (content: unknown, rest: Line = {}) => ({ type: "user", message: { role: "user", content }, ...rest });
const reply = (id: string, content: Line, rest: Line = {}) => ({
  type: "assistant",
  message: {
    id,
    role: "assistant",
    model: "claude-sonnet-5",
    content: [content],
    usage: { input_tokens: 10, output_tokens: 5 },
  },
  ...rest,
});
const use = (id: string, name: string, input: Line) => ({ type: "tool_use", id, name, input });
const answer = (tool_use_id: string, content: unknown, rest: Line = {}) => [
  { type: "tool_result", tool_use_id, content, ...rest },
];

/** Two calls at once, a side chain, a branch that was left, a compaction, and a call that was never answered. */
export const CLAUDE_CODE = jsonl([
  { type: "summary", summary: "A bug", leafUuid: "u9" },
  { type: "file-history-snapshot", messageId: "u1", snapshot: {} },
  claude("u1", null, user("Find the bug.")),
  claude("x1", "u1", user("Find the bug, quickly."), 1),
  claude("a1", "u1", reply("m1", { type: "thinking", thinking: "Hm.", signature: "SIG" }), 2),
  claude("a2", "a1", reply("m1", { type: "text", text: "I look." }), 2),
  claude("a3", "a2", reply("m1", use("t1", "Read", { file_path: "/app/a.ts" })), 2),
  claude("r1", "a3", user(answer("t1", "1\tconst a = 1;")), 3),
  claude("a4", "a3", reply("m1", use("t2", "Bash", { command: "npm test" })), 3),
  claude("r2", "a4", user(answer("t2", [{ type: "text", text: "1 failed" }], { is_error: true })), 4),
  claude("s1", null, { ...user("Look around."), isSidechain: true }, 4),
  claude("s2", "s1", { ...reply("m9", { type: "text", text: "Nothing." }), isSidechain: true }, 4),
  claude("a5", "r2", reply("m2", { type: "text", text: "Line 1 is wrong." }), 5),
  claude("b1", null, { type: "system", subtype: "compact_boundary", logicalParentUuid: "a5" }, 6),
  claude("u2", "b1", user("The bug is in line 1 of a.ts.", { isCompactSummary: true }), 6),
  claude("u3", "u2", user("Caveat: a local command.", { isMeta: true }), 7),
  claude(
    "u4",
    "u3",
    user([
      { type: "text", text: "Mend it." },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
    ]),
    8,
  ),
  claude("a6", "u4", reply("m3", use("t3", "Edit", { file_path: "/app/a.ts" })), 9),
  claude("e1", "a6", { ...reply("m4", { type: "text", text: "API Error" }), isApiErrorMessage: true }, 10),
  { type: "novelty", sessionId: "c0ffee" },
]).concat("{ broken\n");

const item = (payload: Line, second: number): Line => ({ timestamp: at(second), type: "response_item", payload });
const said = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});

/** Its own instructions, encrypted reasoning, a shell call, a patch, a turn that was rolled back, and a compaction. */
export const CODEX = jsonl([
  {
    timestamp: at(0),
    type: "session_meta",
    payload: { id: "0199-abc", cwd: "/app", cli_version: "0.80.0", model_provider: "openai" },
  },
  item(said("user", "<environment_context>\n<cwd>/app</cwd>\n</environment_context>"), 1),
  item(said("developer", "Be brief."), 1),
  { timestamp: at(1), type: "turn_context", payload: { model: "gpt-5.1-codex", cwd: "/app" } },
  item(said("user", "List the files."), 2),
  { timestamp: at(2), type: "event_msg", payload: { type: "user_message", message: "List the files." } },
  item(
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "I list." }], encrypted_content: "ENC" },
    3,
  ),
  item({ type: "function_call", name: "shell", call_id: "c1", arguments: '{"command":["ls"]}' }, 3),
  item({ type: "function_call_output", call_id: "c1", output: "a.ts" }, 4),
  item({ type: "custom_tool_call", name: "apply_patch", call_id: "c2", input: "*** Begin Patch" }, 5),
  item({ type: "custom_tool_call_output", call_id: "c2", output: { content: "no such file", success: false } }, 6),
  item(said("assistant", "There is a.ts."), 7),
  { timestamp: at(8), type: "compacted", payload: { message: "There is one file." } },
  item(said("user", "Delete it."), 9),
  item(said("assistant", "Really?"), 10),
  { timestamp: at(11), type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 1 } },
  item(said("user", "Rename it."), 12),
  item({ type: "ghost_snapshot" }, 12),
]);

const pi = (id: string, parentId: string | null, rest: Line, second: number): Line => ({
  id,
  parentId,
  timestamp: at(second),
  ...rest,
});
const message = (one: Line) => ({ type: "message", message: one });
const piReply = (content: readonly Line[]) =>
  message({
    role: "assistant",
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-sonnet-5",
    usage: { input: 7, output: 3, cacheRead: 2, cacheWrite: 1 },
    stopReason: "stop",
  });

/** A branch that was left, a command of the user's own, and a compaction that keeps the newest turn. */
export const PI = jsonl([
  { type: "session", version: 3, id: "pi-1", timestamp: at(0), cwd: "/app" },
  pi("e1", null, message({ role: "user", content: "Read a.ts." }), 1),
  pi(
    "e2",
    "e1",
    piReply([
      { type: "thinking", thinking: "Ok.", thinkingSignature: "S" },
      { type: "toolCall", id: "p1", name: "read", arguments: { path: "a.ts" } },
    ]),
    2,
  ),
  pi(
    "e3",
    "e2",
    message({
      role: "toolResult",
      toolCallId: "p1",
      toolName: "read",
      content: [{ type: "text", text: "const a" }],
      isError: false,
    }),
    3,
  ),
  pi("e4", "e3", piReply([{ type: "text", text: "Read." }]), 4),
  pi("x1", "e4", message({ role: "user", content: "Never mind." }), 5),
  pi(
    "e5",
    "e4",
    message({ role: "bashExecution", command: "ls", output: "a.ts", exitCode: 0, cancelled: false, truncated: false }),
    6,
  ),
  pi("e6", "e5", message({ role: "user", content: [{ type: "text", text: "Write b.ts." }] }), 7),
  pi("e7", "e6", piReply([{ type: "text", text: "Written." }]), 8),
  pi("e8", "e7", { type: "compaction", summary: "a.ts was read.", firstKeptEntryId: "e6", tokensBefore: 900 }, 9),
  pi("e9", "e8", { type: "label", targetId: "e1", label: "x" }, 10),
  pi("e10", "e9", message({ role: "user", content: "Now c.ts." }), 11),
]);

const part = (type: string, rest: Line): Line => ({ id: "prt", sessionID: "ses_1", messageID: "msg", type, ...rest });

/** One message with two requests, a call that failed and one that was still running. */
export const OPENCODE = JSON.stringify({
  info: { id: "ses_1", title: "Demo", version: "1.2.0", time: { created: 1_790_000_000_000 } },
  messages: [
    {
      info: { id: "msg_1", role: "user", time: { created: 1_790_000_000_000 } },
      parts: [part("text", { text: "Run the tests." }), part("text", { text: "hidden", ignored: true })],
    },
    {
      info: {
        id: "msg_2",
        role: "assistant",
        providerID: "openai",
        modelID: "gpt-5.1",
        time: { created: 1_790_000_001_000 },
      },
      parts: [
        part("step-start", {}),
        part("reasoning", { text: "I run them." }),
        part("tool", {
          callID: "o1",
          tool: "bash",
          state: { status: "completed", input: { command: "npm test" }, output: "ok" },
        }),
        part("tool", { callID: "o2", tool: "\u001b[2Jread", state: { status: "error", input: {}, error: "no file" } }),
        part("step-finish", { tokens: { input: 20, output: 4, reasoning: 1, cache: { read: 8, write: 0 } } }),
        part("step-start", {}),
        part("text", { text: "They pass." }),
        part("tool", { callID: "o3", tool: "bash", state: { status: "running", input: { command: "sleep 9" } } }),
        part("snapshot", { snapshot: "abc" }),
      ],
    },
  ],
});
