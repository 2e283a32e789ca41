// Parts of the host that hang, lie or are of the wrong kind: named errors, bounded waits, and nothing lost.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCompactionPipeline } from "../../src/compaction/index.js";
import { createMemorySessionStore } from "../../src/engine/transcript/memory-session-store.js";
import {
  type ContextPolicy,
  type EngineOptions,
  type PermissionGate,
  type Registry,
  type Runtime,
  type SessionStore,
  ToolRegistry,
} from "../../src/index.js";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { deferred, entriesOf, issuesOf, listen, quiet, resultsOf, testEngine, tool } from "./kit.js";

const never = <T>() => new Promise<T>(() => {});
/** Async where a plain value is due, and failing. */
const rejects = (() => Promise.reject(new Error("no"))) as never;
const fails = (() => {
  throw new Error("no");
}) as never;

/** A registry of a host's own. */
function registryMethods(own: Registry): Registry {
  const registry: Registry = {
    register: () => registry,
    unregister: (name) => own.unregister(name),
    get: (name) => own.get(name),
    list: () => own.list(),
    definitions: () => own.definitions(),
    execute: (call, context) => own.execute(call, context),
  };
  return registry;
}
const faults: unknown[] = [];
const onFault = (fault: unknown) => faults.push(fault);

beforeAll(() => {
  process.on("unhandledRejection", onFault);
  process.on("warning", onFault);
});
afterAll(() => {
  process.off("unhandledRejection", onFault);
  process.off("warning", onFault);
  expect(faults).toEqual([]);
});

// ── the prompt ──────────────────────────────────────────────────────────────────────────────────────────────────────

test.each<[string, Partial<EngineOptions>]>([
  ["a context source that hangs", { contextSources: [{ id: "slow", load: never }] }],
  ["a SessionStart hook that hangs", { hooks: { SessionStart: [{ run: never }] } }],
  ["a UserPromptSubmit hook that hangs", { hooks: { UserPromptSubmit: [{ run: never }] } }],
  ["a tool whose ready() hangs", { tools: [tool("act", async () => "", { ready: never })] }],
])("a prompt is on record and resumed although %s is cut off by an abort", async (_what, options) => {
  const first = testEngine(["First answer."], {});
  await first.engine.run("first prompt", { sessionId: "s" });
  const second = testEngine([], { ...options, sessions: first.store, limits: { abandonMs: 10 } });
  const run = second.engine.stream("second prompt", { sessionId: "s" });
  setTimeout(() => run.abort(), 5);

  const cut = await run.result;
  const third = testEngine(["Second answer."], { sessions: first.store });
  const resumed = await third.engine.resume("s").result;

  expect(cut.status).toBe("aborted");
  expect(JSON.stringify(await entriesOf(first.store, "s"))).toContain("second prompt");
  expect(resumed).toMatchObject({ status: "completed", text: "Second answer." });
  expect(third.provider.requests[0]!.lastUserText).toContain("second prompt");
});

test("a prompt that a hook could not decide about is asked about again by the next run", async () => {
  const first = testEngine([], { hooks: { UserPromptSubmit: [{ run: never }] }, limits: { abandonMs: 10 } });
  const run = first.engine.stream("secret prompt", { sessionId: "s" });
  setTimeout(() => run.abort(), 5);
  await run.result;
  const asked: string[] = [];
  const second = testEngine(["Hello."], {
    sessions: first.store,
    hooks: {
      UserPromptSubmit: [
        {
          run: ({ prompt }) => {
            asked.push(prompt);
            return prompt.includes("secret") ? { decision: "block", reason: "no secrets" } : {};
          },
        },
      ],
    },
  });

  const blocked = await second.engine.resume("s").result;
  const next = await second.engine.run("hi", { sessionId: "s" });

  expect([blocked.status, next.status]).toEqual(["hook-stopped", "completed"]);
  expect(asked).toEqual(["secret prompt", "hi"]);
  expect(JSON.stringify(second.provider.requests)).not.toContain("secret");
});

test("a context source that fails ends the run with its prompt kept", async () => {
  const sources = [{ id: "broken", load: () => Promise.reject(new Error("no such file")) }];
  const first = testEngine([], { contextSources: sources });

  const failed = await first.engine.run("find it", { sessionId: "s" });
  const resumed = await testEngine(["Found."], { sessions: first.store }).engine.resume("s").result;

  expect(failed).toMatchObject({ status: "failed", error: { code: "CONTEXT_SOURCE_FAILED" } });
  expect(resumed).toMatchObject({ status: "completed", text: "Found." });
});

// ── waits ───────────────────────────────────────────────────────────────────────────────────────────────────────────

function hungStore(method: "append" | "lock" | "read" | "unlock"): SessionStore {
  const store = createMemorySessionStore();
  if (method === "append") return { ...store, append: never };
  if (method === "lock") return { ...store, lock: never };
  if (method === "unlock") return { ...store, lock: async () => never };
  return { ...store, read: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) };
}

test.each([
  ["append", "failed", "SESSION_WRITE"],
  ["lock", "aborted", "RUN_ABORTED"],
  ["read", "aborted", "RUN_ABORTED"],
] as const)("a store whose %s() never answers is given up after an abort: %s", async (method, status, code) => {
  const { engine } = testEngine([text("Hello.")], { sessions: hungStore(method), limits: { abandonMs: 10 } });
  const notices = listen(engine, "notice");
  const run = engine.stream("hi");
  setTimeout(() => run.abort(), 5);

  const result = await run.result;
  await run.idle;

  expect(result).toMatchObject({ status, error: { code } });
  expect(notices.map(({ message }) => message).join()).toContain(`The session store's ${method}()`);
});

test("an abort lets go of a store that does not open the session at once, however long abandonMs is", async () => {
  for (const method of ["lock", "read"] as const) {
    const { engine } = testEngine([], { sessions: hungStore(method), limits: { abandonMs: 60_000 } });
    const run = engine.stream("hi");
    setTimeout(() => run.abort(), 5);
    expect((await run.result).status).toBe("aborted");
  }
});

/** A store whose first `append` is answered when the test says so. */
function slowFirstAppend(answer: Promise<void>): SessionStore {
  const store = createMemorySessionStore();
  let appends = 0;
  return {
    ...store,
    append: async (id, entries) => {
      if (appends++ === 0) await answer;
      await store.append(id, entries);
    },
  };
}

test("a session stays locked until a write that was given up has settled, and says why", async () => {
  const answer = deferred();
  const sessions = slowFirstAppend(answer.promise);
  const { engine, provider } = testEngine(["one", "three"], { sessions, limits: { abandonMs: 10 } });
  const other = testEngine([], { sessions }).engine;
  const first = engine.stream("ONE", { sessionId: "s" });
  setTimeout(() => first.abort(), 5);
  expect(await first.result).toMatchObject({ status: "failed", error: { code: "SESSION_WRITE" } });

  const busy = { code: "SESSION_BUSY", message: expect.stringContaining("may still land"), retryable: true };
  await expect(engine.run("TWO", { sessionId: "s" })).rejects.toMatchObject(busy);
  await expect(engine.execute(call, { sessionId: "s" })).rejects.toMatchObject(busy);
  await expect(other.run("TWO", { sessionId: "s" })).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await expect(sessions.delete("s")).rejects.toMatchObject({ code: "SESSION_BUSY" });
  answer.resolve();
  await quiet();

  expect(await engine.run("THREE", { sessionId: "s" })).toMatchObject({ status: "completed" });
  expect(provider.requests.at(-1)!.messages.map(({ content }) => content)).toMatchObject([
    [{ text: "ONE" }],
    [{ text: "THREE" }],
  ]);
});

test("a store that never unlocks does not hold back the result", async () => {
  const { engine } = testEngine([text("Hello.")], { sessions: hungStore("unlock"), limits: { abandonMs: 10 } });
  const notices = listen(engine, "notice");

  const result = await engine.run("hi");

  expect(result).toMatchObject({ status: "completed", text: "Hello." });
  expect(notices.map(({ message }) => message).join()).toContain("unlock");
});

test("close settles a run whose store hangs, and a deadline does, too", async () => {
  const closed = testEngine([text("Hello.")], { sessions: hungStore("append"), limits: { abandonMs: 10 } });
  const timed = testEngine([text("Hello.")], {
    sessions: hungStore("append"),
    limits: { abandonMs: 10, deadlineMs: 10 },
  });
  const run = closed.engine.run("hi");
  setTimeout(() => closed.engine.close(), 5);

  const results = [await run, await timed.engine.run("hi")];

  expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
    ["failed", "SESSION_WRITE"],
    ["failed", "SESSION_WRITE"],
  ]);
});

test("a gate that hangs, in deciding or in remembering, ends with the run", async () => {
  const update = { type: "addRules", behavior: "allow", rules: ["act"], destination: "session" } as const;
  const hanging = [{ decide: never }, { decide: () => ({ behavior: "ask" }) as const, remember: () => never<void>() }];
  for (const permissions of hanging) {
    const { engine } = testEngine([toolCall("act")], {
      tools: [tool("act", async () => "acted")],
      permissions,
      approver: () => ({ decision: "allow", remember: [update] }),
      limits: { abandonMs: 10 },
    });
    const run = engine.stream("go");
    setTimeout(() => run.abort(), 20);

    const { status, pending } = await run.result;
    await run.idle;

    expect([status, pending]).toEqual(["aborted", []]);
  }
});

test("a StopFailure hook without an end does not hold back the result", async () => {
  const { engine } = testEngine([], {
    contextSources: [{ id: "broken", load: () => Promise.reject(new Error("no")) }],
    hooks: { StopFailure: [{ run: never }] },
    limits: { abandonMs: 10 },
  });

  expect((await engine.run("hi")).status).toBe("failed");
});

test("a tool that suspends itself after each answer is ended by a timer of the host", async () => {
  const asking = tool("ask", async (_input, context) => context.suspend({ kind: "question", reason: "And now?" }));
  const { engine } = testEngine([toolCall("ask"), "Done."], {
    tools: [asking],
    approver: () => ({ value: "on" }),
    limits: { abandonMs: 10 },
  });
  const run = engine.stream("go");
  setTimeout(() => run.abort(), 10);

  expect((await run.result).status).toBe("aborted");
});

test("a tool that suspends itself without end gets an error result", async () => {
  let entered = 0;
  const asking = tool("ask", async (_input, context) => {
    entered++;
    return context.suspend({ kind: "question", reason: "And now?" });
  });
  const { engine } = testEngine([toolCall("ask"), "Done."], { tools: [asking], approver: () => ({ value: "on" }) });
  const outputs: unknown[] = [];
  engine.on("tool-call-end", ({ result }) => outputs.push(result.output));

  const { status } = await engine.run("go");

  expect([status, entered]).toEqual(["completed", 1_001]);
  expect(outputs).toEqual([expect.stringContaining("suspended one call 1000 times")]);
});

// ── parts of the wrong kind ─────────────────────────────────────────────────────────────────────────────────────────

const report = { stage: "own", beforeTokens: 2, afterTokens: 1, removedTurns: 1, durationMs: 0, costUsd: 0 };
const policy = (edits: (ids: readonly string[]) => unknown): ContextPolicy => ({
  prepare: (({ entryIds }: { entryIds: readonly string[] }) => edits(entryIds)) as never,
  recover: async () => [],
});

test.each<[string, Partial<EngineOptions>, string]>([
  [
    "a source that returns a string",
    { contextSources: [{ id: "x", load: (() => "text") as never }] },
    "CONTEXT_SOURCE_FAILED",
  ],
  [
    "a source that returns a number",
    { contextSources: [{ id: "x", load: (() => 7) as never }] },
    "CONTEXT_SOURCE_FAILED",
  ],
  [
    "a source that throws at once",
    {
      contextSources: [
        {
          id: "x",
          load: () => {
            throw new Error("no");
          },
        },
      ],
    },
    "CONTEXT_SOURCE_FAILED",
  ],
  ["a policy that returns undefined", { compaction: policy(() => undefined) }, "COMPACTION_FAILED"],
  ["a policy that returns wrong edits", { compaction: policy(() => [{ from: 1 }]) }, "COMPACTION_FAILED"],
  ["a policy that returns null edits", { compaction: policy(() => [null]) }, "COMPACTION_FAILED"],
  [
    "a policy that empties the view",
    { compaction: policy(([from]) => [{ stage: "own", from, to: from, replacement: [], report }]) },
    "COMPACTION_FAILED",
  ],
])("%s ends the run with a named error", async (_what, options, code) => {
  const { engine } = testEngine([text("Hello.")], options);

  const { status, error } = await engine.run("hi");

  expect([status, error?.code]).toEqual(["failed", code]);
});

test("plain values where promises are due are taken for what they say", async () => {
  const { engine, provider } = testEngine([text("Hello.")], {
    contextSources: [{ id: "x", load: (() => ({ id: "x", text: "Be brief." })) as never }],
    compaction: policy(() => []),
  });

  const { status } = await engine.run("hi");

  expect(status).toBe("completed");
  expect(provider.requests[0]!.system).toMatchObject([{ text: "Be brief." }]);
});

test.each([
  ["an async stream()", async () => [], "remove `async`"],
  ["a stream() that returns nothing", () => undefined, "async iterable"],
  ["an iterator of plain steps", () => ({ [Symbol.asyncIterator]: () => ({ next: () => 7 }) }), ""],
])("%s is the provider's failure", async (_what, stream, message) => {
  const { engine } = testEngine([], { provider: { id: "own", model: "m", stream: stream as never } });

  const { status, error } = await engine.run("hi");

  expect([status, error?.code]).toEqual(["failed", "PROVIDER_FAILED"]);
  expect(error?.message).toContain(message);
});

test.each<[string, () => unknown]>([
  ["undefined", () => undefined],
  ["a string", () => "allow"],
  ["an unknown behavior", () => ({ behavior: "maybe" })],
  ["a promise of null", async () => null],
  [
    "a promise of a proxy that throws",
    async () =>
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no");
          },
          has: () => false,
        },
      ),
  ],
])("a gate that answers %s denies", async (_what, decide) => {
  const { engine } = testEngine([toolCall("act"), "Done."], {
    tools: [tool("act", async () => "acted")],
    permissions: { decide: decide as never },
  });
  const statuses: string[] = [];
  engine.on("tool-call-end", ({ result }) => statuses.push(result.status));

  const { status } = await engine.run("go");

  expect([status, statuses]).toEqual(["completed", ["denied"]]);
});

test("a gate cannot change the input that is executed", async () => {
  const inputs: unknown[] = [];
  const act = tool("act", async (input) => {
    inputs.push(input);
    return "acted";
  });
  const { engine } = testEngine([toolCall("act", { path: "a" }), "Done."], {
    tools: [act],
    permissions: {
      decide: ({ input }) => {
        Reflect.set(input as object, "path", "/etc/passwd");
        return { behavior: "allow" };
      },
    },
  });

  await engine.run("go");

  expect(inputs).toEqual([{ path: "a" }]);
});

test.each<[string, unknown]>([
  ["undefined", undefined],
  ["a string", "fine"],
  ["wrong lists", { continue: true, blocked: false, additionalContext: "x" }],
  ["a wrong permission", { permission: "maybe" }],
])(
  "a dispatcher that returns %s blocks where hooks guard, and does not end the run elsewhere",
  async (_what, outcome) => {
    const { engine } = testEngine([toolCall("act"), "Done."], {
      tools: [tool("act", async () => "acted")],
      hooks: { has: (point) => point === "PreToolUse" || point === "Stop", run: async () => outcome as never },
    });
    const statuses: string[] = [];
    engine.on("tool-call-end", ({ result }) => statuses.push(result.status));

    const { status } = await engine.run("go");

    expect([status, statuses]).toEqual(["completed", ["denied"]]);
  },
);

test.each([
  ["null", null],
  ["a number", 7],
  ["an entry without a type", { v: 1, id: "a", parent: null }],
])("a store that reads %s is reported as SESSION_READ or worse, never INTERNAL", async (_what, entry) => {
  const store = createMemorySessionStore();
  const lying: SessionStore = {
    ...store,
    async *read() {
      yield entry as never;
    },
  };

  const { status, error } = await testEngine([], { sessions: lying }).engine.run("hi", { sessionId: "s" });

  expect(status).toBe("failed");
  expect(error?.code).toMatch(/^(SESSION_READ|SESSION_CORRUPT|TRANSCRIPT_INVALID)$/);
});

test("a store's failure is SESSION_WRITE also when the run was aborted", async () => {
  const store = createMemorySessionStore();
  let isBroken = false;
  const failing: SessionStore = {
    ...store,
    append: async (id, entries) => {
      if (isBroken) throw new Error("disk full");
      await store.append(id, entries);
    },
  };
  const { engine } = testEngine([toolCall("act")], {
    tools: [tool("act", never)],
    sessions: failing,
    limits: { abandonMs: 5 },
  });
  const run = engine.stream("go");
  engine.on("tool-call-start", () => {
    setTimeout(() => {
      isBroken = true;
      run.abort();
    }, 5);
  });

  expect(await run.result).toMatchObject({ status: "failed", error: { code: "SESSION_WRITE" } });
});

test("twenty hooks at one point warn nobody", async () => {
  const hooks = Array.from({ length: 20 }, () => ({
    run: () => new Promise<void>((resolve) => setTimeout(resolve, 1)),
  }));
  const { engine } = testEngine(["Hello."], { hooks: { Stop: hooks } });

  expect((await engine.run("hi")).status).toBe("completed");
});

test("run-end comes when the session is free for the next run, and is the last event", async () => {
  const { engine } = testEngine(["One.", "Two."]);
  let next: Promise<unknown> | undefined;
  engine.once("run-end", () => {
    next = engine.run("again", { sessionId: "s" });
  });
  const types: string[] = [];
  for await (const { type } of engine.stream("hi", { sessionId: "s" })) types.push(type);

  expect(types.at(-1)).toBe("run-end");
  expect(await next).toMatchObject({ status: "completed", text: "Two." });
});

test("details and suspension state are bounded by their size", async () => {
  const big = "x".repeat(2_000_000);
  const { engine } = testEngine([[toolCall("details"), toolCall("state")], "Done."], {
    tools: [
      tool("details", async () => ({ output: "ok", details: { code: "MINE", big } })),
      tool("state", async (_input, context) => context.suspend({ kind: "question", reason: "?" }, { big })),
    ],
  });
  const results: unknown[] = [];
  engine.on("tool-call-end", ({ result }) => results.push(result.details));

  await engine.run("go");

  expect(JSON.stringify(results).length).toBeLessThan(1_000);
  expect(results).toContainEqual({ code: "MINE", omitted: expect.any(String) });
});

test.each<[string, Partial<EngineOptions>, string]>([
  [
    "a read() that is async",
    { sessions: { ...createMemorySessionStore(), read: (async () => []) as never } },
    "async *",
  ],
  ["a read() that rejects", { sessions: { ...createMemorySessionStore(), read: rejects } }, "async *"],
])("a store with %s is named, and its promise does not end the process", async (_what, options, message) => {
  const { status, error } = await testEngine([], options).engine.run("hi");

  expect([status, error?.code]).toEqual(["failed", "SESSION_READ"]);
  expect(error?.message).toContain(message);
});

test("a dispatcher whose has() fails is asked all the same", async () => {
  for (const has of [fails, rejects]) {
    const hooks = { has, run: async () => ({}) } as never;
    const { status } = await testEngine([text("Hello.")], { hooks }).engine.run("hi");

    expect(status).toBe("completed");
  }
});

test.each<[string, Partial<Registry>, string]>([
  ["get() is async", { get: rejects }, "get() must return a tool or undefined, got a promise"],
  ["get() fails", { get: fails }, "get() failed: no"],
  ["resolve() is async", { resolve: rejects }, "resolve() must return a call, got a promise"],
])("a call fails with a named error where a registry's %s", async (_what, wrong, message) => {
  const own = new ToolRegistry([tool("act", async () => "acted")]);
  const tools = { ...registryMethods(own), ...wrong };
  const { engine } = testEngine([toolCall("act"), "Done."], { tools });
  const outputs: unknown[] = [];
  engine.on("tool-call-end", ({ result }) => outputs.push(result.output));

  const { status } = await engine.run("go");

  expect([status, outputs]).toEqual(["completed", [expect.stringContaining(message)]]);
});

test.each<[string, Partial<Registry>]>([
  ["list() is async", { list: rejects }],
  ["list() has holes", { list: () => [null] as never }],
  ["definitions() fails", { definitions: fails }],
  ["definitions() has holes", { definitions: () => [null] as never }],
])("a run is refused where a registry's %s", async (_what, wrong) => {
  const own = new ToolRegistry([tool("act", async () => "acted")]);
  const { engine } = testEngine([], { tools: { ...registryMethods(own), ...wrong } });

  await expect(engine.run("go")).rejects.toMatchObject({ code: "TOOL_INVALID" });
});

test("tools that cannot get ready end the run with its prompt kept", async () => {
  const act = tool("act", async () => "acted", { ready: rejects });
  const { engine, store } = testEngine([], { tools: [act] });

  expect(await engine.run("go", { sessionId: "s" })).toMatchObject({
    status: "failed",
    error: { code: "TOOL_FAILED" },
  });
  expect(JSON.stringify(await entriesOf(store, "s"))).toContain("go");
});

test.each<[string, Partial<Runtime>]>([
  ["newId() returns nothing", { newId: () => "" }],
  ["newId() is async", { newId: rejects }],
  ["newId() repeats itself", { newId: () => "same" }],
])("a run is refused where a runtime's %s", async (_what, runtime) => {
  const { engine, store } = testEngine([text("Hello.")], { runtime });
  await engine.run("hi", { sessionId: "s" }).catch(() => {});

  await expect(engine.run("again", { sessionId: "s" })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  expect(JSON.stringify(await entriesOf(store, "s"))).not.toContain("again");
});

test.each<[string, Partial<Runtime>]>([
  ["now() returns no number", { now: () => "noon" as never }],
  ["now() throws", { now: fails }],
])("a run ends with a named error and a whole record where a runtime's %s", async (_what, runtime) => {
  const { engine, store } = testEngine([], { runtime });

  const { status, error } = await engine.run("hi", { sessionId: "s" });

  expect([status, error?.code, error?.message]).toEqual([
    "failed",
    "OPTION_INVALID",
    expect.stringContaining("runtime.now() must return milliseconds"),
  ]);
  expect((await entriesOf(store, "s")).at(-1)?.type).toBe("run-end");
});

test("prices that are async are not known, and do not end the process", async () => {
  const { status, costUsd } = await testEngine([text("Hello.")], { prices: rejects }).engine.run("hi");

  expect([status, costUsd]).toEqual(["completed", null]);
});

test("a resumed run that ends before it could go on leaves no denied call without a result", async () => {
  const ask: PermissionGate = { decide: () => ({ behavior: "ask" }) };
  const tools = [tool("act", async () => "acted")];
  const first = testEngine([toolCall("act")], { tools, permissions: ask });
  const { pending } = await first.engine.run("go", { sessionId: "s" });
  const sources = [{ id: "slow", load: never }];
  const second = testEngine([], { tools, sessions: first.store, contextSources: sources, limits: { abandonMs: 10 } });
  const run = second.engine.resume("s", { answers: [{ id: pending[0]!.id, decision: "deny" }] });
  setTimeout(() => run.abort(), 5);

  const cut = await run.result;

  expect([cut.status, cut.pending, issuesOf(cut)]).toEqual(["aborted", [], []]);
  expect(Object.values(resultsOf(cut))).toEqual([
    { output: expect.stringContaining("aborted before it had started"), isError: true },
  ]);
});

test("a question that is still open stays open when a resumed run is aborted", async () => {
  const ask: PermissionGate = { decide: () => ({ behavior: "ask" }) };
  const tools = [tool("act", async () => "acted")];
  const first = testEngine([toolCall("act")], { tools, permissions: ask });
  await first.engine.run("go", { sessionId: "s" });
  const sources = [{ id: "slow", load: never }];
  const second = testEngine([], { tools, sessions: first.store, contextSources: sources, limits: { abandonMs: 10 } });
  const run = second.engine.resume("s");
  setTimeout(() => run.abort(), 5);

  expect(await run.result).toMatchObject({ status: "aborted", pending: [{ tool: "act" }] });
});

// ── outside a run ───────────────────────────────────────────────────────────────────────────────────────────────────

const act = tool("act", async () => "acted");
const call = { id: "c", name: "act", arguments: {} };

test("a gate that hangs outside a run ends with the call's signal, a deadline or the engine", async () => {
  const permissions = { decide: never };
  const { engine } = testEngine([], { tools: [act], permissions, limits: { abandonMs: 10 } });
  const timed = testEngine([], { tools: [act], permissions, limits: { deadlineMs: 10, abandonMs: 10 } });
  const closed = engine.execute(call, { sessionId: "closed" });

  const results = [await engine.execute(call, { signal: AbortSignal.timeout(5) }), await timed.engine.execute(call)];
  await engine.close();

  expect([...results, await closed].map(({ status }) => status)).toEqual(["aborted", "aborted", "aborted"]);
});

test("a call that waits for another of its session ends with its own signal, and the next one keeps its place", async () => {
  const first = deferred<string>();
  const order: unknown[] = [];
  const slow = tool("act", async (input) => {
    order.push(input);
    return first.promise;
  });
  const { engine } = testEngine([], { tools: [slow] });
  const execute = (n: number, signal?: AbortSignal) =>
    engine.execute({ id: `${n}`, name: "act", arguments: { n } }, { sessionId: "s", ...(signal && { signal }) });

  const running = execute(1);
  const aborted = await (async () => {
    const waiting = execute(2, AbortSignal.timeout(5));
    const last = execute(3);
    const { status } = await waiting;
    first.resolve("done");
    await last;
    return status;
  })();

  expect([aborted, (await running).status, order]).toEqual(["aborted", "success", [{ n: 1 }, { n: 3 }]]);
});

test("what cannot end its part of a session is left behind, and named", async () => {
  const artifacts = { put: never, get: never, endSession: never };
  const limits = { abandonMs: 10 };
  const deaf = testEngine([], { tools: [tool("deaf", async () => "", { endSession: never })], limits });
  const full = testEngine([], { artifacts, limits });

  const endings = await Promise.allSettled([
    deaf.engine.endSession("s"),
    deaf.engine.close(),
    full.engine.endSession("s"),
  ]);
  const reason = { code: "TOOL_TIMEOUT", message: expect.stringContaining("endSession()") };
  expect(endings).toMatchObject(Array(3).fill({ status: "rejected", reason }));
});

test("closing ends what reads a store that never answers, and the reason is the store", async () => {
  const compaction = { ...policy(() => []), usage: fails };
  const { engine } = testEngine([], { sessions: hungStore("read"), compaction, limits: { abandonMs: 10 } });
  const waiting = [engine.contextUsage("s"), engine.compact("s"), engine.execute(call, { sessionId: "t" })];
  const settled = Promise.allSettled(waiting);
  await engine.close();

  for (const outcome of await settled) expect(outcome).toMatchObject({ reason: { code: "SESSION_READ" } });
});

test("an engine that is closed while it counts a session leaves no timer behind", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const { engine } = testEngine(["Hello."], { compaction: createCompactionPipeline() });
  await engine.run("hi", { sessionId: "s" });
  const before = timers();
  const counting = engine.contextUsage("s").catch(() => {});

  await engine.close();
  await counting;

  await expect.poll(timers, { timeout: 20_000 }).toBeLessThanOrEqual(before);
});

test("a policy that cannot count is named", async () => {
  for (const usage of [fails, rejects, () => ({})]) {
    const { engine } = testEngine(["Hello."], { compaction: { ...policy(() => []), usage: usage as never } });
    await engine.run("hi", { sessionId: "s" });

    await expect(engine.contextUsage("s")).rejects.toMatchObject({ code: "COMPACTION_FAILED" });
  }
});

test.each([
  ["suggestions", { suggestions: [{ rule: () => "pay" }] }],
  ["a rule", { rule: { rule: 10n } }],
])("a gate's %s that are no JSON deny the call, in words that name the gate", async (_what, more) => {
  const permissions = { decide: () => ({ behavior: "ask", reason: "Really?", ...more }) } as never;
  const { engine } = testEngine([toolCall("pay"), text("Done.")], {
    permissions,
    tools: [tool("pay", async () => "")],
  });

  const result = await engine.run("Pay.");

  expect(result.status).toBe("completed");
  expect(() => JSON.stringify(result.pending)).not.toThrow();
  const [refused] = Object.values(resultsOf(result));
  expect(refused).toMatchObject({ isError: true, output: expect.stringMatching(/gate returned .* that are no JSON/) });
});
