// Every hook point as a command: what it reads on its standard input.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOOK_POINTS, type HookMap, type HookPoint } from "loopwright";
import { commandHook } from "loopwright/hooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { passEveryPoint } from "../engine/run/hook-story.js";

const call = { tool_name: expect.any(String), tool_input: expect.anything(), tool_use_id: expect.any(String) };
const task = { task_id: "t1", task_subject: "dig", task_description: "a hole" };

/** The fields of Claude Code's protocol at each point; `PreModelCall` and `PostModelCall` are of this library alone. */
const PAYLOADS: { readonly [P in HookPoint]: object } = {
  Setup: { trigger: "init" },
  ConfigChange: { source: "project_settings", file_path: "/a/.claude/settings.json" },
  WorktreeCreate: { name: "scout-1" },
  WorktreeRemove: { worktree_path: "/trees/scout-1" },
  SessionStart: { source: "startup", model: "scripted" },
  SessionEnd: { reason: "other" },
  UserPromptSubmit: { prompt: "go", source: "user" },
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
  },
  Stop: { stop_hook_active: false, last_assistant_message: "done" },
  StopFailure: { error: "BAD_REQUEST", error_details: expect.any(String) },
  // Two questions are reported at once: whose command is the first to write is not said.
  Notification: {
    message: expect.stringMatching(/^(Sure|Your name)\?$/),
    notification_type: expect.stringMatching(/^(permission_prompt|elicitation_dialog)$/),
  },
  TaskCreated: task,
  TaskCompleted: task,
  TeammateIdle: { teammate_name: "main", team_name: "t" },
  Elicitation: { message: "Your name?", mode: "form", requested_schema: { type: "string" }, mcp_server_name: "" },
  ElicitationResult: { action: "accept", content: "Ada" },
  CwdChanged: { old_cwd: "/a", new_cwd: "/b" },
  FileChanged: { file_path: "/a/b.ts", event: "add" },
  PreModelSwitch: { from_model: "scripted/scripted", to_model: "other/o1" },
  PostModelSwitch: { from_model: "scripted/scripted", to_model: "other/o1" },
};

let dir: string;
/** What the commands of a point read; where calls run side by side, they come in any order. */
const told = new Map<HookPoint, Record<string, unknown>[]>();
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "every-point-"));
  const keep = (point: HookPoint) => commandHook({ command: `cat > ${point}.$$`, dir });
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
