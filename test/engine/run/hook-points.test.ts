// Every hook point of the loop fires, with the fields its payload promises.
import { expect, test } from "vitest";
import {
  AgentEngine,
  type BaseTool,
  type ContextPolicy,
  HOOK_POINTS,
  type HookMap,
  type HookPoint,
} from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { ALLOW, deferred, issuesOf, listen, testEngine, tool } from "../kit.js";
import { passEveryPoint } from "./hook-story.js";

const onCall = { toolName: expect.any(String), toolInput: expect.anything(), toolUseId: expect.any(String) };

const PAYLOADS: { readonly [P in HookPoint]?: object } = {
  Setup: { trigger: "init" },
  ConfigChange: { source: "project_settings", filePath: "/a/.claude/settings.json" },
  WorktreeCreate: { name: "scout-1" },
  WorktreeRemove: { worktreePath: "/trees/scout-1" },
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
  TeammateIdle: { teammateName: "main", teamName: "t" },
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

test("an abort lets go of a StopFailure hook that hangs, at once", async () => {
  let isAborted = false;
  const started = deferred();
  const hang = (_input: unknown, { signal }: { readonly signal: AbortSignal }) => {
    signal.addEventListener("abort", () => {
      isAborted = true;
    });
    started.resolve();
    return new Promise<never>(() => {});
  };
  const { engine } = testEngine([], { hooks: { StopFailure: [{ run: hang }] }, limits: { abandonMs: 60_000 } });
  const run = engine.stream("go");
  await started.promise;

  run.abort();

  expect(await run.result).toMatchObject({ status: "failed", error: { code: "BAD_REQUEST" } });
  expect(isAborted).toBe(true);
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

const report = { stage: "snip", beforeTokens: 2, afterTokens: 1, removedTurns: 1, durationMs: 0, costUsd: null };

/** Takes two messages out of the view, once. */
function shrinkingOnce(): ContextPolicy {
  let isDone = false;
  return {
    async prepare({ entryIds }) {
      if (isDone || entryIds.length < 3) return [];
      isDone = true;
      return [{ stage: "snip", from: entryIds[1]!, to: entryIds[2]!, replacement: [], report }];
    },
    recover: async () => [],
  };
}

test("after a compaction SessionStart fires again, and what it tells is in the very next request", async () => {
  const sources: string[] = [];
  const provider = scripted([toolCall("look"), text("done")]);
  const engine = new AgentEngine({
    provider,
    permissions: ALLOW,
    compaction: shrinkingOnce(),
    tools: [tool("look", async () => "seen")],
    hooks: {
      SessionStart: [
        { run: ({ source }) => void sources.push(source) },
        { matcher: "compact", run: () => ({ additionalContext: "The build command is make." }) },
      ],
    },
  });

  const result = await engine.run("go", { sessionId: "s" });

  expect(sources).toEqual(["startup", "compact"]);
  expect(provider.requests[0]!.lastUserText).toBe("go");
  expect(provider.requests[1]!.lastUserText).toBe("The build command is make.");
  expect(issuesOf(result)).toEqual([]);
});

test("what SessionStart tells after a compaction by hand waits for the results of an open turn", async () => {
  const sessions = createMemorySessionStore();
  const provider = scripted([toolCall("look"), toolCall("risky"), text("done")]);
  const engine = new AgentEngine({
    provider,
    sessions,
    tools: [tool("look", async () => "seen"), tool("risky", async () => "ok")],
    permissions: { decide: ({ tool }) => ({ behavior: (tool as BaseTool).name === "risky" ? "ask" : "allow" }) },
    hooks: { SessionStart: [{ matcher: "compact", run: () => ({ additionalContext: "The build command is make." }) }] },
    compaction: {
      async prepare({ entryIds }, { requested }) {
        if (!requested) return [];
        return [{ stage: "snip", from: entryIds[1]!, to: entryIds[2]!, replacement: [], report }];
      },
      recover: async () => [],
    },
  });

  const { pending } = await engine.run("go", { sessionId: "s" });
  await engine.compact("s");
  const result = await engine.resume("s", { answers: [{ id: pending[0]!.id, decision: "allow" }] }).result;

  expect(result.status).toBe("completed");
  expect(provider.requests[2]!.lastUserText).toBe("The build command is make.");
});

test.each([
  ["approval", "permission_prompt"],
  ["question", "elicitation_dialog"],
] as const)("the Notification of a tool's %s is of the type %s", async (kind, type) => {
  const types: string[] = [];
  const engine = new AgentEngine({
    provider: scripted([toolCall("asks")]),
    permissions: ALLOW,
    tools: [tool("asks", async (_input, context) => context.suspend({ kind, reason: "Which?" }))],
    hooks: { Notification: [{ run: ({ notificationType }) => void types.push(notificationType) }] },
  });

  await engine.run("go");
  await engine.close();

  expect(types).toEqual([type]);
});
