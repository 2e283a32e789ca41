// Every hook point of the loop fires, with the fields its payload promises.
import { expect, test } from "vitest";
import { AgentEngine, HOOK_POINTS, type HookMap, type HookPoint } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { passEveryPoint } from "./hook-story.js";
import { ALLOW, listen, tool } from "./kit.js";

const onCall = { toolName: expect.any(String), toolInput: expect.anything(), toolUseId: expect.any(String) };

const PAYLOADS: { readonly [P in HookPoint]?: object } = {
  SessionStart: { source: "startup", model: "scripted" },
  SessionEnd: { reason: "other" },
  UserPromptSubmit: { prompt: "go", source: "user" },
  InstructionsLoaded: { sourceId: "notes", characters: 9 },
  PreModelCall: { model: "scripted", turn: 1 },
  PostModelCall: {
    model: "scripted",
    turn: 1,
    finishReason: "tool-calls",
    usage: { inputTokens: 10, outputTokens: 5 },
  },
  PreToolUse: { toolName: "look", toolInput: { path: "a" }, toolUseId: "call_1" },
  PermissionRequest: { ...onCall, toolName: "risky", permissionSuggestions: [], reason: "Sure?" },
  PermissionDenied: { ...onCall, toolName: "forbidden", reason: "Never." },
  PostToolUse: {
    toolName: "look",
    toolInput: { path: "a" },
    toolUseId: "call_1",
    toolResponse: "seen",
    durationMs: expect.any(Number),
  },
  PostToolUseFailure: {
    ...onCall,
    toolName: "broken",
    error: expect.stringContaining("no"),
    isInterrupt: false,
    durationMs: expect.any(Number),
  },
  PostToolBatch: { toolCalls: expect.arrayContaining([{ ...onCall, toolResponse: expect.anything() }]) },
  PreCompact: { trigger: "auto", customInstructions: null },
  PostCompact: { trigger: "auto", compactSummary: "snip: 2 to 1 tokens" },
  SubagentStart: { agentId: expect.any(String), agentPath: ["scout"], agentType: "scout" },
  SubagentStop: {
    agentId: expect.any(String),
    stopHookActive: false,
    lastAssistantMessage: "found",
    agentPath: ["scout"],
  },
  Stop: { stopHookActive: false, lastAssistantMessage: "done" },
  StopFailure: { error: "BAD_REQUEST", errorDetails: expect.any(String) },
  Notification: { message: "Sure?", notificationType: "permission_prompt" },
  Elicitation: { message: "Your name?", toolUseId: expect.any(String), requestedSchema: { type: "string" } },
  ElicitationResult: { toolUseId: expect.any(String), action: "accept", content: "Ada" },
  TaskCreated: { taskId: "t1", taskSubject: "dig", taskDescription: "a hole" },
  TaskCompleted: { taskId: "t1", taskSubject: "dig", taskDescription: "a hole" },
  CwdChanged: { oldCwd: "/a", newCwd: "/b" },
  FileChanged: { filePath: "/a/b.ts", event: "add" },
  PreModelSwitch: { fromModel: "scripted/scripted", toModel: "other/o1" },
  PostModelSwitch: { fromModel: "scripted/scripted", toModel: "other/o1" },
};

/** The first input each point is given. */
async function firstInputs(): Promise<ReadonlyMap<HookPoint, object>> {
  const fired = new Map<HookPoint, object>();
  const record = (point: HookPoint) => [{ run: (input: object) => void (fired.has(point) || fired.set(point, input)) }];
  await passEveryPoint(Object.fromEntries(HOOK_POINTS.map((point) => [point, record(point)])) as HookMap);
  return fired;
}

const told = firstInputs();

test.each(HOOK_POINTS)("%s fires with its payload", async (point) => {
  const input = (await told).get(point);

  expect(input).toMatchObject({
    hookEventName: point,
    sessionId: expect.any(String),
    agentPath: expect.any(Array),
    ...PAYLOADS[point],
  });
});

test("a StopFailure hook has the time to do its work", async () => {
  const reported: string[] = [];
  const engine = new AgentEngine({
    provider: scripted([]),
    hooks: {
      StopFailure: [
        {
          run: async ({ error }, { signal }) => {
            await new Promise((resolve) => setImmediate(resolve));
            reported.push(`${error} ${signal.aborted}`);
          },
        },
      ],
    },
  });
  const notices = listen(engine, "notice");

  await engine.run("go");

  expect(reported).toEqual(["BAD_REQUEST false"]);
  expect(notices).toEqual([]);
});

test("a hook's outcome is an event, and so is its failure", async () => {
  const engine = new AgentEngine({
    provider: scripted([toolCall("act"), text("done")]),
    tools: [tool("act", async () => "ok")],
    permissions: ALLOW,
    hooks: {
      PreToolUse: [{ run: () => ({ permissionDecision: "deny", permissionDecisionReason: "No." }) }],
      Stop: [{ run: () => Promise.reject(new Error("boom")) }],
      PreModelCall: [{ run: () => ({ systemMessage: "psst" }) }],
    },
  });
  const outcomes = listen(engine, "hook-outcome");
  const notices = listen(engine, "notice");

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(outcomes.map(({ point, outcome, reason }) => [point, outcome, reason])).toEqual([
    ["PreModelCall", "ok", undefined],
    ["PreToolUse", "blocked", "No."],
    ["PreModelCall", "ok", undefined],
    ["Stop", "failed", "A Stop hook failed: boom."],
  ]);
  expect(notices.map(({ code, message }) => [code, message])).toEqual([
    ["HOOK_MESSAGE", "psst"],
    ["HOOK_MESSAGE", "psst"],
    ["HOOK_FAILED", "A Stop hook failed: boom."],
  ]);
});
