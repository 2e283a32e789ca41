// A tool calls others: through the one pipeline, in a record of its own, and again from that record.
import { expect, test } from "vitest";
import { childTranscriptId } from "../../src/engine/transcript/child-id.js";
import type { Answer, BaseTool, JsonValue, NestedCall, NestedResult, ToolContext } from "../../src/index.js";
import { AgentEngine } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { ALLOW, entriesOf, issuesOf, listen, resultsOf, testEngine, tool } from "./kit.js";

type Calls = NonNullable<ToolContext["calls"]>;

/** A tool whose work is `compose`. */
function composing(compose: (calls: Calls, context: ToolContext) => Promise<JsonValue>, about: Partial<BaseTool> = {}) {
  return tool("compose", (_input, context) => compose(context.calls!, context), {
    permission: "none",
    timeoutMs: null,
    onUnknown: "retry",
    ...about,
  });
}

const call = (name: string, input: JsonValue = {}): NestedCall => ({ name, input });

/** A tool that says what it was given, and keeps it in `log`. */
const echo = (log: JsonValue[] = [], about: Partial<BaseTool> = {}) =>
  tool(
    "echo",
    async (input) => {
      log.push(input);
      return { output: `echo ${JSON.stringify(input)}`, value: { got: input } };
    },
    about,
  );

const RECORD = childTranscriptId("s", "c", 1);
const turns = () => [toolCall("compose", {}, { id: "c" }), text("done")];

test("calls of a tool give their results in order, and whole", async () => {
  let said: readonly NestedResult[] = [];
  const long = tool("long", async () => "x".repeat(30_000));
  const compose = composing(async (calls) => {
    said = await calls.run([call("echo", { n: 1 }), call("long"), call("nowhere")]);
    return "composed";
  });
  const { engine, store, provider } = testEngine(turns(), { tools: [compose, echo(), long] });

  const result = await engine.run("go", { sessionId: "s" });

  expect(result).toMatchObject({ status: "completed", text: "done", turns: 2 });
  expect(resultsOf(result).c!.output).toBe("composed");
  expect(said.map(({ toolCallId, status }) => [toolCallId, status])).toEqual([
    ["c.1.1", "success"],
    ["c.1.2", "success"],
    ["c.1.3", "failure"],
  ]);
  expect(said[0]).toMatchObject({ output: 'echo {"n":1}', value: { got: { n: 1 } } });
  expect(said[1]!.value).toBe("x".repeat(30_000));
  expect(String(said[1]!.output).length).toBeLessThan(21_000);
  expect(said[2]!.output).toContain('There is no tool "nowhere"');
  expect(provider.requests.length).toBe(2);
  const entries = await entriesOf(store, RECORD);
  expect(entries.map(({ type }) => type)).toContain("tool-start");
  expect(new Set(entries.map(({ type }) => type))).toEqual(new Set(["message", "tool-start", "tool-result"]));
  expect(issuesOf(result)).toEqual([]);
});

test("a question suspends the tool; after the answer elsewhere it is entered again and goes on", async () => {
  const store = createMemorySessionStore();
  const log: JsonValue[] = [];
  const begun: JsonValue[] = [];
  const compose = composing(async (calls) => {
    const kept = await calls.begin({ seed: begun.length });
    begun.push(kept as unknown as JsonValue);
    const [first] = await calls.run([call("look", 1)]);
    try {
      const [paid] = await calls.run([call("pay", { to: "bob" })]);
      const [last] = await calls.run([call("echo", { last: paid!.value })]);
      return [first!.value, paid!.value, last!.status];
    } catch {
      return "swallowed";
    }
  });
  const look = tool("look", async (n) => String(log.push(["look", n])), { permission: "none" });
  const pay = tool("pay", async (input) => `paid ${JSON.stringify(input)} ${log.push(["pay", input])}`);
  const make = (script = turns()) =>
    new AgentEngine({
      provider: scripted(script),
      sessions: store,
      tools: [compose, look, pay, echo(log, { permission: "none" })],
    });

  const first = await make().run("go", { sessionId: "s" });

  expect(first.status).toBe("needs-approval");
  expect(first.pending).toMatchObject([
    { tool: "pay", toolCallId: "c.2.1", input: { to: "bob" }, within: { tool: "compose", toolCallId: "c", call: 2 } },
  ]);
  expect(log).toEqual([["look", 1]]);

  const answers: Answer[] = [{ id: first.pending[0]!.id, decision: "allow", updatedInput: { to: "eve" } }];
  const second = await make([text("done")]).resume("s", { answers }).result;

  expect(second).toMatchObject({ status: "completed", text: "done" });
  expect(log).toEqual([["look", 1], ["pay", { to: "eve" }], { last: 'paid {"to":"eve"} 2' }]);
  expect(JSON.parse(String(resultsOf(second).c!.output))).toEqual(["1", 'paid {"to":"eve"} 2', "success"]);
  expect(begun).toMatchObject([
    { data: { seed: 0 }, waves: [] },
    { data: { seed: 0 }, waves: [{ results: [{ value: "1" }] }, { calls: [{ name: "pay" }] }] },
  ]);
  expect(issuesOf(second)).toEqual([]);
});

test("a denied call is an error result that the tool can go on with", async () => {
  const store = createMemorySessionStore();
  const compose = composing(async (calls) =>
    (await calls.run([call("pay"), call("echo")])).map(({ status }) => status),
  );
  const make = (script = turns()) =>
    new AgentEngine({
      provider: scripted(script),
      sessions: store,
      tools: [compose, tool("pay", async () => ""), echo([], { permission: "none" })],
    });

  const { pending } = await make().run("go", { sessionId: "s" });
  const result = await make([text("done")]).resume("s", { answers: [{ id: pending[0]!.id, decision: "deny" }] }).result;

  expect(result.status).toBe("completed");
  expect(resultsOf(result).c!.output).toBe('["denied","success"]');
});

test("a tool that does not repeat its calls gets PROGRAM_DIVERGED, and nothing runs", async () => {
  const store = createMemorySessionStore();
  const log: JsonValue[] = [];
  let entered = 0;
  const compose = composing(async (calls) => {
    await calls.run([call("echo", 1)]);
    await calls.run([call("pay", ++entered)]);
    return "composed";
  });
  const make = (script = turns()) =>
    new AgentEngine({
      provider: scripted(script),
      sessions: store,
      tools: [compose, tool("pay", async (n) => String(log.push(n))), echo(log, { permission: "none" })],
    });

  const { pending } = await make().run("go", { sessionId: "s" });
  const result = await make([text("done")]).resume("s", { answers: [{ id: pending[0]!.id, decision: "allow" }] })
    .result;

  expect(log).toEqual([1]);
  expect(result.status).toBe("completed");
  expect(resultsOf(result).c!.output).toContain("did not make the calls that it had made before (from call 2 on)");
  expect(resultsOf(result).c!.output).toContain("echo (success), pay (open)");
});

test("a tool that ends before it has repeated its calls gets PROGRAM_DIVERGED", async () => {
  const store = createMemorySessionStore();
  let entered = 0;
  const compose = composing(async (calls) => {
    await calls.run([call("echo", 1)]);
    if (++entered === 1) await calls.run([call("pay", 1)]);
    return "composed";
  });
  const make = (script = turns()) =>
    new AgentEngine({
      provider: scripted(script),
      sessions: store,
      tools: [compose, tool("pay", async () => ""), echo([], { permission: "none" })],
    });

  const { pending } = await make().run("go", { sessionId: "s" });
  const result = await make([text("done")]).resume("s", { answers: [{ id: pending[0]!.id, decision: "allow" }] })
    .result;

  expect(resultsOf(result).c).toMatchObject({ isError: true, output: expect.stringContaining("Entered again") });
});

test("one at a time does not deadlock, and thirty equal calls are no runaway", async () => {
  const compose = composing(async (calls) => {
    for (let n = 0; n < 30; n++) await calls.run([call("echo"), call("echo")]);
    return "composed";
  });
  const { engine } = testEngine(turns(), { tools: [compose, echo()], limits: { maxConcurrentTools: 1 } });

  const result = await engine.run("go", { sessionId: "s" });

  expect(result).toMatchObject({ status: "completed", text: "done" });
});

test("tools and gate see the agent, hooks the call above, events where they are", async () => {
  const seen: unknown[] = [];
  const hooked: unknown[] = [];
  const look = tool(
    "look",
    async (_input, { transcriptId, agentPath, sessionId, runId, turn, toolCallId, rootCall }) => {
      seen.push({ transcriptId, agentPath, sessionId, runId, turn, toolCallId, rootCall });
      return "seen";
    },
  );
  const gated: unknown[] = [];
  const compose = composing(async (calls) => (await calls.run([call("look")]))[0]!.value);
  const { engine } = testEngine(turns(), {
    tools: [compose, look],
    permissions: {
      decide: ({ tool, transcriptId, agentPath }) => {
        if (Object(tool).name === "look") gated.push({ transcriptId, agentPath });
        return { behavior: "allow" };
      },
    },
    hooks: {
      PreToolUse: [
        { run: ({ toolName, toolUseId, parentToolUseId }) => void hooked.push([toolName, toolUseId, parentToolUseId]) },
      ],
    },
  });
  const starts = listen(engine, "tool-call-start");
  const usage = listen(engine, "usage");

  const { runId } = await engine.run("go", { sessionId: "s" });

  expect(seen).toEqual([
    {
      transcriptId: "s",
      agentPath: [],
      sessionId: "s",
      runId,
      turn: 1,
      toolCallId: "c.1.1",
      rootCall: { runId, toolCallId: "c" },
    },
  ]);
  expect(gated).toEqual([{ transcriptId: "s", agentPath: [] }]);
  expect(hooked).toEqual([
    ["compose", "c", undefined],
    ["look", "c.1.1", "c"],
  ]);
  expect(starts.map(({ call, within, runId: id }) => [call.id, within, id])).toEqual([
    ["c", undefined, runId],
    ["c.1.1", "c", runId],
  ]);
  expect(usage.length).toBe(2);
});

test("callers: a tool for programs is no tool for the model, and the reverse", async () => {
  const log: JsonValue[] = [];
  const onlyPrograms = tool("inner", async () => String(log.push("inner")), { callers: ["program"] });
  const onlyModels = tool("outer", async () => String(log.push("outer")), { callers: ["model"] });
  const compose = composing(async (calls) =>
    (await calls.run([call("inner"), call("outer")])).map(({ output }) => output as string),
  );
  const { engine, provider } = testEngine(
    [toolCall("inner", {}, { id: "i" }), toolCall("outer", {}, { id: "o" }), ...turns()],
    { tools: [compose, onlyPrograms, onlyModels] },
  );

  const result = await engine.run("go", { sessionId: "s" });

  expect(log).toEqual(["outer", "inner"]);
  expect(resultsOf(result).i!.output).toBe('There is no tool "inner". The tools are: compose, outer.');
  expect(JSON.parse(String(resultsOf(result).c!.output))).toEqual([
    "2",
    'There is no tool "outer". The tools are: compose, inner.',
  ]);
  expect(provider.requests[0]!.tools.map(({ name }) => name)).toEqual(["compose", "outer"]);
});

test("an abort reaches the calls, and the tool's run() rejects with its reason", async () => {
  let reason: unknown;
  const stuck = tool(
    "stuck",
    (_input, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const compose = composing(async (calls) => {
    await calls.run([call("stuck")]).catch((error) => {
      reason = error;
    });
    return "composed";
  });
  const { engine, store } = testEngine(turns(), { tools: [compose, stuck] });
  const run = engine.stream("go", { sessionId: "s" });
  for await (const event of run)
    if (event.type === "tool-call-start" && event.within) setTimeout(() => run.abort("enough"), 5);

  expect((await run.result).status).toBe("aborted");
  await engine.close();
  expect(String(reason)).toContain("enough");
  const entries = await entriesOf(store, RECORD);
  expect(entries.at(-1)).toMatchObject({ type: "tool-result", result: { status: "aborted", outcome: "unknown" } });
});

test("a large value needs an artifact store", async () => {
  let said: readonly NestedResult[] = [];
  const large = tool("large", async () => ({ rows: "y".repeat(100_000) }));
  const compose = composing(async (calls) => {
    said = await calls.run([call("large")]);
    return "composed";
  });
  await testEngine(turns(), { tools: [compose, large], permissions: ALLOW }).engine.run("go", { sessionId: "s" });

  expect(said[0]).toMatchObject({ status: "failure", details: { code: "TOOL_RESULT_TOO_LARGE" } });
  expect(said[0]!.output).toContain("at most 65536 are kept without an artifact store");
});
