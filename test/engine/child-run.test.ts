// A sub-agent has a transcript of its own under its parent's gate, hooks, budgets and abort.
import { expect, test } from "vitest";
import type { RunResult, SubagentDefinition } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { ALLOW, issuesOf, listen, quiet, resultsOf, testEngine, tool } from "./kit.js";

const scout: SubagentDefinition = { name: "scout", description: "Looks.", systemPrompt: "Look around." };

/** A tool that runs a sub-agent and keeps how it ended. */
function spawning(definition: SubagentDefinition = scout, ended: RunResult[] = []) {
  const task = tool(
    "task",
    async (_input, { spawn }) => {
      const result = await spawn!(definition, "look");
      ended.push(result);
      return result.text || result.status;
    },
    { permission: "none", timeoutMs: null },
  );
  return { task, ended };
}

const look = () => tool("look", async () => "seen", { permission: "read_only" });

test("a sub-agent starts with its own prompt and an empty transcript, and only its text returns", async () => {
  const { task } = spawning();
  const { engine, provider } = testEngine(
    [toolCall("task", {}, { id: "t" }), toolCall("look"), text("found"), text("done")],
    {
      tools: [task, look()],
      systemPrompt: "You are the parent.",
    },
  );

  const result = await engine.run("go", { sessionId: "s" });

  expect(result).toMatchObject({ status: "completed", text: "done" });
  expect(resultsOf(result).t!.output).toBe("found");
  expect(provider.requests[1]!.messages).toEqual([{ role: "user", content: [{ type: "text", text: "look" }] }]);
  expect(provider.requests[1]).toMatchObject({ system: [{ text: "Look around." }], sessionId: "s" });
  expect(issuesOf(result)).toEqual([]);
});

test("a sub-agent uses only the tools its definition names", async () => {
  const { task } = spawning({ ...scout, tools: ["look"] });
  const { engine, provider } = testEngine([toolCall("task"), text("found"), text("done")], {
    tools: [task, look(), tool("other", async () => "")],
  });

  await engine.run("go");

  expect(provider.requests[1]!.tools.map(({ name }) => name)).toEqual(["look"]);
});

test("a call knows the main agent's call it is part of: itself, unless a sub-agent makes it", async () => {
  const { task } = spawning();
  const seen: unknown[] = [];
  const look = tool("look", async (_input, { rootCall }) => String(seen.push(rootCall)), { permission: "read_only" });
  const { engine } = testEngine(
    [
      toolCall("look", {}, { id: "own" }),
      toolCall("task", {}, { id: "t" }),
      toolCall("look"),
      text("found"),
      text("done"),
    ],
    { tools: [task, look] },
  );

  const { runId } = await engine.run("go");

  expect(seen).toEqual([
    { runId, toolCallId: "own" },
    { runId, toolCallId: "t" },
  ]);
});

test("the parent's gate and hooks see every call of a sub-agent, with the path to it", async () => {
  const asked: unknown[] = [];
  const hooked: unknown[] = [];
  const { task } = spawning();
  const { engine } = testEngine([toolCall("task"), toolCall("look"), text("found"), text("done")], {
    tools: [task, look()],
    permissions: {
      decide: ({ tool, agentPath }) => {
        asked.push([(tool as { name: string }).name, agentPath]);
        return { behavior: "allow" };
      },
    },
    hooks: { PreToolUse: [{ run: ({ toolName, agentPath }) => void hooked.push([toolName, agentPath]) }] },
  });

  await engine.run("go");

  expect(asked).toEqual([
    ["task", []],
    ["look", ["scout"]],
  ]);
  expect(hooked).toEqual(asked);
});

test.each([
  ["deny", "allow", true],
  ["allow", "deny", true],
  ["allow", "allow", false],
] as const)("of the parent's %s and the sub-agent's %s the stricter counts", async (parent, child, isError) => {
  const gate = (behavior: "allow" | "deny") => ({
    decide: ({ agentPath = [] }: { agentPath?: readonly string[] }) => ({
      behavior: agentPath.length > 0 ? behavior : ("allow" as const),
    }),
  });
  const ended: RunResult[] = [];
  const { task } = spawning({ ...scout, permissions: gate(child) }, ended);
  const { engine } = testEngine([toolCall("task"), toolCall("look", {}, { id: "l" }), text("found"), text("done")], {
    tools: [task, look()],
    permissions: gate(parent),
  });

  await engine.run("go");

  expect(resultsOf(ended[0]!).l!.isError).toBe(isError);
});

test("what an answer wants remembered reaches both gates of a sub-agent", async () => {
  const remembered: string[] = [];
  const asking = (name: string) => ({
    decide: ({ agentPath = [] }: { agentPath?: readonly string[] }) => ({
      behavior: agentPath.length > 0 ? ("ask" as const) : ("allow" as const),
    }),
    remember: () => void remembered.push(name),
  });
  const { task } = spawning({ ...scout, permissions: asking("child") });
  const { engine } = testEngine([toolCall("task"), toolCall("look"), text("found"), text("done")], {
    tools: [task, look()],
    permissions: asking("parent"),
    approver: () => ({
      decision: "allow",
      remember: [{ type: "addRules", behavior: "allow", rules: ["look"], destination: "session" }],
    }),
  });

  await engine.run("go");

  expect(remembered).toEqual(["parent", "child"]);
});

test("an abort reaches the sub-agent's tools, and parent and child end with valid transcripts", async () => {
  const reasons: unknown[] = [];
  const { task, ended } = spawning();
  const hang = tool(
    "hang",
    (_input, { signal }) =>
      new Promise<string>((resolve) =>
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason);
          return resolve("");
        }),
      ),
  );
  const { engine } = testEngine([toolCall("task"), toolCall("hang")], { tools: [task, hang] });

  const run = engine.stream("go");
  await quiet();
  run.abort("enough");
  const result = await run.result;
  await run.idle;

  expect(result.status).toBe("aborted");
  expect(reasons).toMatchObject([{ code: "RUN_ABORTED" }]);
  expect(ended[0]).toMatchObject({ status: "aborted" });
  expect([issuesOf(result), issuesOf(ended[0]!)]).toEqual([[], []]);
});

test("of a tree that does not end, what is given up is named: the sub-agent's tool, not the call that waits for it", async () => {
  const { task } = spawning();
  const { engine } = testEngine([toolCall("task"), toolCall("deaf"), text("never")], {
    tools: [task, tool("deaf", () => new Promise(() => {}))],
    limits: { abandonMs: 200 },
  });
  const abandoned: string[] = [];
  engine.on("notice", ({ code, message }) => {
    if (code === "TOOL_ABANDONED") abandoned.push(message);
  });
  const run = engine.stream("go");
  engine.on("tool-call-start", ({ call }) => {
    if (call.name === "deaf") setImmediate(() => run.abort("enough"));
  });

  await run.result;
  await run.idle;

  expect(abandoned).toEqual([expect.stringContaining('"deaf"')]);
});

test("tokens count for the whole tree, and the budget ends the sub-agent, too", async () => {
  const { task, ended } = spawning();
  const provider = scripted([toolCall("task"), (_request, index) => toolCall("look", { index })], { loop: true });
  const { engine } = testEngine([], {
    provider: scripted([toolCall("task"), ...Array.from({ length: 9 }, (_, n) => toolCall("look", { n }))]),
    tools: [task, look()],
    limits: { maxTokens: 60 },
  });

  const result = await engine.run("go");

  expect(provider.requestCount).toBe(0);
  expect(ended[0]).toMatchObject({ status: "budget-exceeded", usage: { inputTokens: 30, outputTokens: 15 } });
  expect(result).toMatchObject({ status: "budget-exceeded", usage: { inputTokens: 40, outputTokens: 20 } });
});

test("turns count for each agent", async () => {
  const { task, ended } = spawning({ ...scout, maxTurns: 2 });
  const { engine } = testEngine(
    [toolCall("task"), toolCall("look", { n: 1 }), toolCall("look", { n: 2 }), text("done")],
    {
      tools: [task, look()],
      limits: { maxTurns: 2 },
    },
  );

  expect(await engine.run("go")).toMatchObject({ status: "completed", turns: 2 });
  expect(ended[0]).toMatchObject({ status: "max-turns", turns: 2 });
});

test("the runaway watch works inside a sub-agent", async () => {
  const { task, ended } = spawning();
  const same = Array.from({ length: 6 }, () => toolCall("look", {}));
  const { engine } = testEngine([toolCall("task"), ...same, text("done")], { tools: [task, look()] });

  expect(await engine.run("go")).toMatchObject({ status: "completed" });
  expect(ended[0]).toMatchObject({ status: "failed", error: { code: "LOOP_DETECTED" } });
});

test("a sub-agent's question reaches the root's approver", async () => {
  const asked: unknown[] = [];
  const { task } = spawning();
  const { engine } = testEngine([toolCall("task"), toolCall("act"), text("found"), text("done")], {
    tools: [task, tool("act", async () => "ok")],
    permissions: { decide: ({ agentPath = [] }) => ({ behavior: agentPath.length > 0 ? "ask" : "allow" }) },
    approver: ({ tool, agentPath }) => {
      asked.push([tool, agentPath]);
      return { decision: "allow" };
    },
  });

  expect(await engine.run("go")).toMatchObject({ status: "completed" });
  expect(asked).toEqual([["act", ["scout"]]]);
});

test("a sub-agent has slots of its own: one tool at a time is not a deadlock", async () => {
  const { task } = spawning();
  const { engine } = testEngine([toolCall("task"), toolCall("look"), text("found"), text("done")], {
    tools: [task, look()],
    permissions: ALLOW,
    limits: { maxConcurrentTools: 1 },
  });

  expect(await engine.run("go")).toMatchObject({ status: "completed", text: "done" });
});

test("a call that times out ends its sub-agent", async () => {
  const { task, ended } = spawning();
  const { engine } = testEngine([toolCall("task"), toolCall("hang"), text("done")], {
    tools: [{ ...task, timeoutMs: 10 }, tool("hang", () => new Promise<string>(() => {}))],
    limits: { abandonMs: 5 },
  });

  const run = engine.stream("go");
  expect(await run.result).toMatchObject({ status: "completed", text: "done" });
  await run.idle;
  await quiet();

  expect(ended[0]).toMatchObject({ status: "aborted" });
});

test("events of a sub-agent carry the path to it and reach the root's listeners", async () => {
  const { task } = spawning();
  const { engine } = testEngine([toolCall("task"), text("found"), text("done")], { tools: [task] });
  const ends = listen(engine, "run-end");

  await engine.run("go");

  expect(ends.map(({ agentPath, status }) => [agentPath, status])).toEqual([
    [["scout"], "completed"],
    [[], "completed"],
  ]);
});

test("a sub-agent cannot spawn another one unless the tool says how deep it may go", async () => {
  const outcomes: unknown[] = [];
  const { task } = spawning();
  const nested = tool(
    "nested",
    async (_input, { spawn }) => {
      const outcome = await spawn!(scout, "look").catch((error: unknown) => error);
      outcomes.push(outcome);
      return "ok";
    },
    { permission: "none" },
  );
  const { engine } = testEngine([toolCall("task"), toolCall("nested"), text("found"), text("done")], {
    tools: [task, nested],
  });

  await engine.run("go");

  expect(outcomes).toMatchObject([{ code: "SUBAGENT_DEPTH", message: expect.stringContaining('"scout"') }]);
});

test("a sub-agent ends with its call, also when the tool did not wait for it", async () => {
  const children: Promise<RunResult>[] = [];
  const leaving = tool("task", async (_input, { spawn }) => {
    children.push(spawn!({ ...scout, model: busy }, "look"));
    return "left";
  });
  let requests = 0;
  const busy = {
    id: "busy",
    model: "m",
    async *stream() {
      requests++;
      await quiet();
      yield { type: "message-start" as const };
      yield { type: "tool-call-end" as const, index: 0, call: { id: "c", name: "look", arguments: { requests } } };
      yield { type: "message-end" as const, finishReason: "tool-calls" as const };
    },
  };
  const { engine } = testEngine([toolCall("task"), text("done")], { tools: [leaving, look()] });

  const run = engine.stream("go");
  const result = await run.result;
  await run.idle;
  const atIdle = requests;
  await quiet();
  await quiet();

  expect(result.status).toBe("completed");
  expect(requests).toBe(atIdle);
  expect((await children[0]!).status).toBe("aborted");
});

test.each([
  ["maxTurns", Number.NaN],
  ["maxTurns", Number.POSITIVE_INFINITY],
  ["maxTurns", 0],
  ["kind", "other"],
])("a definition handed to context.spawn is checked as defineSubagent does: %s %s", async (option, value) => {
  const definition = { name: "scout", description: "Looks.", systemPrompt: "Look.", [option]: value };
  const spawns = tool("spawns", async (_input, { spawn }) => {
    const { text: said } = await spawn!(definition as never, "Look.");
    return said;
  });
  const { engine, provider } = testEngine([toolCall("spawns"), text("Done.")], { tools: [spawns] });

  const result = await engine.run("go");

  expect(provider.requestCount).toBe(2);
  expect(Object.values(resultsOf(result))).toMatchObject([{ isError: true, output: expect.stringContaining(option) }]);
});
