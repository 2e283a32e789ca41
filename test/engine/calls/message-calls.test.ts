// Which calls run when, and who is released when a call ends from outside.
import { expect, test } from "vitest";
import type { ProviderAdapter, ToolResult } from "../../../src/index.js";
import { AgentEngine, ProviderError } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { processorMs } from "../../processor-time.js";
import {
  ALLOW,
  deferred,
  entriesOf,
  issuesOf,
  listen,
  ofType,
  PushedProvider,
  played,
  quiet,
  resultsOf,
  testEngine,
  tool,
} from "../kit.js";

const READ = { permission: "read_only" } as const;
const reads = (key: string) => ({ claims: () => [{ mode: "read" as const, key }] });
const writes = (key: string) => ({ claims: () => [{ mode: "write" as const, key }] });
const never = () => new Promise<string>(() => {});

function pushed(options: Partial<ConstructorParameters<typeof AgentEngine>[0]> = {}) {
  const provider = new PushedProvider();
  const engine = new AgentEngine({ provider, permissions: ALLOW, retry: { baseMs: 1, jitter: 0 }, ...options });
  return { engine, provider };
}

const broken = () => new ProviderError("STREAM_BROKEN", { message: "The line was cut.", retryable: true });

test("a call that only reads starts while the model still streams", async () => {
  const started = deferred();
  const look = tool(
    "look",
    async () => {
      started.resolve();
      return "seen";
    },
    READ,
  );
  const { engine, provider } = pushed({ tools: [look] });

  const run = engine.stream("look");
  provider.call(0, { id: "a", name: "look", arguments: {} });
  await started.promise;
  provider.end();
  provider.answer("done");

  expect(await run.result).toMatchObject({ status: "completed", text: "done" });
});

test("a call with effects waits until its message is recorded, also when it arrived long before", async () => {
  const order: string[] = [];
  const { engine, provider } = pushed({
    tools: [
      tool("act", async () => {
        order.push("act");
        return "ok";
      }),
    ],
  });

  const run = engine.stream("act");
  provider.call(0, { id: "a", name: "act", arguments: {} });
  await quiet();
  order.push("end of stream");
  provider.end();
  provider.answer("done");
  await run.result;

  expect(order).toEqual(["end of stream", "act"]);
});

test("with eagerTools off nothing starts before the message is complete", async () => {
  const order: string[] = [];
  const look = tool(
    "look",
    async () => {
      order.push("look");
      return "ok";
    },
    READ,
  );
  const { engine, provider } = pushed({ tools: [look], eagerTools: false });

  const run = engine.stream("look");
  provider.call(0, { id: "a", name: "look", arguments: {} });
  await quiet();
  order.push("end of stream");
  provider.end();
  provider.answer("done");
  await run.result;

  expect(order).toEqual(["end of stream", "look"]);
});

test("a read that is complete before the write in front of it does not overtake it", async () => {
  const order: string[] = [];
  const write = tool(
    "write",
    async () => {
      order.push("write");
      return "ok";
    },
    writes("f"),
  );
  const read = tool(
    "read",
    async () => {
      order.push("read");
      return "ok";
    },
    { ...READ, ...reads("f") },
  );
  const { engine, provider } = pushed({ tools: [write, read] });

  const run = engine.stream("go");
  provider.push({ type: "tool-call-start", index: 0, id: "w", name: "write" });
  provider.push({ type: "tool-call-start", index: 1, id: "r", name: "read" });
  provider.call(1, { id: "r", name: "read", arguments: {} });
  await quiet();
  provider.call(0, { id: "w", name: "write", arguments: {} });
  provider.end();
  provider.answer("done");
  const result = await run.result;

  expect(order).toEqual(["write", "read"]);
  expect(Object.keys(resultsOf(result))).toEqual(["w", "r"]);
});

test("calls that touch different things run together; results keep the order of the calls", async () => {
  const both = deferred();
  let running = 0;
  const meet = async () => {
    if (++running === 2) both.resolve();
    await both.promise;
    return "met";
  };
  const { engine } = testEngine([[toolCall("a", {}, { id: "1" }), toolCall("b", {}, { id: "2" })], text("done")], {
    tools: [tool("a", meet, writes("x")), tool("b", meet, writes("y"))],
  });

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(Object.keys(resultsOf(result))).toEqual(["1", "2"]);
});

test("results keep the order of the calls when the last one ends first", async () => {
  const last = deferred();
  const first = tool(
    "first",
    async () => {
      await last.promise;
      return "1";
    },
    { permission: "none" },
  );
  const second = tool(
    "second",
    async () => {
      last.resolve();
      return "2";
    },
    { permission: "none" },
  );
  const { engine, provider } = testEngine([[toolCall("first"), toolCall("second")], text("done")], {
    tools: [first, second],
  });

  await engine.run("go");

  expect(provider.requests[1]!.lastToolResults.map(({ output }) => output)).toEqual(["1", "2"]);
});

test.each([true, false])("no more than maxConcurrentTools run at once (eagerTools: %s)", async (eagerTools) => {
  let running = 0;
  let most = 0;
  const look = tool(
    "look",
    async () => {
      most = Math.max(most, ++running);
      await quiet();
      running--;
      return "seen";
    },
    READ,
  );
  const calls = Array.from({ length: 12 }, (_, n) => toolCall("look", { n }));
  const { engine } = testEngine([calls, text("done")], {
    tools: [look],
    eagerTools,
    limits: { maxConcurrentTools: 3 },
  });

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(most).toBe(3);
});

test("maxConcurrentTools: 0 lets all of them run at once", async () => {
  const all = deferred();
  let running = 0;
  const look = tool(
    "look",
    async () => {
      ++running === 40 && all.resolve();
      await all.promise;
      return "seen";
    },
    READ,
  );
  const calls = Array.from({ length: 40 }, (_, n) => toolCall("look", { n }));
  const { engine } = testEngine([calls, text("done")], { tools: [look], limits: { maxConcurrentTools: 0 } });

  expect((await engine.run("go")).status).toBe("completed");
});

test("a failing call cancels none of its siblings", async () => {
  const fail = tool("fail", async () => Promise.reject(new Error("no")), { permission: "none" });
  const work = tool(
    "work",
    async () => {
      await quiet();
      return "worked";
    },
    { permission: "none" },
  );
  const { engine } = testEngine(
    [[toolCall("fail", {}, { id: "f" }), toolCall("work", {}, { id: "w" })], text("done")],
    { tools: [fail, work] },
  );

  const results = resultsOf(await engine.run("go"));

  expect(results.f).toEqual({ output: 'Tool "fail" failed: no', isError: true });
  expect(results.w).toEqual({ output: "worked", isError: false });
});

// ── restarts ────────────────────────────────────────────────────────────────────────────────────────────────────────

test("a restarted stream's identical call adopts the one that runs: once executed, once recorded, announced again", async () => {
  let runs = 0;
  const hooks: string[] = [];
  const result = deferred<string>();
  const look = tool(
    "look",
    () => {
      runs++;
      return result.promise;
    },
    READ,
  );
  const { engine, provider } = pushed({
    tools: [look],
    hooks: { PreToolUse: [{ run: ({ toolUseId }) => void hooks.push(toolUseId) }] },
  });

  const run = engine.stream("look");
  const reading = played(run);
  provider.call(0, { id: "a", name: "look", arguments: { path: "x", depth: 1 } });
  await quiet();
  provider.push(broken());
  while (provider.requests.length < 2) await quiet();
  provider.call(0, { id: "b", name: "look", arguments: { depth: 1, path: "x" } });
  await quiet();
  result.resolve("seen");
  provider.end();
  provider.answer("done");
  const { events } = await reading;

  expect({ runs, hooks }).toEqual({ runs: 1, hooks: ["a"] });
  expect(ofType(events, "tool-call-start").map(({ call }) => call.id)).toEqual(["a", "b"]);
  expect(ofType(events, "tool-call-end").map((event) => event.result.toolCallId)).toEqual(["b"]);
  expect(Object.keys(resultsOf(await run.result))).toEqual(["b"]);
});

test.each<[string, { maxConcurrentTools?: number }]>([
  ["a write that is still arriving", {}],
  ["a slot", { maxConcurrentTools: 1 }],
])("a call that waits for %s when its stream breaks runs once, in the new order", async (_, limits) => {
  const entered: string[] = [];
  const first = deferred<string>();
  const look = tool(
    "look",
    (_input, { toolCallId }) => {
      entered.push(toolCallId);
      return toolCallId.startsWith("slow") ? first.promise : "seen";
    },
    READ,
  );
  const put = tool("put", (_input, { toolCallId }) => {
    entered.push(toolCallId);
    return "put";
  });
  const { engine, provider } = pushed({ tools: [look, put], limits });

  const run = engine.stream("go");
  const stream = (suffix: string, hasWrite: boolean) => {
    if (limits.maxConcurrentTools) provider.call(0, { id: `slow${suffix}`, name: "look", arguments: { slow: true } });
    if (hasWrite) provider.call(1, { id: `put${suffix}`, name: "put", arguments: {} });
    provider.call(2, { id: `look${suffix}`, name: "look", arguments: {} });
  };
  stream("", !limits.maxConcurrentTools);
  await quiet();
  provider.push(broken());
  while (provider.requests.length < 2) await quiet();
  first.resolve("seen slowly");
  await quiet();
  stream("-again", true);
  provider.end();
  provider.answer("done");
  const result = await run.result;

  expect(result.status).toBe("completed");
  expect(entered).toEqual(
    limits.maxConcurrentTools ? ["slow", "put-again", "look-again"] : ["put-again", "look-again"],
  );
  expect(issuesOf(result)).toEqual([]);
});

test("a call the restarted stream does not ask for again is cancelled and leaves no result", async () => {
  const told = deferred<unknown>();
  const look = tool(
    "look",
    (_input, { signal }) => {
      signal.addEventListener("abort", () => told.resolve(signal.reason));
      return never();
    },
    READ,
  );
  const { engine, provider } = pushed({ tools: [look], limits: { abandonMs: 5 } });

  const run = engine.stream("look");
  provider.call(0, { id: "a", name: "look", arguments: {} });
  await quiet();
  provider.push(broken());
  await quiet();
  provider.answer("never mind");
  const result = await run.result;

  expect(result).toMatchObject({ status: "completed", text: "never mind" });
  expect(await told.promise).toMatchObject({ code: "RUN_ABORTED" });
  expect(result.messages()).toHaveLength(2);
});

test("an abort between a restart and the new stream reaches the tools of the old one", async () => {
  const told = deferred<unknown>();
  const look = tool(
    "look",
    async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      told.resolve(signal.reason);
      return "too late";
    },
    READ,
  );
  const { engine, provider } = pushed({ tools: [look], retry: { baseMs: 60_000, jitter: 0 } });

  const run = engine.stream("look");
  provider.call(0, { id: "a", name: "look", arguments: {} });
  await quiet();
  provider.push(broken());
  await quiet();
  run.abort("enough");
  const result = await run.result;
  await run.idle;

  expect(result.status).toBe("aborted");
  expect(await Promise.race([told.promise, quiet().then(() => "nobody told the tool")])).toMatchObject({
    code: "RUN_ABORTED",
  });
});

// ── nobody waits for what will not come ─────────────────────────────────────────────────────────────────────────────

/** Ways in which a call can be held up before it runs; each must let go when the call ends from outside. */
const HELD_UP = {
  "a gate that never answers": { permissions: { decide: () => new Promise<never>(() => {}) } },
  "a hook that never answers": { hooks: { PreToolUse: [{ run: () => new Promise<never>(() => {}) }] } },
  "an approver that never answers": {
    permissions: { decide: () => ({ behavior: "ask" as const }) },
    approver: () => new Promise<never>(() => {}),
  },
  "an earlier call that never ends": {},
  "a tool that never ends": {},
} as const;

function heldTools(why: string) {
  const deaf = why === "an earlier call that never ends" || why === "a tool that never ends";
  return [
    tool("first", deaf ? never : async () => "ok", { ...READ, ...writes("x"), timeoutMs: null }),
    tool("second", async () => "ok", { ...READ, ...writes("x") }),
  ];
}

test.each(Object.keys(HELD_UP) as (keyof typeof HELD_UP)[])("an abort releases calls held up by %s", async (why) => {
  const { engine } = testEngine([[toolCall("first"), toolCall("second")]], {
    tools: heldTools(why),
    limits: { abandonMs: 5 },
    ...HELD_UP[why],
  });

  const run = engine.stream("go");
  await quiet();
  run.abort();
  const result = await run.result;
  await run.idle;

  expect(result.status).toBe("aborted");
  expect(Object.values(resultsOf(result)).map(({ isError }) => isError)).toEqual([true, true]);
  expect(issuesOf(result)).toEqual([]);
});

test.each(Object.keys(HELD_UP) as (keyof typeof HELD_UP)[])("a restart releases calls held up by %s", async (why) => {
  const { engine, provider } = pushed({ tools: heldTools(why), limits: { abandonMs: 5 }, ...HELD_UP[why] });

  const run = engine.stream("go");
  provider.call(0, { id: "a", name: "first", arguments: {} });
  provider.call(1, { id: "b", name: "second", arguments: {} });
  await quiet();
  provider.push(broken());
  await quiet();
  provider.answer("done");
  const result = await run.result;
  await run.idle;

  expect(result).toMatchObject({ status: "completed", text: "done" });
});

test.each(Object.keys(HELD_UP) as (keyof typeof HELD_UP)[])(
  "a provider that fails for good releases calls held up by %s",
  async (why) => {
    const { engine, provider } = pushed({ tools: heldTools(why), limits: { abandonMs: 5 }, ...HELD_UP[why] });

    const run = engine.stream("go");
    provider.call(0, { id: "a", name: "first", arguments: {} });
    provider.call(1, { id: "b", name: "second", arguments: {} });
    await quiet();
    provider.push(new ProviderError("AUTH", { message: "Who are you?" }));
    const result = await run.result;
    await run.idle;

    expect(result).toMatchObject({ status: "failed", error: { code: "AUTH" } });
    expect(result.messages()).toHaveLength(1);
  },
);

test("a suspended call releases the run although a call waits behind it", async () => {
  const asks = (tool: unknown) => (tool as { name: string }).name === "first";
  const { engine } = testEngine(
    [[toolCall("first", {}, { id: "a" }), toolCall("second", {}, { id: "b" }), toolCall("other", {}, { id: "c" })]],
    {
      tools: [...heldTools(""), tool("other", async () => "went on", writes("y"))],
      permissions: { decide: ({ tool }) => ({ behavior: asks(tool) ? "ask" : "allow" }) },
    },
  );

  const events = listen(engine, "tool-call-end");
  const result = await engine.run("go");

  expect(result.status).toBe("needs-approval");
  expect(result.pending.map(({ toolCallId }) => toolCallId)).toEqual(["a"]);
  expect(events.map((event) => event.result.toolCallId)).toEqual(["c"]);
});

test("a deaf tool that timed out does not hold up a run whose other calls wait for the host", async () => {
  const asks = (tool: unknown) => (tool as { name: string }).name === "first";
  const { engine } = testEngine([[toolCall("deaf"), toolCall("first"), toolCall("second")]], {
    tools: [...heldTools(""), tool("deaf", never, { ...writes("z"), timeoutMs: 5 })],
    permissions: { decide: ({ tool }) => ({ behavior: asks(tool) ? "ask" : "allow" }) },
    limits: { abandonMs: 20 },
  });

  const result = await engine.run("go");

  expect(result.status).toBe("needs-approval");
});

// ── timeouts ────────────────────────────────────────────────────────────────────────────────────────────────────────

test("a tool that settles after its timeout changes nothing: the call keeps its one result", async () => {
  const late = deferred<string>();
  const { engine, store } = testEngine([toolCall("slow", {}, { id: "a" }), text("done")], {
    tools: [tool("slow", () => late.promise, { timeoutMs: 5 })],
    limits: { abandonMs: 60_000 },
  });

  const run = engine.stream("go");
  const result = await run.result;
  late.resolve("too late");
  await run.idle;

  const results = (await entriesOf(store, run.sessionId)).filter(({ type }) => type === "tool-result");
  expect(results).toHaveLength(1);
  expect(resultsOf(result).a).toMatchObject({ isError: true });
  expect(JSON.stringify(result.messages())).not.toContain("too late");
});

test("a timed-out writer keeps what it claims until it has really ended, so that two writers never meet", async () => {
  const late = deferred<string>();
  const order: string[] = [];
  const slow = tool("slow", () => late.promise.finally(() => order.push("slow ends")), {
    ...writes("f"),
    timeoutMs: 5,
  });
  const next = tool(
    "next",
    async () => {
      order.push("next starts");
      return "ok";
    },
    writes("f"),
  );
  const { engine } = testEngine([[toolCall("slow"), toolCall("next")], text("done")], { tools: [slow, next] });
  const ends = listen(engine, "tool-call-end");

  const run = engine.stream("go");
  while (ends.length === 0) await quiet();
  await quiet();
  late.resolve("late");
  await run.result;

  expect(order).toEqual(["slow ends", "next starts"]);
});

test("a tool that never settles is given up after abandonMs, with a notice that names it", async () => {
  const { engine } = testEngine([[toolCall("deaf"), toolCall("next")], text("done")], {
    tools: [tool("deaf", never, { ...writes("f"), timeoutMs: 5 }), tool("next", async () => "ok", writes("f"))],
    limits: { abandonMs: 10 },
  });
  const notices = listen(engine, "notice");

  const run = engine.stream("go");
  const result = await run.result;
  await run.idle;

  expect(result.status).toBe("completed");
  expect(notices.filter(({ code }) => code === "TOOL_ABANDONED").map(({ message }) => message)).toEqual([
    expect.stringContaining('"deaf"'),
  ]);
});

test("a tool's own timeoutMs wins over the engine's, and null means none", async () => {
  const ended = deferred<string>();
  const tools = [
    tool("impatient", never, { permission: "none", timeoutMs: 5 }),
    tool("patient", () => ended.promise, { permission: "none", timeoutMs: null }),
  ];
  const { engine } = testEngine(
    [[toolCall("impatient", {}, { id: "i" }), toolCall("patient", {}, { id: "p" })], text("done")],
    { tools, limits: { toolTimeoutMs: 10, abandonMs: 5 } },
  );
  engine.on("tool-call-end", () => setTimeout(() => ended.resolve("patience"), 20));

  const results = resultsOf(await engine.run("go"));

  expect(results.i!.output).toContain("did not end within 5 ms");
  expect(results.p!.output).toBe("patience");
});

test("waiting for a slot does not count towards a call's timeout", async () => {
  const tools = [
    tool("slow", () => new Promise<string>((resolve) => setTimeout(resolve, 40, "slow")), {
      permission: "none",
      timeoutMs: null,
    }),
    tool("quick", async () => "quick", { permission: "none", timeoutMs: 15 }),
  ];
  const { engine } = testEngine([[toolCall("slow"), toolCall("quick", {}, { id: "q" })], text("done")], {
    tools,
    limits: { maxConcurrentTools: 1 },
  });

  expect(resultsOf(await engine.run("go")).q).toEqual({ output: "quick", isError: false });
});

// ── claims that change ──────────────────────────────────────────────────────────────────────────────────────────────

/** Claims the file it is called with. */
const touch = (order: string[], name = "touch", gate?: Promise<void>) =>
  tool(
    name,
    async (input: { path: string }) => {
      order.push(`${name} ${input.path}`);
      await gate;
      return "ok";
    },
    { claims: ({ path }: { path: string }) => [{ mode: "write", key: path }] },
  );

test("an answer that moves a call to another file lets those run that waited for it", async () => {
  const order: string[] = [];
  const held = deferred();
  const { engine } = testEngine([[toolCall("slow", { path: "a" }), toolCall("touch", { path: "a" })], text("done")], {
    tools: [touch(order, "slow", held.promise), touch(order)],
    permissions: {
      decide: ({ input, tool }) => ({
        behavior:
          (tool as { name: string }).name === "slow" && (input as { path: string }).path === "a" ? "ask" : "allow",
      }),
    },
    approver: () => ({ decision: "allow", updatedInput: { path: "b" } }),
  });
  engine.on("tool-call-end", () => held.resolve());

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(order).toEqual(["slow b", "touch a"]);
});

test("an answer that moves a call to a file in use makes it wait until that file is free", async () => {
  const order: string[] = [];
  const held = deferred();
  const answer = deferred<{ decision: "allow"; updatedInput: { path: string } }>();
  const { engine } = testEngine([[toolCall("asked", { path: "a" }), toolCall("slow", { path: "b" })], text("done")], {
    tools: [touch(order, "asked"), touch(order, "slow", held.promise)],
    permissions: {
      decide: ({ tool }) => ({ behavior: (tool as { name: string }).name === "asked" ? "ask" : "allow" }),
    },
    approver: () => answer.promise,
  });

  const run = engine.stream("go");
  while (order.length === 0) await quiet();
  answer.resolve({ decision: "allow", updatedInput: { path: "b" } });
  await quiet();
  const whileHeld = [...order];
  held.resolve();
  const result = await run.result;

  expect(whileHeld).toEqual(["slow b"]);
  expect(order).toEqual(["slow b", "asked b"]);
  expect(result.status).toBe("completed");
});

test.each([
  ["nothing", undefined],
  ["no array", "file"],
  ["a hole", [null]],
  ["a wrong mode", [{ mode: "own", key: "x" }]],
  ["a wrong key", [{ mode: "read", key: 7 }]],
])("a tool whose claims() answers %s gets an error result, and the run goes on", async (_what, claims) => {
  const { engine, provider } = testEngine([[toolCall("odd"), toolCall("good")], text("done")], {
    tools: [tool("odd", async () => "ran", { claims: () => claims as never }), tool("good", async () => "ok")],
  });

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(provider.requests[1]!.lastToolResults).toMatchObject([
    { isError: true, output: expect.stringContaining("claims") },
    { isError: false },
  ]);
});

test("a tool that changes the array it claimed with frees what it had claimed", async () => {
  const claimed = [{ mode: "write" as const, key: "a" }];
  const sly = tool(
    "sly",
    async () => {
      claimed[0] = { mode: "write", key: "b" };
      return "ok";
    },
    { claims: () => claimed },
  );
  const next = tool("next", async () => "ok", writes("a"));
  const { engine } = testEngine([[toolCall("sly"), toolCall("next")], text("done")], { tools: [sly, next] });

  expect((await engine.run("go")).status).toBe("completed");
});

// ── events and cost ─────────────────────────────────────────────────────────────────────────────────────────────────

test("every tool-call-end comes after its tool-call-start, also for calls that are aborted before they begin", async () => {
  const { engine } = testEngine([[toolCall("hang"), toolCall("behind")]], {
    tools: [tool("hang", never), tool("behind", async () => "ok")],
    limits: { abandonMs: 5 },
    hooks: { PostModelCall: [{ run: () => run.abort() }] },
  });

  const run = engine.stream("go");
  const { events } = await played(run);

  const order = events.flatMap((event) => {
    if (event.type === "tool-call-start") return `start ${event.call.id}`;
    return event.type === "tool-call-end" ? `end ${event.result.toolCallId}` : [];
  });
  expect(order).toEqual(["start call_1", "end call_1", "start call_2", "end call_2"]);
});

test("the signal of a timed-out call says why", async () => {
  const reasons: unknown[] = [];
  const slow = tool(
    "slow",
    (_input, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason);
          return resolve("");
        }),
      ),
    { timeoutMs: 5 },
  );
  const { engine } = testEngine([toolCall("slow"), text("done")], { tools: [slow] });

  await engine.run("go");

  expect(reasons).toMatchObject([{ code: "TOOL_TIMEOUT" }]);
});

test("a hundred calls in one message cost no more than a hundred times one", async () => {
  const look = tool("look", async () => "seen");
  const run = async (calls: number) => {
    const { engine } = testEngine([Array.from({ length: calls }, (_, n) => toolCall("look", { n })), text("done")], {
      tools: [look],
    });
    const before = processorMs();
    await engine.run("go");
    return processorMs() - before;
  };
  const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1]!;

  await run(100);
  const one: number[] = [];
  const hundred: number[] = [];
  for (let round = 0; round < 15; round++) {
    one.push(await run(1));
    hundred.push(await run(100));
  }

  expect(median(hundred) / median(one)).toBeLessThan(300);
});

test("a provider that reuses call ids within a message and across turns gets a result for each call", async () => {
  const same = () => toolCall("look", {}, { id: "x" });
  const { engine } = testEngine([[same(), same()], same(), text("done")], {
    tools: [tool("look", async () => "seen", READ)],
  });

  const result = await engine.run("go");

  expect(Object.keys(resultsOf(result))).toEqual(["x", "x-2", "x-3"]);
  expect(issuesOf(result)).toEqual([]);
});

test("each result settles with the status and code that say how it ended", async () => {
  const results: ToolResult[] = [];
  const tools = [tool("hang", never, { permission: "none", timeoutMs: 5 }), tool("deny", async () => "never")];
  const { engine } = testEngine([[toolCall("hang"), toolCall("deny"), toolCall("nope")], text("done")], {
    tools,
    limits: { abandonMs: 5 },
    permissions: {
      decide: ({ tool }) => ({ behavior: (tool as { name: string }).name === "deny" ? "deny" : "allow" }),
    },
  });
  engine.on("tool-call-end", ({ result }) => void results.push(result));

  await engine.run("go");

  const told = Object.fromEntries(results.map(({ name, status, details }) => [name, [status, details]]));
  expect(told).toEqual({
    hang: ["timeout", { code: "TOOL_TIMEOUT", timeoutMs: 5 }],
    deny: ["denied", { code: "PERMISSION_DENIED" }],
    nope: ["failure", { code: "TOOL_UNKNOWN" }],
  });
});

test("a provider whose cleanup hangs after message-end does not hold up the run", async () => {
  const provider: ProviderAdapter = {
    id: "clingy",
    model: "m",
    stream: () => {
      const events = [
        { type: "text-delta", text: "done" } as const,
        { type: "message-end", finishReason: "stop" } as const,
      ];
      return {
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ value: events.shift()!, done: false }),
          return: () => new Promise(() => {}),
        }),
      };
    },
  };
  const engine = new AgentEngine({ provider, limits: { abandonMs: 10 } });
  const notices = listen(engine, "notice");

  const run = engine.stream("go");
  const result = await run.result;
  await run.idle;

  expect(result).toMatchObject({ status: "completed", text: "done" });
  expect(notices.map(({ message }) => message)).toEqual([expect.stringContaining('"clingy"')]);
});

test("a call that conflicts with a deaf tool of an earlier turn waits for it, and then runs", async () => {
  const { engine, provider } = testEngine([toolCall("deaf"), toolCall("next"), text("done")], {
    tools: [tool("deaf", never, { ...writes("f"), timeoutMs: 5 }), tool("next", async () => "ran", writes("f"))],
    limits: { abandonMs: 20 },
  });

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "completed", text: "done" });
  expect(provider.requests[2]!.lastToolResult).toMatchObject({ output: "ran" });
});

test("a run resumed the moment it was suspended does not wait for claims of the run before it", async () => {
  const { engine } = testEngine([[toolCall("first"), toolCall("second")], text("done")], {
    tools: heldTools(""),
    permissions: { decide: () => ({ behavior: "ask" }) },
  });

  const suspended = await engine.stream("go", { sessionId: "s" }).result;
  const answers = suspended.pending.map(({ id }) => ({ id, decision: "allow" as const }));
  const result = await engine.resume("s", { answers }).result;

  expect(result).toMatchObject({ status: "completed", text: "done" });
});

test("the result of an effect is in the store while a call beside it still works", async () => {
  const [written, waited] = [deferred(), deferred()];
  const { engine, store } = testEngine([[toolCall("write", {}), toolCall("wait", {})], text("done")], {
    tools: [
      tool("write", () => written.promise.then(() => "w"), writes("a")),
      tool("wait", () => waited.promise.then(String), writes("b")),
    ],
  });

  const run = engine.stream("go", { sessionId: "s" });
  await quiet();
  written.resolve();
  await quiet();
  const kept = (await entriesOf(store, "s")).flatMap((entry) => (entry.type === "tool-result" ? [entry.result] : []));
  waited.resolve();
  await run.result;

  expect(kept).toMatchObject([{ name: "write", status: "success" }]);
});
