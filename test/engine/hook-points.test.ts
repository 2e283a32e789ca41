// Every hook point of the loop fires, with the fields its payload promises.
import { expect, test } from "vitest";
import { AgentEngine, type ContextPolicy, HOOK_POINTS, type HookMap, type HookPoint } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
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

/** One story that passes every point of the loop. */
async function story() {
  const fired = new Map<HookPoint, object>();
  const hooks = Object.fromEntries(
    HOOK_POINTS.map((point) => [
      point,
      [{ run: (input: object) => void (fired.has(point) || fired.set(point, input)) }],
    ]),
  ) as HookMap;
  const report = { stage: "snip", beforeTokens: 2, afterTokens: 1, removedTurns: 1, durationMs: 0, costUsd: null };
  let compacted = false;
  const compaction: ContextPolicy = {
    async prepare({ entryIds }) {
      if (compacted || entryIds.length < 2) return [];
      compacted = true;
      return [{ stage: "snip", from: entryIds[0]!, to: entryIds[0]!, replacement: [], report }];
    },
    recover: async () => [],
  };
  const tools = [
    tool(
      "look",
      async (_input, { notify }) => {
        notify?.("FileChanged", { filePath: "/a/b.ts", event: "add" });
        notify?.("CwdChanged", { oldCwd: "/a", newCwd: "/b" });
        notify?.("TaskCreated", { taskId: "t1", taskSubject: "dig", taskDescription: "a hole" });
        notify?.("TaskCompleted", { taskId: "t1", taskSubject: "dig", taskDescription: "a hole" });
        return "seen";
      },
      { permission: "read_only" },
    ),
    tool("broken", async () => Promise.reject(new Error("no"))),
    tool("forbidden", async () => ""),
    tool("risky", async () => "ok", { claims: () => [] }),
    tool(
      "ask",
      async (_input, context) =>
        context.resumed
          ? "thanks"
          : context.suspend({ kind: "elicitation", reason: "Your name?", input: { type: "string" } }),
      { claims: () => [] },
    ),
    tool("scout", async (_input, { spawn }) => {
      const found = await spawn!({ name: "scout", description: "Looks.", systemPrompt: "Look." }, "look");
      return found.text;
    }),
  ];
  const provider = scripted([
    [
      toolCall("look", { path: "a" }),
      toolCall("broken"),
      toolCall("forbidden"),
      toolCall("risky"),
      toolCall("ask"),
      toolCall("scout"),
    ],
    text("found"),
    text("done"),
  ]);
  const engine = new AgentEngine({
    provider,
    tools,
    hooks,
    compaction,
    contextSources: [{ id: "notes", load: async () => ({ id: "notes", text: "Be brief." }) }],
    sessions: createMemorySessionStore(),
    permissions: {
      decide: (request) => {
        const { name } = request.tool as { name: string };
        if (name === "forbidden") return { behavior: "deny", reason: "Never." };
        return name === "risky" ? { behavior: "ask", reason: "Sure?" } : { behavior: "allow" };
      },
    },
  });

  const { pending } = await engine.run("go", { sessionId: "s" });
  const answers = pending.map((request) =>
    request.kind === "approval" ? { id: request.id, decision: "allow" as const } : { id: request.id, value: "Ada" },
  );
  await engine.resume("s", { answers }).result;
  await engine.run("fail", { sessionId: "s", provider: scripted([], { id: "other", model: "o1" }) });
  await engine.endSession("s");
  return fired;
}

const told = story();

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
