// What user code may throw, return or leave open: the run ends all the same, and says what happened.
import { expect, test } from "vitest";
import type { BaseTool, EngineOptions, HookDispatcher, PermissionDecision } from "../../src/index.js";
import { AgentEngine, isHarnessError, ToolError } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { deferred, entriesOf, issuesOf, played, quiet, resultsOf, testEngine, tool } from "./kit.js";

const refusing = () => {
  throw new Error("a trap");
};
/** Every look at it throws, as at a revoked draft. */
const hostile = () =>
  new Proxy({}, { get: refusing, has: refusing, getPrototypeOf: refusing, ownKeys: refusing }) as never;
const unprintable = () => Object.assign(new Error("x"), { message: { toString: refusing } });
const cyclic = () => {
  const details: { self?: unknown } = {};
  details.self = details;
  return new ToolError("TOOL_FAILED", { message: "round and round", details: details as never });
};

const once = [toolCall("act", {}, { id: "a" }), text("done")];
const never = <T = never>() => new Promise<T>(() => {});

for (const [what, thrown] of Object.entries({ "a hostile proxy": hostile, "an unprintable error": unprintable })) {
  for (const member of ["parse", "validate", "checkPermission", "claims", "execute"] as const) {
    test(`${what} thrown by a tool's ${member} is a result, and the run goes on`, async () => {
      const act = tool("act", async () => "acted", {
        [member]: () => {
          throw thrown();
        },
      });
      const gate = { decide: ({ tool }: { tool: unknown }) => (tool as BaseTool).checkPermission?.({}, about) ?? YES };
      const { engine } = testEngine(once, { tools: [act], permissions: gate as never });

      const result = await engine.run("go");

      expect(result.status).toBe("completed");
      expect(resultsOf(result).a).toMatchObject({ isError: true, output: expect.stringContaining("cannot be shown") });
    });
  }
}
const about = { agentPath: [], sessionId: "s" };
const YES = { behavior: "allow" } as const;

test("a hostile proxy thrown before the first turn ends the run, and its consumer hears of the end", async () => {
  const act = tool("act", async () => "", { ready: () => Promise.reject(hostile()) });
  const { engine } = testEngine(once, { tools: [act] });

  const { events, result } = await played(engine.stream("go"));

  expect(result).toMatchObject({ status: "failed", error: { code: "TOOL_FAILED" } });
  expect(events.at(-1)?.type).toBe("run-end");
  expect(isHarnessError(hostile())).toBe(false);
});

test("a hook and an approver that throw a hostile proxy deny", async () => {
  const throwing = () => {
    throw hostile();
  };
  const act = tool("act", async () => "acted");
  const hooked = testEngine(once, { tools: [act], hooks: { PreToolUse: [{ run: throwing }] } });
  const asked = testEngine(once, {
    tools: [act],
    permissions: { decide: () => ({ behavior: "ask" }) },
    approver: throwing,
  });

  for (const { engine } of [hooked, asked]) expect(resultsOf(await engine.run("go")).a!.isError).toBe(true);
});

test("the message of what was thrown is cut, whoever threw it", async () => {
  const act = tool("act", async () => "", { ready: () => Promise.reject(new Error("x".repeat(1_000_000))) });
  const { engine } = testEngine(once, { tools: [act] });

  const { error } = await engine.run("go");

  expect(error?.message.length).toBeLessThan(5_000);
});

test("what is recorded of a tool is JSON: details that are not go, content that is not JSON is a fault of the tool", async () => {
  const part = { type: "text", text: "x", size: 1n };
  const throwing = tool("act", () => Promise.reject(cyclic()));
  const returning = tool("more", async () => ({ output: [part] as never }));
  const picture = tool("picture", async () => ({ output: [{ type: "image", data: "AA==" }] }));
  const calls = ["act", "more", "picture"].map((name) => toolCall(name, {}, { id: name }));
  const { engine, store } = testEngine([calls, text("done")], { tools: [throwing, returning, picture] });

  const results = resultsOf(await engine.run("go", { sessionId: "s" }));

  expect(() => JSON.stringify(results)).not.toThrow();
  const recorded = (await entriesOf(store, "s")).flatMap((entry) =>
    entry.type === "tool-result" ? [entry.result] : [],
  );
  expect(recorded.map(({ details }) => details)).toEqual([
    { code: "TOOL_FAILED" },
    { code: "TOOL_RESULT_INVALID" },
    undefined,
  ]);
  await expect(engine.run([part] as never)).rejects.toThrow(/"input".*JSON/);
});

test("a generator that yields without ever waiting is ended by its timeout, and by an abort", async () => {
  const act = tool("act", async function* () {
    for (;;) yield 1;
  } as BaseTool["execute"]);
  const timedOut = testEngine(once, { tools: [act], limits: { toolTimeoutMs: 20 } });
  const aborted = testEngine(once, { tools: [act] });

  const late = await timedOut.engine.run("go");
  const stopped = await aborted.engine.run("go", { signal: AbortSignal.timeout(20) });

  expect(late.status).toBe("completed");
  expect(resultsOf(late).a!.output).toContain("did not end within 20 ms");
  expect(stopped.status).toBe("aborted");
});

const deafHooks: HookDispatcher = { has: (point) => point === "SessionStart", run: never };
const deafSchema = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: never,
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
  },
};
const open: Record<string, Partial<EngineOptions>> = {
  "a tool's ready()": { tools: [tool("act", async () => "", { ready: never })] },
  "the check of a structured answer": { output: deafSchema as never },
  "a dispatcher of hooks": { hooks: deafHooks },
};

for (const [what, options] of Object.entries(open)) {
  test(`${what} that never settles does not outlast an abort`, async () => {
    const { engine } = testEngine([text("{}")], { ...options, limits: { abandonMs: 10 } });
    const run = engine.stream("go");
    await quiet();

    run.abort();

    const result = await run.result;
    await run.idle;
    expect(result.status).toBe("aborted");
    expect(issuesOf(result)).toEqual([]);
  });
}

test("a gate's answer whose reason or suggestions cannot be read is not understood, and denies", async () => {
  const unreadable = [
    { behavior: "ask", reason: 5 },
    { behavior: "allow", reason: {} },
    { behavior: "ask", suggestions: "x" },
  ];
  for (const answer of unreadable as unknown as PermissionDecision[]) {
    const act = tool("act", async () => "acted");
    const { engine } = testEngine(once, { tools: [act], permissions: { decide: () => answer } });

    expect(resultsOf(await engine.run("go")).a!.output).toContain("not understood");
  }
});

test("what a host does to its arrays after the call is none of the run's business", async () => {
  const history = [{ role: "user" as const, content: [{ type: "text" as const, text: "before" }] }];
  const asking = tool("act", async (_input, { resumed, suspend }) =>
    resumed ? "answered" : suspend({ kind: "question", reason: "Which?" }),
  );
  const { engine } = testEngine(once, { tools: [asking] });

  const running = engine.run("go", { sessionId: "s", history });
  history.length = 0;
  const { pending, messages } = await running;
  const answers = [{ id: pending[0]!.id, value: 1 }];
  const resuming = engine.resume("s", { answers });
  answers.length = 0;

  expect(messages()[0]!.content).toEqual([{ type: "text", text: "before" }]);
  expect((await resuming.result).status).toBe("completed");
});

test("slips in options that nothing else would tell of are reported at once", () => {
  const provider = scripted([]);
  const engine = new AgentEngine({ provider });

  const hook = { matchers: "act", run: () => undefined };
  expect(() => new AgentEngine({ provider, hooks: { PreToolUse: [hook as never] } })).toThrow(
    /PreToolUse\[0\].matchers/,
  );
  expect(() => new AgentEngine({ provider, runaway: { remindAfter: 2, stopAfter: 3, stop: 4 } as never })).toThrow(
    /runaway.stop/,
  );
  expect(() => engine.on("run-end", "log" as never)).toThrow(/"listener" of engine.on\(\) is "log"/);
});

test("every tool lets go of an ending session, also when another one throws", async () => {
  const told: string[] = [];
  const failing = tool("act", async () => "", { endSession: refusing });
  const other = tool("more", async () => "", { endSession: async (id) => void told.push(id ?? "all") });
  const { engine } = testEngine([], { tools: [failing, other] });

  await expect(engine.endSession("s")).rejects.toThrow("a trap");
  await expect(engine.close()).rejects.toThrow("a trap");

  expect(told).toEqual(["s", "all"]);
});

test("any value is taken as the reason of an abort", async () => {
  const waiting = deferred();
  const { engine } = testEngine([toolCall("act")], {
    tools: [tool("act", () => waiting.promise as never)],
    limits: { abandonMs: 1 },
  });
  const run = engine.stream("go");

  const controller = new AbortController();
  const other = testEngine([toolCall("act")], { tools: [tool("act", never)], limits: { abandonMs: 1 } });
  const signalled = other.engine.run("go", { signal: controller.signal });

  run.abort(Symbol("why") as never);
  controller.abort(hostile());

  expect((await run.result).status).toBe("aborted");
  expect((await signalled).status).toBe("aborted");
});
