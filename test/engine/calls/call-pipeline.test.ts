// One call through the pipeline: parse, hooks, gate, tool, hooks, size, record.
import { expect, test, vi } from "vitest";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { ALLOW, entriesOf, listen, resultsOf, testEngine, tool } from "../kit.js";

function acting(about: Partial<Parameters<typeof tool>[2]> = {}) {
  const inputs: unknown[] = [];
  return {
    inputs,
    act: tool(
      "act",
      async (input) => {
        inputs.push(input);
        return "acted";
      },
      about,
    ),
  };
}
const once = [toolCall("act", { n: 1 }, { id: "a" }), text("done")];

test("the steps come in their order", async () => {
  const order: string[] = [];
  const step = (name: string) => () => void order.push(name);
  const act = tool(
    "act",
    async () => {
      order.push("execute");
      return "ok";
    },
    {
      parse: (args) => {
        order.push("parse");
        return args;
      },
      validate: async () => void order.push("validate"),
      claims: () => {
        order.push("claims");
        return [];
      },
    },
  );
  const { engine, store } = testEngine(once, {
    tools: [act],
    permissions: {
      decide: () => {
        order.push("gate");
        return { behavior: "allow" };
      },
    },
    hooks: { PreToolUse: [{ run: step("PreToolUse") }], PostToolUse: [{ run: step("PostToolUse") }] },
  });

  await engine.run("go", { sessionId: "s" });

  expect(order).toEqual(["parse", "validate", "PreToolUse", "gate", "claims", "execute", "PostToolUse"]);
  expect((await entriesOf(store, "s")).map(({ type }) => type).slice(3, 6)).toEqual([
    "message",
    "tool-start",
    "tool-result",
  ]);
});

test("a hook's updatedInput is validated again, and the gate sees it", async () => {
  const gated: unknown[] = [];
  const { act, inputs } = acting({
    validate: async ({ n }: { n: number }) => {
      if (n > 5) throw new Error("n is too large");
    },
  });
  const hooked = (n: number) =>
    testEngine(once, {
      tools: [act],
      permissions: {
        decide: ({ input }) => {
          gated.push(input);
          return { behavior: "allow" };
        },
      },
      hooks: { PreToolUse: [{ run: () => ({ updatedInput: { n } }) }] },
    }).engine.run("go");

  const good = await hooked(2);
  const bad = await hooked(9);

  expect(gated).toEqual([{ n: 2 }]);
  expect(inputs).toEqual([{ n: 2 }]);
  expect([resultsOf(good).a!.isError, resultsOf(bad).a!.output]).toEqual([false, 'Tool "act" failed: n is too large']);
});

test("a hook's allow does not overrule the gate, and its deny is final", async () => {
  const { act, inputs } = acting();
  const asked: unknown[] = [];
  const run = (permissionDecision: "allow" | "deny") =>
    testEngine(once, {
      tools: [act],
      permissions: {
        decide: ({ hook }) => {
          asked.push(hook);
          return { behavior: "deny", reason: "Rule." };
        },
      },
      hooks: { PreToolUse: [{ run: () => ({ permissionDecision, permissionDecisionReason: "Hook." }) }] },
    }).engine.run("go");

  const [allowed, denied] = [await run("allow"), await run("deny")];

  expect([resultsOf(allowed).a!.output, resultsOf(denied).a!.output]).toEqual(["Rule.", "Hook."]);
  expect(asked).toEqual([{ behavior: "allow", reason: "Hook." }]);
  expect(inputs).toEqual([]);
});

test("the gate's updatedInput replaces the input", async () => {
  const { act, inputs } = acting();
  const { engine } = testEngine(once, {
    tools: [act],
    permissions: { decide: () => ({ behavior: "allow", updatedInput: { n: 7 } }) },
  });

  await engine.run("go");

  expect(inputs).toEqual([{ n: 7 }]);
});

test.each<[string, unknown]>([
  ["undefined", undefined],
  ["null", null],
  ["a boolean", true],
  ["a word", "allow"],
  ["an unknown behaviour", { behavior: "sure" }],
  ["passthrough", { behavior: "passthrough" }],
  ["an object without a prototype", Object.create(null)],
  ["a promise of nonsense", Promise.resolve("allow")],
])("a gate that answers %s means deny", async (_what, answer) => {
  const { act, inputs } = acting();
  const { engine } = testEngine(once, { tools: [act], permissions: { decide: () => answer as never } });

  const result = await engine.run("go");

  expect(resultsOf(result).a!.isError).toBe(true);
  expect(inputs).toEqual([]);
});

test("a gate that throws means deny, and says so", async () => {
  const { act, inputs } = acting();
  const { engine } = testEngine(once, {
    tools: [act],
    permissions: {
      decide: () => {
        throw new Error("no rules file");
      },
    },
  });
  const decisions = listen(engine, "permission-decision");

  const result = await engine.run("go");

  expect(resultsOf(result).a!.output).toBe("The permission gate failed: no rules file");
  expect(decisions.map(({ decision }) => decision.behavior)).toEqual(["deny"]);
  expect(inputs).toEqual([]);
});

test("a tool that changes its input changes nothing but its own copy", async () => {
  const greedy = tool("act", async (input: { n: number }) => {
    input.n = 99;
    return "ok";
  });
  const { engine, provider } = testEngine(once, { tools: [greedy] });

  await engine.run("go");

  expect(provider.requests[1]!.messages[1]!.content[0]).toMatchObject({ arguments: { n: 1 } });
});

test("PostToolUse may replace what the model reads, and add context after the results", async () => {
  const { engine, provider } = testEngine(once, {
    tools: [acting().act],
    hooks: { PostToolUse: [{ run: () => ({ updatedToolOutput: "(hidden)", additionalContext: "Careful." }) }] },
  });

  await engine.run("go");

  expect(provider.requests[1]!.messages.slice(-2)).toMatchObject([
    { role: "tool", content: [{ output: "(hidden)" }] },
    { role: "user", origin: "hook", content: [{ text: "Careful." }] },
  ]);
});

test("a blocking PostToolUse hook hands the result back with its reason", async () => {
  const { engine, provider } = testEngine(once, {
    tools: [acting().act],
    hooks: { PostToolUse: [{ run: () => ({ decision: "block", reason: "Run the linter." }) }] },
  });

  await engine.run("go");

  expect(provider.requests[1]!.lastUserText).toBe("Run the linter.");
});

test("details are for the host and never reach the model", async () => {
  const { engine, provider } = testEngine(once, {
    tools: [tool("act", async () => ({ output: "ok", details: { secret: 42 } }))],
  });
  const ends = listen(engine, "tool-call-end");

  await engine.run("go");

  expect(ends[0]!.result.details).toEqual({ secret: 42 });
  expect(JSON.stringify(provider.requests[1]!.messages)).not.toContain("secret");
});

test("every error result carries a code, also one a tool made itself", async () => {
  const tools = [tool("act", async () => ({ output: "bad", isError: true, details: { line: 3 } }))];
  const { engine } = testEngine(once, { tools });
  const ends = listen(engine, "tool-call-end");

  await engine.run("go");

  expect(ends[0]!.result).toMatchObject({ status: "failure", details: { line: 3, code: "TOOL_FAILED" } });
});

test.each(["", "x"])("a long error is cut between characters, after %j", async (lead) => {
  const fail = tool("fail", async () => {
    throw new Error(`${lead}${"😀".repeat(5_000)}`);
  });
  const { engine } = testEngine([toolCall("fail", {}, { id: "c" }), text("ok")], { tools: [fail] });

  const result = await engine.run("go", { sessionId: "s" });

  const { output } = result.messages().find(({ role }) => role === "tool")!.content[0] as { output: string };
  expect(output).toContain("(cut)");
  expect(output).not.toMatch(/\p{Surrogate}/u);
});

test("an unknown tool's name and the tools there are reach the model", async () => {
  const { engine } = testEngine([toolCall("atc", {}, { id: "a" }), text("done")], { tools: [acting().act] });

  expect(resultsOf(await engine.run("go")).a!.output).toBe('There is no tool "atc". The tools are: act.');
});

test("progress of a call is an event until the call is answered", async () => {
  let tell: (update: string) => void = () => {};
  const { engine } = testEngine(once, {
    tools: [
      tool("act", async (_input, { progress }) => {
        tell = progress;
        tell("half");
        return "ok";
      }),
    ],
    permissions: ALLOW,
  });
  const updates = listen(engine, "tool-progress");

  await engine.run("go");
  tell("too late");

  expect(updates.map(({ toolCallId, update }) => [toolCallId, update])).toEqual([["a", "half"]]);
});

test("afterHooks that never settles is waited for as long as a hook, then the result is recorded", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let note: () => void = () => {};
    const called = new Promise<void>((resolve) => {
      note = resolve;
    });
    const { engine } = afterHooksRun(note);
    let isOver = false;
    const run = engine.run("go").finally(() => {
      isOver = true;
    });
    await called;
    await vi.advanceTimersByTimeAsync(59_000);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await run).toMatchObject({ status: "completed", text: "done" });
  } finally {
    vi.useRealTimers();
  }
});

test("an abort does not wait for afterHooks", async () => {
  const controller = new AbortController();
  const { engine } = afterHooksRun(() => controller.abort());
  const result = await engine.run("go", { signal: controller.signal });
  expect(result.status).toBe("aborted");
});

/** An engine whose tool never comes back from the end of its hooks. */
function afterHooksRun(called: () => void) {
  const { act } = acting({
    afterHooks: () => {
      called();
      return new Promise<void>(() => {});
    },
  });
  return testEngine(once, { tools: [act], hooks: { PostToolUse: [{ run: () => ({}) }] } });
}
