// Every hook point as a command: what it reads on its standard input.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOOK_POINTS, type HookMap, type HookPoint } from "loopwright";
import { commandHook } from "loopwright/hooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toWire } from "../../src/hooks/hook-input-json.js";
import { answerOfText } from "../../src/hooks/hook-output.js";
import { passEveryPoint } from "../engine/run/hook-story.js";
import { BASE_INPUT, BASE_OUTPUT, PROTOCOL } from "./protocol.js";

const call = { tool_name: expect.any(String), tool_input: expect.anything(), tool_use_id: expect.any(String) };
const task = { task_id: "t1", task_subject: "dig", task_description: "a hole", team_name: "t" };
/** The story's last call took 10 tokens and gave 5, and its price for a thousand that a cache takes is a dollar. */
const again = { context_tokens: 15, estimated_cache_write_usd: 0.015 };
const models = { from_model: "scripted/scripted", to_model: "other/o1", ...again, pricing: "configured" };

/** The fields of Claude Code's protocol at each point; `PreModelCall` and `PostModelCall` are of this library alone. */
const PAYLOADS: { readonly [P in HookPoint]: object } = {
  Setup: { trigger: "init" },
  ConfigChange: { source: "project_settings", file_path: "/a/.claude/settings.json" },
  WorktreeCreate: { name: "scout-1" },
  WorktreeRemove: { worktree_path: "/trees/scout-1" },
  SessionStart: {
    source: "resume",
    model: "scripted",
    seconds_since_last_response: expect.any(Number),
    session_title: "Digging",
    ...again,
  },
  SessionEnd: { reason: "other" },
  UserPromptSubmit: { prompt: "go", source: "user", session_title: "Digging" },
  UserPromptExpansion: {
    expansion_type: "slash_command",
    command_name: "review",
    command_args: "a.ts",
    command_source: "/a/review.md",
    prompt: "Review a.ts",
  },
  PreSkillShellCommand: {
    tool_name: "Bash",
    tool_input: { command: "ls" },
    command_name: "deploy",
    invoked_by: "user",
  },
  MessageDisplay: { turn_id: expect.any(String), index: 0, final: true, delta: "done" },
  DirectoryAdded: { directory: "/elsewhere", source: "slash_command" },
  InstructionsLoaded: { file_path: "notes", memory_type: "Project", load_reason: "session_start" },
  PreModelCall: { model: "scripted", turn: 1 },
  PostModelCall: { model: "scripted", turn: 1, finish_reason: "tool-calls", usage: expect.anything() },
  PreToolUse: { tool_name: "look", tool_input: { path: "a" }, tool_use_id: "call_1" },
  PermissionRequest: { ...call, tool_name: "risky", permission_suggestions: [], reason: "Sure?" },
  PermissionDenied: { ...call, tool_name: "forbidden", reason: "Never." },
  PostToolUse: {
    tool_name: "look",
    tool_input: { path: "a" },
    tool_use_id: "call_1",
    tool_response: "seen",
    duration_ms: expect.any(Number),
  },
  PostToolUseFailure: {
    ...call,
    tool_name: "broken",
    error: expect.stringContaining("no"),
    is_interrupt: false,
    duration_ms: expect.any(Number),
  },
  PostToolBatch: { tool_calls: expect.arrayContaining([{ ...call, tool_response: expect.anything() }]) },
  PreCompact: { trigger: "auto", custom_instructions: null },
  PostCompact: { trigger: "auto", compact_summary: expect.any(String) },
  SubagentStart: { agent_id: expect.any(String), agent_type: "scout" },
  SubagentStop: {
    agent_id: expect.any(String),
    agent_type: "scout",
    stop_hook_active: false,
    last_assistant_message: "found",
    background_tasks: [],
  },
  Stop: { stop_hook_active: false, last_assistant_message: "done", session_crons: [] },
  StopFailure: { error: "BAD_REQUEST", error_details: expect.any(String), last_assistant_message: "" },
  // Two questions are reported at once: whose command is the first to write is not said.
  Notification: {
    message: expect.stringMatching(/^(Sure|Your name)\?$/),
    notification_type: expect.stringMatching(/^(permission_prompt|elicitation_dialog)$/),
  },
  TaskCreated: task,
  TaskCompleted: { ...task, teammate_name: "main" },
  TeammateIdle: { teammate_name: "main", team_name: "t" },
  Elicitation: { message: "Your name?", mode: "form", requested_schema: { type: "string" }, mcp_server_name: "" },
  ElicitationResult: { action: "accept", content: "Ada" },
  CwdChanged: { old_cwd: "/a", new_cwd: "/b" },
  FileChanged: { file_path: "/a/b.ts", event: "add" },
  PreModelSwitch: models,
  PostModelSwitch: models,
};

let dir: string;
/** What the commands of a point read; where calls run side by side, they come in any order. */
const told = new Map<HookPoint, Record<string, unknown>[]>();
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "every-point-"));
  const sessionTitle = (id: string) => (id === "s" ? "Digging" : undefined);
  const keep = (point: HookPoint) => commandHook({ command: `cat > ${point}.$$`, dir, sessionTitle });
  await passEveryPoint(Object.fromEntries(HOOK_POINTS.map((point) => [point, [keep(point)]])) as HookMap);
  for (const file of await readdir(dir)) {
    const point = file.split(".")[0] as HookPoint;
    told.set(point, [...(told.get(point) ?? []), JSON.parse(await readFile(join(dir, file), "utf8"))]);
  }
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test.each(HOOK_POINTS)("the command of %s reads the fields of the protocol", (point) => {
  const inputs = told.get(point)!;

  expect(inputs).toContainEqual(expect.objectContaining(PAYLOADS[point]));
  for (const input of inputs) {
    expect(input).toMatchObject({
      session_id: expect.stringMatching(/^s\b/),
      transcript_path: "",
      cwd: expect.stringMatching(/^\//),
      permission_mode: "default",
      hook_event_name: point,
    });
    expect(Object.keys(input).filter((key) => /[A-Z]/.test(key))).toEqual([]);
  }
});

/** Points of this library alone. */
const OWN_POINTS = ["PreModelCall", "PostModelCall"];

test("the points are the events of the protocol", () => {
  expect(HOOK_POINTS.filter((point) => !OWN_POINTS.includes(point)).sort()).toEqual(Object.keys(PROTOCOL).sort());
});

/** Optional fields of the protocol that nothing here knows, and why; the reference says so, too. */
const NOT_SENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SessionStart: { prompt_cache_likely_expired: "only the vendor knows how long it keeps a cache" },
  PreModelSwitch: { prompt_cache_warm: "as above", cache_ttl: "as above" },
  PostModelSwitch: { prompt_cache_warm: "as above", cache_ttl: "as above" },
  TaskCreated: { teammate_name: "a new task is nobody's" },
  InstructionsLoaded: {
    globs: "a source brings one section, however many files it has read",
    trigger_file_path: "as above",
    parent_file_path: "as above",
  },
};
/** Fields that an event has where they apply: a server's, a sub-agent's, those of the address that a server asks to open. */
const WHERE_APPLIES = "mcp_server agent_id agent_type url command_source mcp_server_name mode elicitation_id";
/** Fields of a run. What happens between runs belongs to no prompt and asks no model. */
const OF_RUNS = "prompt_id effort";

test.each(Object.entries(PROTOCOL))(
  "%s has each field of the protocol, or the reference says that it has not",
  async (point, { input }) => {
    const sent = told.get(point as HookPoint)!.flatMap((one) => Object.keys(one));
    const missing = `${BASE_INPUT} ${input}`.split(" ").filter((field) => field !== "" && !sent.includes(field));
    const unknown = Object.keys(NOT_SENT[point] ?? {});
    const named = [...unknown, ...`${WHERE_APPLIES} ${OF_RUNS}`.split(" ")];

    expect(missing.filter((field) => !named.includes(field))).toEqual([]);
    expect(unknown.filter((field) => sent.includes(field))).toEqual([]);
    const reference = await readFile("docs/reference/hook-points.md", "utf8");
    for (const field of unknown) expect(reference).toContain(`\`${field}\``);
  },
);

test("a run's events say which effort its requests ask for", () => {
  for (const input of [...told.get("PreToolUse")!, ...told.get("Stop")!, ...told.get("SubagentStop")!])
    expect(input.effort).toEqual({ level: "high" });
  for (const point of ["SessionEnd", "Setup"] as const) expect(told.get(point)![0]).not.toHaveProperty("effort");
  const about = { sessionId: "s", runId: "r", agentPath: [], effort: "none" } as const;
  expect(toWire({ hookEventName: "SessionEnd", ...about, reason: "other" }, { dir: "/" })).not.toHaveProperty("effort");
});

test("a notification has the title of the call that it is about", () => {
  const risky = told.get("Notification")!.find(({ message }) => message === "Sure?");

  expect(risky).toMatchObject({ title: "Take the risk" });
});

test("a command finds the effort in CLAUDE_EFFORT, as the protocol has it", async () => {
  const file = join(dir, "effort");
  const hook = commandHook({ command: `printf '%s' "$CLAUDE_EFFORT" > ${file}`, dir });
  const about = { hookEventName: "SessionEnd", sessionId: "s", runId: "", agentPath: [], reason: "other" } as const;
  const { signal } = new AbortController();

  await hook.run({ ...about, effort: "low" }, { signal });
  expect(await readFile(file, "utf8")).toBe("low");
  await hook.run(about, { signal });
  expect(await readFile(file, "utf8")).toBe("");
});

test("a prompt has an id, and each call of a server's tool names the server", () => {
  for (const input of told.get("PreToolUse")!) expect(input.prompt_id).toMatch(/\S/);
  const call = { toolName: "mcp__files__read", toolInput: {}, toolUseId: "c" };
  const input = { hookEventName: "PreToolUse", sessionId: "s", runId: "r", agentPath: [], ...call } as const;

  expect(toWire(input, { dir: "/a" })).toMatchObject({ mcp_server: { name: "files" }, prompt_id: "r" });
});

/** Fields of answers that are read without doing anything, by design: `suppressOutput` hides what is not shown here anyway. */
const READ = `${BASE_OUTPUT} async asyncTimeout`.split(" ").filter((field) => field !== "terminalSequence");

/** Fields with an effect, of each event. */
const EFFECTIVE: Readonly<Record<string, string>> = {
  PreToolUse: "permissionDecision permissionDecisionReason updatedInput additionalContext",
  PostToolUse: "additionalContext updatedToolOutput updatedMCPToolOutput",
  PermissionRequest: "decision",
  PreModelSwitch: "permissionDecision permissionDecisionReason",
  Elicitation: "action content",
  ElicitationResult: "action content",
  WorktreeCreate: "worktreePath",
  MessageDisplay: "displayContent",
  PreSkillShellCommand: "permissionDecision permissionDecisionReason updatedInput",
  Setup: "",
  Notification: "",
};

test.each(Object.entries(PROTOCOL))("a field of an answer to %s has an effect or is reported", (point, { output }) => {
  const effective = (EFFECTIVE[point] ?? "additionalContext").split(" ");
  const values: Record<string, unknown> = { decision: {}, permissionDecision: "allow", action: "accept" };
  for (const field of [...output.split(" ").filter((one) => one !== ""), "somethingNew"]) {
    const specific = { hookEventName: point, [field]: values[field] ?? "x" };
    const answer = answerOfText(JSON.stringify({ hookSpecificOutput: specific }), { point: point as HookPoint });
    expect(answer.unread ?? [], field).toEqual(effective.includes(field) ? [] : [JSON.stringify(field)]);
  }
  const all = Object.fromEntries([...READ, "terminalSequence", "permisionDecision"].map((field) => [field, null]));
  const answer = answerOfText(JSON.stringify(all), { point: point as HookPoint });
  expect(answer.unread).toEqual(['"terminalSequence"', '"permisionDecision"']);
});
