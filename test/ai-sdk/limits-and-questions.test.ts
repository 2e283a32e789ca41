// What a turn may use over all its runs, and what it asks beside approvals and host tools.
import { expect, test } from "vitest";
import { harnessStateOf, loopwrightHarness } from "../../src/ai-sdk/index.js";
import { AgentEngine, type BaseTool, defineTool, type EngineOptions } from "../../src/index.js";
import { createMcpRegistry } from "../../src/mcp/index.js";
import { scripted, type Turn, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { continueTurn, type HostTurn, promptTurn, startSession } from "../../src/testing/harness/harness-host.js";
import { connectPublished } from "../mcp/servers.js";

const HOST_TOOL = { name: "host_tool", inputSchema: { type: "object" } };
const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

async function answerAll(turn: HostTurn, most = 20): Promise<void> {
  const answered = new Set<string>();
  while (!turn.all("finish").length && answered.size < most) {
    const next = turn.first("tool-call", (part) => !answered.has(part.toolCallId) && part.providerExecuted !== true);
    const call = await Promise.race([next, turn.done().then(() => null)]);
    if (!call) return;
    answered.add(call.toolCallId);
    await turn.control.submitToolResult({ toolCallId: call.toolCallId, output: "again" });
  }
}

test.each([
  ["maxTurns", { maxTurns: 3 }, "max-turns", 3],
  ["maxTokens", { maxTokens: 50 }, "budget-exceeded", 4],
  ["maxCostUsd", { maxCostUsd: 2.5 }, "budget-exceeded", 3],
])("a turn of many host calls has %s once, and not once for each of its runs", async (_, limits, raw, calls) => {
  const provider = scripted([() => toolCall("host_tool")], { loop: true });
  const engine = new AgentEngine({ provider, limits, runaway: false, prices: () => 1 });
  const turn = await promptTurn(await startSession(loopwrightHarness({ engine })), "Go.", { tools: [HOST_TOOL] });

  await answerAll(turn);

  expect(provider.requestCount).toBe(calls);
  expect(turn.all("finish")[0]?.finishReason).toEqual({ unified: "other", raw });
});

test.each([
  ["maxTurns", { maxTurns: 3 }, "max-turns", 3],
  ["maxTokens", { maxTokens: 50 }, "budget-exceeded", 4],
])("a turn that goes on in other processes has %s once", async (_, limits, raw, calls) => {
  const sessions = createMemorySessionStore();
  const provider = scripted([() => toolCall("host_tool")], { loop: true });
  const start = (state?: Awaited<ReturnType<typeof harnessStateOf>>) => {
    const engine = new AgentEngine({ provider, limits, runaway: false, sessions });
    return startSession(loopwrightHarness({ engine }), state && { resumeFrom: state });
  };
  let turn = await promptTurn(await start(), "Go.", { tools: [HOST_TOOL] });
  await turn.hostCall();
  for (let processes = 0; processes < 9; processes++) {
    turn = await continueTurn(await start(asJson(await harnessStateOf(sessions, "contract"))), { tools: [HOST_TOOL] });
    const call = await Promise.race([turn.hostCall(), turn.done().then(() => null)]);
    if (!call) break;
    await turn.control.submitToolResult({ toolCallId: call.toolCallId, output: "ok" });
    await Promise.race([turn.first("tool-call", ({ toolCallId }) => toolCallId !== call.toolCallId), turn.done()]);
  }

  expect(provider.requestCount).toBe(calls);
  expect(turn.all("finish")[0]?.finishReason).toEqual({ unified: "other", raw });
});

test("a call that was under way when the process was killed is asked about where its tool says so, in every mode", async () => {
  const sessions = createMemorySessionStore();
  const runs: string[] = [];
  let entered = () => {};
  const hanging = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const tool = (process: string, work: () => Promise<string>): BaseTool =>
    defineTool({
      name: "pay",
      description: "Pays.",
      permission: "execute",
      onUnknown: "ask",
      execute: () => {
        runs.push(process);
        return work();
      },
    });
  const first = new AgentEngine({
    provider: scripted([toolCall("pay")]),
    tools: [
      tool("first", async () => {
        entered();
        return new Promise<string>(() => {});
      }),
    ],
    sessions,
  });
  const turn = await promptTurn(await startSession(loopwrightHarness({ engine: first })), "Pay.");
  await hanging;
  // What a killed process leaves: the entries so far, and nothing of its end.
  const left = createMemorySessionStore();
  const entries = [];
  for await (const entry of sessions.read("contract")) entries.push(entry);
  await left.append("contract", entries);
  const state = asJson(await harnessStateOf(left, "contract"));

  const provider = scripted([text("Paid.")]);
  const second = new AgentEngine({ provider, tools: [tool("second", async () => "paid")], sessions: left });
  const rest = await continueTurn(await startSession(loopwrightHarness({ engine: second }), { resumeFrom: state }));
  const { approvalId } = await rest.first("tool-approval-request");
  const before = [...runs];
  await rest.control.submitToolApproval({ approvalId, approved: true });
  await rest.done();
  void turn;

  expect(before).toEqual(["first"]);
  expect(runs).toEqual(["first", "second"]);
  expect(rest.text).toBe("Paid.");
});

const signed = (turns: readonly Turn[], more: Partial<EngineOptions> = {}) => {
  const act = defineTool({ name: "act", description: "Acts.", permission: "execute", execute: () => "done" });
  const approvals = { key: "a key of the host, long enough" };
  return new AgentEngine({ provider: scripted(turns), tools: [act], approvals, ...more });
};

test("with approvals.key, what the host answers counts, in its turn and in another process", async () => {
  const sessions = createMemorySessionStore();
  const start = { permissionMode: "allow-reads" } as const;
  const first = signed([[toolCall("act"), toolCall("host_tool")]], { sessions });
  const session = await startSession(loopwrightHarness({ engine: first }), start);
  const turn = await promptTurn(session, "Go.", { tools: [HOST_TOOL] });
  const { toolCallId } = await turn.hostCall();
  await turn.control.submitToolResult({ toolCallId, output: "from the host" });
  const state = asJson(await session.doSuspendTurn());

  const second = signed([text("Done.")], { sessions });
  const resumed = await startSession(loopwrightHarness({ engine: second }), { ...start, continueFrom: state });
  const rest = await continueTurn(resumed, { tools: [HOST_TOOL] });
  const { approvalId } = await rest.first("tool-approval-request");
  await rest.control.submitToolApproval({ approvalId, approved: true });
  await rest.done();

  expect(rest.text).toBe("Done.");
  expect(rest.all("tool-result").map(({ result }) => result)).toEqual(expect.arrayContaining(["done"]));
});

test("with approvals.key, an answer that somebody wrote into a state does not count", async () => {
  const sessions = createMemorySessionStore();
  const start = { permissionMode: "allow-reads" } as const;
  const first = signed([toolCall("act")], { sessions });
  const session = await startSession(loopwrightHarness({ engine: first }), start);
  const { approvalId } = await (await promptTurn(session, "Go.")).first("tool-approval-request");
  const state = asJson(await session.doSuspendTurn());
  const forged = { ...state, data: { ...Object(state.data), answers: [{ id: approvalId, decision: "allow" }] } };

  const second = signed([text("Refused.")], { sessions });
  const rest = await continueTurn(
    await startSession(loopwrightHarness({ engine: second }), { ...start, continueFrom: forged }),
  );
  const again = await rest.first("tool-approval-request");
  await rest.control.submitToolApproval({ approvalId: again.approvalId, approved: false });
  await rest.done();

  expect(rest.all("tool-result")).toMatchObject([{ isError: true }]);
});

test("the question of an MCP server in the middle of a call is put to the host, and the server has the answer", async () => {
  const everything = connectPublished("everything");
  await everything.ready;
  const provider = scripted([toolCall("mcp__everything__trigger-elicitation-request", {}), text("Done.")]);
  const engine = new AgentEngine({ provider, tools: createMcpRegistry([everything]) });

  const turn = await promptTurn(await startSession(loopwrightHarness({ engine })), "Ask.");
  const asked = await turn.first("tool-call", ({ toolName }) => toolName === "askUserQuestions");
  const { questions } = JSON.parse(asked.input) as { questions: { id: string }[] };
  const answers = { name: { optionIds: [], freeform: "Ada" } };
  await turn.control.submitToolResult({ toolCallId: asked.toolCallId, output: { action: "answered", answers } });
  await turn.done();

  expect(questions.map(({ id }) => id)).toContain("name");
  expect(JSON.stringify(provider.requests[1]?.lastToolResult)).toContain("Ada");
});
