// What every request begins with, and when that changes; how a context policy shrinks the view.
import { expect, test } from "vitest";
import {
  type ContextPolicy,
  type ContextSource,
  ProviderError,
  RunError,
  ToolRegistry,
  type ViewEdit,
} from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { entriesOf, issuesOf, listen, quiet, testEngine, tool } from "../kit.js";

const look = () => tool("look", async () => "seen", { permission: "read_only" });
const source = (id: string, text: string | null): ContextSource => ({
  id,
  load: async () => (text === null ? null : { id, text }),
});

test("context sources add sections after the system prompt, in their order; null adds nothing", async () => {
  const { engine, provider } = testEngine([text("done")], {
    systemPrompt: [{ id: "a", text: "A" }],
    contextSources: [source("b", "B"), source("none", null), source("c", "C")],
  });

  await engine.run("go");

  expect(provider.requests[0]!.system.map(({ text }) => text)).toEqual(["A", "B", "C"]);
});

test("a context source that throws ends the run as failed, before any request", async () => {
  const failing: ContextSource = { id: "notes", load: async () => Promise.reject(new Error("no disk")) };
  const { engine, provider } = testEngine([], { contextSources: [failing] });

  expect(await engine.run("go")).toMatchObject({
    status: "failed",
    error: { code: "CONTEXT_SOURCE_FAILED", message: 'Context source "notes" failed: no disk' },
  });
  expect(provider.requestCount).toBe(0);
});

test("a context source that throws a RunError ends the run with it", async () => {
  const error = new RunError("WORKSPACE_GONE", { message: "It is gone." });
  const { engine } = testEngine([], { contextSources: [{ id: "notes", load: async () => Promise.reject(error) }] });

  expect((await engine.run("go")).error).toBe(error);
});

test("what a context source records is in the main agent's session before the first model call", async () => {
  const sessions = createMemorySessionStore();
  const seen: unknown[] = [];
  const noting: ContextSource = {
    id: "notes",
    async load({ record, transcriptId }) {
      await record!("notes", transcriptId === "s" ? "main" : "child");
      await expect(record!("loopwright.notes", null)).rejects.toThrow("record() takes a name");
      return null;
    },
  };
  const { engine } = testEngine(
    [
      async () => {
        const entries = await entriesOf(sessions, "s");
        seen.push(...entries.flatMap((entry) => (entry.type === "custom" ? [entry.name, entry.data] : [])));
        return text("done");
      },
    ],
    { sessions, contextSources: [noting] },
  );

  await engine.run("go", { sessionId: "s" });
  expect(seen).toEqual(["notes", "main"]);
});

test("an abort does not wait for a context source that hangs", async () => {
  const { engine } = testEngine([], {
    contextSources: [{ id: "slow", load: () => new Promise(() => {}) }],
    limits: { abandonMs: 5 },
  });

  const run = engine.stream("go");
  await quiet();
  run.abort();

  expect(await Promise.race([run.result, quiet().then(() => null)])).toMatchObject({ status: "aborted" });
});

test("an epoch begins when system text, tools or provider change, and only then", async () => {
  const sessions = createMemorySessionStore();
  const causes = async (options: object, turns = [text("done")]) => {
    const { engine } = testEngine(turns, { sessions, systemPrompt: "A", tools: [look()], ...options });
    const epochs = listen(engine, "epoch");
    await engine.run("go", { sessionId: "s" });
    return epochs.map(({ cause }) => cause);
  };

  const all = [
    await causes({}),
    await causes({}),
    await causes({ systemPrompt: "B" }),
    await causes({ systemPrompt: "B", tools: [] }),
    await causes({ systemPrompt: "B", tools: [], provider: scripted([text("done")], { id: "other" }) }),
  ];

  expect(all).toEqual([["start"], [], ["system"], ["tools"], ["provider"]]);
});

test("tools that come or go in the middle of a run begin an epoch and reach the next request", async () => {
  const registry = new ToolRegistry([look()]);
  registry.register(
    tool("grow", async () => {
      registry.register(tool("grown", async () => ""));
      return "ok";
    }),
  );
  const { engine, provider, store } = testEngine([toolCall("grow"), text("done")], { tools: registry });

  await engine.run("go", { sessionId: "s" });

  expect(provider.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ["look", "grow"],
    ["look", "grow", "grown"],
  ]);
  const epochs = (await entriesOf(store, "s")).filter(({ type }) => type === "epoch");
  expect(epochs).toMatchObject([{ cause: "start" }, { cause: "tools" }]);
});

test("within an epoch each request begins with the one before, message by message", async () => {
  const { engine, provider } = testEngine([toolCall("look", { n: 1 }), toolCall("look", { n: 2 }), text("done")], {
    tools: [look()],
  });

  await engine.run("go");

  const [first, second, third] = provider.requests.map(({ messages }) => messages);
  expect(second!.slice(0, first!.length)).toEqual(first);
  expect(third!.slice(0, second!.length)).toEqual(second);
  expect(second![0]).toBe(first![0]);
});

// ── context policies ────────────────────────────────────────────────────────────────────────────────────────────────

const report = { stage: "snip", beforeTokens: 2, afterTokens: 1, removedTurns: 1, durationMs: 0, costUsd: null };
const snip = (ids: readonly string[], from: number, to: number): ViewEdit => ({
  stage: "snip",
  from: ids[from]!,
  to: ids[to]!,
  replacement: [{ role: "user", content: [{ type: "text", text: "(earlier)" }], origin: "summary" }],
  report,
});
/** Replaces all but the last message once, when it is asked to recover or the view has four messages. */
const policy = (about: Partial<ContextPolicy> = {}): ContextPolicy => ({
  prepare: async ({ entryIds }) => (entryIds.length === 4 ? [snip(entryIds, 0, 2)] : []),
  recover: async ({ entryIds }) => (entryIds.length > 1 ? [snip(entryIds, 0, entryIds.length - 2)] : []),
  ...about,
});

test("a compaction changes what the model is sent, never the transcript; another engine rebuilds the same view", async () => {
  const sessions = createMemorySessionStore();
  const prepare: ContextPolicy["prepare"] = async ({ entryIds }) =>
    entryIds.length === 5 ? [snip(entryIds, 0, 2)] : [];
  const { engine, provider } = testEngine([text("1"), text("2"), text("3")], {
    compaction: policy({ prepare }),
    sessions,
  });
  await engine.run("a", { sessionId: "s" });
  await engine.run("b", { sessionId: "s" });
  const result = await engine.run("c", { sessionId: "s" });
  const later = testEngine([text("4")], { sessions });
  await later.engine.run("d", { sessionId: "s" });

  const texts = (messages: readonly unknown[]) =>
    messages.map((message) => (message as { content: { text: string }[] }).content[0]!.text);
  expect(texts(provider.requests[2]!.messages)).toEqual(["(earlier)", "2", "c"]);
  expect(texts(result.messages())).toEqual(["a", "1", "b", "2", "c", "3"]);
  expect(texts(later.provider.requests[0]!.messages)).toEqual(["(earlier)", "2", "c", "3", "d"]);
});

test("a policy that finds the view too large shrinks it before the request, in an epoch of its own", async () => {
  const { engine, provider, store } = testEngine([toolCall("look"), toolCall("look", { n: 2 }), text("done")], {
    tools: [look()],
    compaction: policy({ prepare: async ({ entryIds }) => (entryIds.length === 5 ? [snip(entryIds, 0, 2)] : []) }),
  });

  const result = await engine.run("go", { sessionId: "s" });

  expect(provider.requests[2]!.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  expect(result.messages()).toHaveLength(6);
  const types = (await entriesOf(store, "s")).map((entry) => (entry.type === "epoch" ? entry.cause : entry.type));
  expect(types.filter((type) => ["view-edit", "start", "compaction"].includes(type))).toEqual([
    "start",
    "view-edit",
    "compaction",
  ]);
});

test("after the provider said too long, the policy recovers and the request is made again", async () => {
  const tooLong = () => new ProviderError("CONTEXT_TOO_LONG", { message: "too long" });
  const { engine, provider } = testEngine([toolCall("look"), tooLong, text("done")], {
    tools: [look()],
    compaction: policy({ prepare: async () => [], recover: async ({ entryIds }) => [snip(entryIds, 0, 2)] }),
  });
  const turns = listen(engine, "turn-end");

  expect(await engine.run("go")).toMatchObject({ status: "completed", text: "done" });
  expect(turns.map(({ transition }) => transition)).toEqual(["next-turn", "overflow-recovery", "completed"]);
  expect(provider.requests[2]!.messages).toHaveLength(1);
});

test("recovering is bounded, and without a policy the run has failed", async () => {
  const tooLong = () => new ProviderError("CONTEXT_TOO_LONG", { message: "too long" });
  const always = (options: object) =>
    testEngine([], { provider: scripted([tooLong], { loop: true }), ...options }).engine.run("go");
  const keep: ContextPolicy["recover"] = async ({ entryIds }) => [snip(entryIds, 0, entryIds.length - 1)];

  expect(await always({})).toMatchObject({ status: "failed", error: { code: "CONTEXT_TOO_LONG" }, turns: 1 });
  expect(await always({ compaction: policy({ recover: keep }) })).toMatchObject({
    status: "failed",
    error: { code: "CONTEXT_TOO_LONG" },
  });
});

test.each<[string, ContextPolicy["prepare"]]>([
  ["throws", async () => Promise.reject(new Error("no model"))],
  ["answers nothing", async () => undefined as never],
])("a policy that %s ends the run as failed with COMPACTION_FAILED", async (_what, prepare) => {
  const { engine } = testEngine([], { compaction: policy({ prepare }) });

  expect(await engine.run("go")).toMatchObject({ status: "failed", error: { code: "COMPACTION_FAILED" } });
});

test("an edit that parts a call from its result ends the run as failed, and the transcript stays whole", async () => {
  const { engine } = testEngine([toolCall("look")], {
    tools: [look()],
    compaction: policy({ prepare: async ({ entryIds }) => (entryIds.length === 3 ? [snip(entryIds, 1, 1)] : []) }),
  });

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "failed", error: { code: "TRANSCRIPT_INVALID" } });
  expect(issuesOf(result)).toEqual([]);
});

test("an abort does not wait for a policy that hangs", async () => {
  const { engine } = testEngine([], {
    compaction: policy({ prepare: () => new Promise(() => {}) }),
    limits: { abandonMs: 5 },
  });

  const run = engine.stream("go");
  await quiet();
  run.abort();

  expect(await Promise.race([run.result, quiet().then(() => null)])).toMatchObject({ status: "aborted" });
});

test("a tool may ask for a compaction, with a focus", async () => {
  const requested: unknown[] = [];
  const compact = tool(
    "compact",
    async (_input, context) => {
      context.requestCompaction!("the tests");
      return "soon";
    },
    {
      permission: "none",
    },
  );
  const { engine } = testEngine([toolCall("compact"), text("done")], {
    tools: [compact],
    compaction: policy({
      prepare: async (_view, budget) => {
        requested.push(budget.requested);
        return [];
      },
    }),
  });

  await engine.run("go");

  expect(requested).toEqual([undefined, { focus: "the tests" }]);
});

test("engine.compact compacts a session that no run is using, and says what was done", async () => {
  const { engine, provider } = testEngine([text("1"), text("2")], {
    compaction: policy({ prepare: async ({ entryIds }, { requested }) => (requested ? [snip(entryIds, 0, 1)] : []) }),
  });
  await engine.run("a", { sessionId: "s" });

  const reports = await engine.compact("s", "the tests");
  await engine.run("b", { sessionId: "s" });

  expect(reports).toEqual([report]);
  expect(provider.requests[1]!.messages).toMatchObject([{ origin: "summary" }, { role: "user" }]);
  await expect(engine.compact("nowhere")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(testEngine([]).engine.compact("s")).rejects.toMatchObject({ code: "OPTION_INVALID" });
});
