// Calls that a tool makes, where something goes wrong or two things meet.
import { expect, test } from "vitest";
import { childTranscriptId } from "../../src/engine/transcript/child-id.js";
import {
  AgentEngine,
  type Answer,
  type BaseTool,
  type EngineOptions,
  type JsonValue,
  type NestedCall,
  type NestedResult,
  type SessionEntry,
  signAnswer,
  type ToolContext,
} from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { entriesOf, issuesOf, quiet, resultsOf, testEngine, tool } from "./kit.js";

type Calls = NonNullable<ToolContext["calls"]>;

function composing(compose: (calls: Calls, context: ToolContext) => Promise<JsonValue>, about: Partial<BaseTool> = {}) {
  return tool("compose", (_input, context) => compose(context.calls!, context), {
    permission: "none",
    timeoutMs: null,
    onUnknown: "retry",
    ...about,
  });
}

const call = (name: string, input: JsonValue = {}): NestedCall => ({ name, input });
const RECORD = childTranscriptId("s", "c", 1);
const turns = () => [toolCall("compose", {}, { id: "c" }), text("done")];
const pay = (log: JsonValue[]) => tool("pay", async (input) => `paid ${log.push(input)}`);

/** Runs until something is asked, and goes on with another engine after `change`. */
async function suspendedAndResumed(
  tools: readonly BaseTool[],
  answer: (request: { readonly id: string }, all: readonly never[]) => Answer,
  options: Partial<EngineOptions> = {},
) {
  const sessions = createMemorySessionStore();
  const make = (script = turns()) => new AgentEngine({ provider: scripted(script), sessions, tools, ...options });
  const first = await make().run("go", { sessionId: "s" });
  const answers = first.pending.map((request) => answer(request, first.pending as never));
  const result = await make([text("done")]).resume("s", { answers }).result;
  return { first, result, sessions };
}

test("a sub-agent's tool asks for one of its calls: the question reaches the host, and the answer the call", async () => {
  const log: JsonValue[] = [];
  const sessions = createMemorySessionStore();
  const scout = { name: "scout", description: "Looks.", systemPrompt: "Look." };
  const task = tool("task", async (_input, { spawn }) => (await spawn!(scout, "look")).text, {
    permission: "none",
    timeoutMs: null,
    spawns: { maxDepth: 1 },
  });
  const compose = composing(async (calls) => (await calls.run([call("pay", 7)]))[0]!.value);
  const make = (script: Parameters<typeof scripted>[0]) =>
    new AgentEngine({ provider: scripted(script), sessions, tools: [task, compose, pay(log)] });

  const first = await make([toolCall("task", {}, { id: "t" }), toolCall("compose", {}, { id: "c" })]).run("go", {
    sessionId: "s",
  });
  expect(first.pending).toMatchObject([
    { tool: "pay", agentPath: ["scout"], within: { tool: "compose", toolCallId: "c", call: 1 } },
  ]);

  const answers = [{ id: first.pending[0]!.id, decision: "allow" as const }];
  const result = await make([text("found"), text("done")]).resume("s", { answers }).result;

  expect(result).toMatchObject({ status: "completed", text: "done" });
  expect(log).toEqual([7]);
  expect(resultsOf(result).t!.output).toBe("found");
});

test("two calls that ask together are answered together, or one by one", async () => {
  const log: JsonValue[] = [];
  const compose = composing(async (calls) =>
    (await calls.run([call("pay", 1), call("pay", 2)])).map(({ status }) => status),
  );
  const sessions = createMemorySessionStore();
  const make = (script = turns()) =>
    new AgentEngine({ provider: scripted(script), sessions, tools: [compose, pay(log)] });

  const first = await make().run("go", { sessionId: "s" });
  expect(first.pending.map(({ within }) => within!.call)).toEqual([1, 2]);
  const second = await make([]).resume("s", { answers: [{ id: first.pending[1]!.id, decision: "allow" }] }).result;
  expect(second.status).toBe("needs-approval");
  expect(second.pending.map(({ id }) => id)).toEqual([first.pending[0]!.id]);
  expect(log).toEqual([]);
  const third = await make([text("done")]).resume("s", { answers: [{ id: first.pending[0]!.id, decision: "deny" }] })
    .result;

  expect(third.status).toBe("completed");
  expect(resultsOf(third).c!.output).toBe('["denied","success"]');
  expect(log).toEqual([2]);
});

test("a call that suspends itself is entered again with its answer", async () => {
  const ask = tool(
    "ask",
    async (_input, context) => {
      if (!context.resumed) return context.suspend({ kind: "question", reason: "Which?" }, { asked: 1 });
      return JSON.stringify(context.resumed);
    },
    { permission: "none" },
  );
  const compose = composing(async (calls) => (await calls.run([call("ask")]))[0]!.value);

  const { result } = await suspendedAndResumed([compose, ask], ({ id }) => ({ id, value: "this" }));

  expect(result.status).toBe("completed");
  expect(resultsOf(result).c!.output).toContain('"value":"this"');
  expect(resultsOf(result).c!.output).toContain('"asked":1');
});

test("a signed answer counts, one without the key does not, nor one to a question in another frame", async () => {
  const key = "k".repeat(32);
  const log: JsonValue[] = [];
  const compose = composing(async (calls) => (await calls.run([call("pay", 1)]))[0]!.value);
  const options = { approvals: { key } };
  const tools = [compose, pay(log)];

  const unsigned = await suspendedAndResumed(tools, ({ id }) => ({ id, decision: "allow" }), options);
  expect(unsigned.result.status).toBe("needs-approval");

  const forged = await suspendedAndResumed(
    tools,
    (request) => {
      const other = { ...request, within: { tool: "harmless", toolCallId: "c", call: 1 } };
      return signAnswer(other as never, { id: request.id, decision: "allow" as const }, key);
    },
    options,
  );
  expect(forged.result.status).toBe("needs-approval");
  expect(log).toEqual([]);

  const signed = await suspendedAndResumed(
    tools,
    (request) => signAnswer(request as never, { id: request.id, decision: "allow" as const }, key),
    options,
  );
  expect(signed.result.status).toBe("completed");
  expect(log).toEqual([1]);
});

test("a question whose frame was changed in the record is asked again, without the answer", async () => {
  const log: JsonValue[] = [];
  const compose = composing(async (calls) => (await calls.run([call("pay", 1)]))[0]!.value);
  const sessions = createMemorySessionStore();
  const make = (store = sessions, script = turns()) =>
    new AgentEngine({ provider: scripted(script), sessions: store, tools: [compose, pay(log)] });
  const { pending } = await make().run("go", { sessionId: "s" });
  const forged = createMemorySessionStore();
  for (const id of ["s", RECORD]) {
    const entries = await entriesOf(sessions, id);
    const changed = JSON.parse(
      JSON.stringify(entries).replaceAll('"within":{"tool":"compose"', '"within":{"tool":"harmless"'),
    );
    await forged.append(id, changed as SessionEntry[]);
  }

  const result = await make(forged, [text("done")]).resume("s", {
    answers: [{ id: pending[0]!.id, decision: "allow" }],
  }).result;

  expect(result.status).toBe("needs-approval");
  expect(result.pending).toMatchObject([{ within: { tool: "compose" } }]);
  expect(log).toEqual([]);
});

test("a large value is an artifact, and the tool that is entered again gets it whole", async () => {
  const seen: JsonValue[] = [];
  const large = tool("large", async () => ({ rows: "y".repeat(200_000) }), { permission: "none" });
  const compose = composing(async (calls) => {
    const [made] = await calls.run([call("large")]);
    seen.push((made!.value as { rows: string }).rows.length);
    await calls.run([call("pay")]);
    return "composed";
  });
  const kept = new Map<string, string>();
  const artifacts: NonNullable<EngineOptions["artifacts"]> = {
    put: async (content) => {
      const id = `a${kept.size}`;
      kept.set(id, String(content));
      return { id, path: `/artifacts/${id}`, bytes: content.length, mediaType: "application/json" };
    },
    get: async (id) => new TextEncoder().encode(kept.get(id)!),
  };

  const { result, sessions } = await suspendedAndResumed(
    [compose, large, pay([])],
    ({ id }) => ({ id, decision: "allow" }),
    { artifacts },
  );

  expect(result.status).toBe("completed");
  expect(seen).toEqual([200_011 - 11, 200_000]);
  expect(JSON.stringify(await entriesOf(sessions, RECORD)).length).toBeLessThan(50_000);
});

test("a value whose artifact is gone is an error that says so", async () => {
  const large = tool("large", async () => ({ rows: "y".repeat(200_000) }), { permission: "none" });
  const compose = composing(async (calls) => {
    await calls.run([call("large")]);
    await calls.run([call("pay")]);
    return "composed";
  });
  const artifacts: NonNullable<EngineOptions["artifacts"]> = {
    put: async (content) => ({ id: "a", path: "/artifacts/a", bytes: content.length, mediaType: "application/json" }),
    get: async () => {
      throw new Error("there is none");
    },
  };

  const log: JsonValue[] = [];
  const { result } = await suspendedAndResumed([compose, large, pay(log)], ({ id }) => ({ id, decision: "allow" }), {
    artifacts,
  });

  expect(resultsOf(result).c).toMatchObject({ isError: true });
  expect(resultsOf(result).c!.output).toContain('The value of call "c.1.1" cannot be read any more from /artifacts/a');
  expect(log).toEqual([]);
});

test("calls that the tool does not wait for end with it, and none begins after it", async () => {
  const log: string[] = [];
  const slow = tool("slow", async (_input, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    log.push("aborted");
    return "late";
  });
  let later: Calls | undefined;
  const compose = composing(async (calls) => {
    later = calls;
    void calls.run([call("slow")]);
    void calls.run([call("slow")]);
    await quiet();
    return "composed";
  });
  const { engine, store } = testEngine(turns(), { tools: [compose, slow] });

  const result = await engine.run("go", { sessionId: "s" });

  expect(resultsOf(result).c!.output).toBe("composed");
  expect(log).toEqual(["aborted"]);
  await expect(later!.run([call("slow")])).rejects.toThrow("has ended");
  expect((await entriesOf(store, RECORD)).map(({ type }) => type)).toEqual(["message", "tool-start", "tool-result"]);
  await engine.close();
});

test("the tool's timeout ends its calls", async () => {
  const signals: AbortSignal[] = [];
  const stuck = tool("stuck", async (_input, { signal }) => {
    signals.push(signal);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("gone")));
  });
  const compose = composing(async (calls) => (await calls.run([call("stuck")]))[0]!.value, { timeoutMs: 30 });
  const { engine } = testEngine(turns(), { tools: [compose, stuck] });

  const result = await engine.run("go", { sessionId: "s" });

  expect(resultsOf(result).c!.output).toContain("did not end within 30 ms");
  expect(signals[0]!.aborted).toBe(true);
  await engine.close();
});

test("what a called tool delivers, and what hooks say about it, reaches the agent's model", async () => {
  const teach = tool("teach", async (_input, { deliver }) => String(deliver!("Use the skill.", "skill")));
  const compose = composing(async (calls) => (await calls.run([call("teach")]))[0]!.value);
  const { engine, provider } = testEngine(turns(), {
    tools: [compose, teach],
    hooks: { PostToolUse: [{ matcher: "teach", run: () => ({ additionalContext: "Taught." }) }] },
  });

  const result = await engine.run("go", { sessionId: "s" });

  expect(resultsOf(result).c!.output).toBe("true");
  const sent = JSON.stringify(provider.requests[1]!.messages);
  expect(sent).toContain("Use the skill.");
  expect(sent).toContain("Taught.");
});

test("a hook that stops the run over a called tool stops the agent's", async () => {
  const compose = composing(async (calls) => (await calls.run([call("pay")]))[0]!.output as string);
  const { engine } = testEngine(turns(), {
    tools: [compose, pay([])],
    hooks: { PreToolUse: [{ matcher: "pay", run: () => ({ continue: false, stopReason: "Enough." }) }] },
  });

  const result = await engine.run("go", { sessionId: "s" });

  expect(result.status).toBe("hook-stopped");
  expect(resultsOf(result).c!.output).toBe("Enough.");
});

test("a new prompt instead of an answer ends the call and the calls below it", async () => {
  const log: JsonValue[] = [];
  const ended: unknown[] = [];
  const ask = tool("ask", (_input, { suspend }) => suspend({ kind: "question", reason: "Which?" }), {
    permission: "none",
    endCall: async (about) => void ended.push(about),
  });
  const compose = composing(async (calls) => (await calls.run([call("pay", 1), call("ask")]))[0]!.value);
  const sessions = createMemorySessionStore();
  const make = (script = turns()) =>
    new AgentEngine({ provider: scripted(script), sessions, tools: [compose, pay(log), ask] });
  await make().run("go", { sessionId: "s" });

  const result = await make([text("well")]).run("something else", { sessionId: "s" });

  expect(result).toMatchObject({ status: "completed", text: "well" });
  expect(issuesOf(result)).toEqual([]);
  expect(log).toEqual([]);
  expect(ended).toEqual([{ toolCallId: "c.1.2", transcriptId: "s", sessionId: "s" }]);
  const statuses = (await entriesOf(sessions, RECORD)).flatMap((entry) =>
    entry.type === "tool-result" ? entry.result.status : [],
  );
  expect(statuses).toEqual(["denied", "denied"]);
});

test("a store that fails between waves ends the run, and the tool hears of it", async () => {
  const sessions = createMemorySessionStore();
  const append = sessions.append.bind(sessions);
  let isBroken = false;
  const store = Object.assign(Object.create(sessions) as typeof sessions, {
    append: async (id: string, entries: readonly SessionEntry[]) => {
      if (isBroken && id === RECORD) throw new Error("disk full");
      return append(id, entries);
    },
    read: (id: string) => sessions.read(id),
    lock: (id: string) => sessions.lock(id),
  });
  const log: JsonValue[] = [];
  let heard = "";
  const compose = composing(async (calls) => {
    await calls.run([call("pay", 1)]);
    isBroken = true;
    try {
      await calls.run([call("pay", 2)]);
    } catch (error) {
      heard = String(error);
      throw error;
    }
    return "composed";
  });
  const { engine } = testEngine(turns(), { tools: [compose, pay(log)], sessions: store });

  const result = await engine.run("go", { sessionId: "s" });

  expect(heard).toContain("disk full");
  expect(log).toEqual([1]);
  expect(resultsOf(result).c).toMatchObject({ isError: true });
});

test("usage and budgets are those of the model alone", async () => {
  const compose = composing(async (calls) => {
    for (let n = 0; n < 20; n++) await calls.run([call("pay", "x".repeat(10_000))]);
    return "composed";
  });
  const { engine } = testEngine(turns(), { tools: [compose, pay([])], limits: { maxTokens: 1_000, maxTurns: 3 } });
  const bare = testEngine([toolCall("pay", {}, { id: "c" }), text("done")], { tools: [pay([])] });

  const result = await engine.run("go", { sessionId: "s" });
  const expected = await bare.engine.run("go", { sessionId: "s" });

  expect(result.status).toBe("completed");
  expect({ ...result.usage, inputTokens: 0 }).toEqual({ ...expected.usage, inputTokens: 0 });
});

test("wrong arguments of run() are an error of the tool, and no calls are no wave", async () => {
  const said: unknown[] = [];
  const compose = composing(async (calls) => {
    said.push(await calls.run([]));
    for (const wrong of [null, "look", [{ input: 1 }], [{ name: "look", input: () => 1 }]])
      await calls.run(wrong as never).catch((error) => said.push(String(error).slice(0, 70)));
    const results: readonly NestedResult[] = await calls.run([{ name: "pay" } as never]);
    return results[0]!.toolCallId;
  });
  const { engine } = testEngine(turns(), { tools: [compose, pay([])] });

  const result = await engine.run("go", { sessionId: "s" });

  expect(said[0]).toEqual([]);
  expect(said.slice(1)).toEqual(
    Array(4).fill(expect.stringContaining("context.calls.run() takes an array of { name, input }")),
  );
  expect(resultsOf(result).c!.output).toBe("c.1.1");
});
