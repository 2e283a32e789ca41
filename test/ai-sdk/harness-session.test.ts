import { expect, test } from "vitest";
import { type HarnessOptions, harnessStateOf, loopwrightHarness } from "../../src/ai-sdk/index.js";
import { AgentEngine, type ContextPolicy, defineTool, type EngineOptions } from "../../src/index.js";
import { scripted, type Turn, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { createSubagentTools, defineSubagent } from "../../src/subagents/index.js";
import { continueTurn, promptTurn, startSession } from "../../src/testing/harness/harness-host.js";

const HOST_TOOL = { name: "host_tool", inputSchema: { type: "object" } };

function newHarness(
  turns: readonly Turn[],
  engine: Partial<EngineOptions> = {},
  options: Partial<HarnessOptions> = {},
) {
  const provider = scripted(turns);
  const made = new AgentEngine({ provider, ...engine });
  return { provider, engine: made, harness: loopwrightHarness({ engine: made, ...options }) };
}

/** Replaces the oldest message by a note. */
const policy: ContextPolicy = {
  async prepare(view, { requested }) {
    if (!requested) return [];
    const [from] = view.entryIds;
    const note = { role: "user", content: [{ type: "text", text: "Earlier things." }], origin: "summary" } as const;
    const report = { stage: "note", beforeTokens: 9, afterTokens: 4, removedTurns: 1, durationMs: 0, costUsd: 0 };
    return [{ stage: "note", from: from!, to: from!, replacement: [note], report }];
  },
  recover: async () => [],
};

test("a compaction between turns is a part of the next turn, and one without a policy says what is missing", async () => {
  const { harness } = newHarness([text("One."), text("Two.")], { compaction: policy });
  const session = await startSession(harness);
  await (await promptTurn(session, "Go.")).done();
  await session.doCompact("the plan");

  const next = await promptTurn(session, "Go on.");
  await next.done();

  expect(next.all("compaction")).toMatchObject([{ trigger: "manual", tokensBefore: 9, tokensAfter: 4 }]);
  const without = await startSession(newHarness([]).harness);
  await expect(without.doCompact()).rejects.toThrow("Give it the option `compaction`");
});

test("a compaction that is asked for during a turn is made at its end", async () => {
  const { harness } = newHarness([toolCall("host_tool"), text("Done.")], { compaction: policy });
  const session = await startSession(harness);
  const turn = await promptTurn(session, "Go.", { tools: [HOST_TOOL] });
  const { toolCallId } = await turn.hostCall();
  await session.doCompact();
  await turn.control.submitToolResult({ toolCallId, output: "ok" });
  await turn.done();

  expect(turn.all("compaction")).toHaveLength(1);
  expect(turn.parts.at(-1)?.type).toBe("finish");
});

test("a model that never stops calling a host tool is stopped by the engine's limit of turns", async () => {
  const endless = () => toolCall("host_tool");
  const provider = scripted([endless], { loop: true });
  const engine = new AgentEngine({ provider, limits: { maxTurns: 3 }, runaway: false });
  const turn = await promptTurn(await startSession(loopwrightHarness({ engine })), "Go.", { tools: [HOST_TOOL] });
  const answered = new Set<string>();
  while (!turn.all("finish").length) {
    const { toolCallId } = await turn.first("tool-call", (part) => !answered.has(part.toolCallId));
    answered.add(toolCallId);
    await turn.control.submitToolResult({ toolCallId, output: "again" });
    if (answered.size === 2) await turn.first("finish");
  }

  expect(provider.requestCount).toBe(3);
  expect(turn.all("finish")[0]?.finishReason).toEqual({ unified: "other", raw: "max-turns" });
});

test("files that a sub-agent changes are file-change parts", async () => {
  const write = defineTool<{ path: string }>({
    name: "save",
    description: "Saves.",
    input: { type: "object", properties: { path: { type: "string" } } },
    permission: "read_write",
    describe: ({ path }) => ({ title: "Save", kind: "edit", paths: [path] }),
    execute: () => "saved",
  });
  const helper = defineSubagent({ name: "helper", description: "Helps.", systemPrompt: "Help." });
  const call = toolCall("task", { prompt: "Save it.", subagent_type: "helper" });
  const { harness } = newHarness([call, toolCall("save", { path: "a.ts" }), text("Saved."), text("Done.")], {
    tools: [write, ...createSubagentTools({ subagents: [helper] })],
  });

  const turn = await promptTurn(await startSession(harness), "Go.");
  await turn.done();

  expect(turn.all("tool-result")[0]).toMatchObject({ toolName: "task" });
  expect(turn.all("file-change")).toEqual([{ type: "file-change", event: "modify", path: "a.ts" }]);
});

test("a state of another session or store is refused with what it is of", async () => {
  const { harness } = newHarness([], {}, { store: "main" });
  const state = await (await startSession(harness)).doStop();
  const elsewhere = newHarness([], {}, { store: "other" }).harness;

  await expect(startSession(harness, { sessionId: "b", resumeFrom: state })).rejects.toThrow(
    'is of session "contract"; this one is "b"',
  );
  await expect(startSession(elsewhere, { resumeFrom: state })).rejects.toThrow(
    'is of the store "main"; this harness has "other"',
  );
});

test("headers for one engine, and an engine with an approver, are refused with what to do", async () => {
  const { harness } = newHarness([]);
  const answering = newHarness([], { approver: () => ({ decision: "allow" }) }).harness;

  await expect(startSession(harness, { headers: { "x-a": "1" } })).rejects.toThrow("createEngine");
  await expect(startSession(answering)).rejects.toThrow("Make one without it");
});

test("a session that has come to its end has a state without a turn, and going on with it shows the answer again", async () => {
  const sessions = createMemorySessionStore();
  const { harness } = newHarness([text("The answer.")], { sessions });
  await (await promptTurn(await startSession(harness), "Go.")).done();

  const state = await harnessStateOf(sessions, "contract");
  const again = await continueTurn(await startSession(harness, { resumeFrom: state }));
  await again.done();

  expect(state.continueFrom).toBeUndefined();
  expect(again.text).toBe("The answer.");
  await expect(harnessStateOf(sessions, "nobody")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test("a turn that was suspended goes on in the same session, with what was answered and said meanwhile", async () => {
  const { harness, provider } = newHarness([toolCall("host_tool"), text("Done.")]);
  const session = await startSession(harness);
  const turn = await promptTurn(session, "Go.", { tools: [HOST_TOOL] });
  const { toolCallId } = await turn.hostCall();
  await turn.control.submitUserMessage("Be quick.");
  await turn.control.submitToolResult({ toolCallId, output: "ok" });
  const state = await session.doSuspendTurn();
  await turn.done();

  const rest = await continueTurn(session, { tools: [HOST_TOOL] });
  await rest.done();

  expect(state.data).toMatchObject({ questions: [], messages: ["Be quick."] });
  expect(rest.text).toBe("Done.");
  expect(JSON.stringify(provider.requests.at(-1)?.messages)).toMatch(/"output":"ok".*Be quick\./);
});

test("a turn that was aborted has a state, which goes on with it", async () => {
  const { harness, provider } = newHarness([text("Long.", { delayMs: 10_000 }), text("Done.")]);
  const session = await startSession(harness);
  const controller = new AbortController();
  const turn = await promptTurn(session, "Go.", { abortSignal: controller.signal });
  await expect.poll(() => provider.requestCount).toBe(1);
  controller.abort();
  await turn.done().catch(() => {});

  const state = await session.doSuspendTurn();
  const rest = await continueTurn(await startSession(harness, { continueFrom: state }));
  await rest.done();

  expect(rest.text).toBe("Done.");
  await expect((await startSession(harness, { sessionId: "b" })).doSuspendTurn()).rejects.toThrow("no turn to suspend");
});
