import { expect, test } from "vitest";
import type { AgentEngine, ArtifactStore, RunResult, ToolResult } from "../../src/index.js";
import { ToolRegistry } from "../../src/index.js";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { createSubagentTools } from "../../src/subagents/index.js";
import { fakeToolContext } from "../../src/testing/index.js";
import { deferred, issuesOf, quiet, resultsOf, tool } from "../engine/kit.js";
import { agent, lastOutputs, subagentEngine, textsOf } from "./kit.js";

const resultOf = (result: RunResult, id: string) => resultsOf(result)[id]!;

/** The main agent's results, by call id, with what the model does not see. */
function wholeResults(engine: AgentEngine): Record<string, ToolResult> {
  const results: Record<string, ToolResult> = {};
  engine.on("tool-call-end", ({ result, agentPath }) => {
    if (agentPath.length === 0) results[result.toolCallId] = result;
  });
  return results;
}

test("a sub-agent starts empty, works with the parent's tools but those that spawn, and returns its final text", async () => {
  const { engine, provider } = subagentEngine(
    {
      main: (_request, step) =>
        step === 0 ? toolCall("task", { prompt: "find it", subagent_type: "scout" }, { id: "t" }) : text("done"),
      scout: (_request, step) => (step === 0 ? toolCall("look", {}) : text("It is in a.ts:5.")),
    },
    [agent("scout")],
    { tools: [tool("look", async () => "seen", { permission: "read_only" })] },
  );

  const result = await engine.run("go");

  expect(resultOf(result, "t").output).toBe("It is in a.ts:5.");
  const [, first] = provider.requests;
  expect(first!.messages).toEqual([{ role: "user", content: [{ type: "text", text: "find it" }] }]);
  expect(first!.tools.map(({ name }) => name)).toEqual(["look"]);
  expect(provider.requests[0]!.tools.map(({ name }) => name)).toEqual([
    "look",
    "task",
    "subagent_output",
    "subagent_message",
    "subagent_stop",
  ]);
});

test("a general-purpose sub-agent and a read-only explorer are there without a definition", async () => {
  const { engine, provider } = subagentEngine(
    {
      main: ({ system, messages }, step) => {
        if (!system[0]!.text.startsWith("You are main")) return text("found");
        return step < 2
          ? toolCall("task", { prompt: "x", ...(step > 0 && { subagent_type: "explorer" }) })
          : text(`${messages.length}`);
      },
    },
    [],
    {
      tools: [
        tool("look", async () => "", { permission: "read_only" }),
        tool("plan", async () => "", { permission: "none" }),
        tool("write", async () => ""),
        tool("shell", async () => "", { permission: "execute" }),
      ],
    },
  );

  await engine.run("go");

  const toolsOf = (at: number) => provider.requests[at]!.tools.map(({ name }) => name);
  expect([toolsOf(1), toolsOf(3)]).toEqual([
    ["look", "plan", "write", "shell"],
    ["look", "plan"],
  ]);
});

test.each([
  ["tools", { tools: ["look", "mcp__x__*", "nowhere"] }, ["look", "mcp__x__a", "mcp__x__b"]],
  ["no tools", { tools: [] }, []],
  ["only tools that are not here", { tools: ["nowhere"] }, []],
  ["a server's tools", { tools: ["mcp__x", "mcp__y"] }, ["mcp__x__a", "mcp__x__b"]],
  ["not a server's tools", { disallowedTools: ["mcp__x"] }, ["look", "write"]],
  ["disallowed tools", { disallowedTools: ["write", "mcp__*"] }, ["look"]],
  ["both", { tools: ["look", "write"], disallowedTools: ["write"] }, ["look"]],
  ["task itself, too deep", { tools: ["task", "look"] }, ["look"]],
  ["read only", { readOnly: true }, ["look"]],
] as const)("a definition with %s narrows what the sub-agent has", async (_, more, expected) => {
  const { engine, provider } = subagentEngine(
    {
      main: (_request, step) => (step === 0 ? toolCall("task", { prompt: "x", subagent_type: "a" }) : text("done")),
      a: () => text("ok"),
    },
    [agent("a", more)],
    {
      tools: [
        tool("look", async () => "", { permission: "read_only" }),
        ...["write", "mcp__x__a", "mcp__x__b"].map((name) => tool(name, async () => "")),
      ],
    },
  );

  await engine.run("go");

  expect(provider.requests[1]!.tools.map(({ name }) => name)).toEqual(expected);
});

test("an unknown sub-agent is refused with the nearest name, and unknown arguments are, too", async () => {
  const { engine } = subagentEngine(
    {
      main: (_request, step) =>
        step === 0
          ? [
              toolCall("task", { prompt: "x", subagent_type: "exporer" }, { id: "a" }),
              toolCall("task", { prompt: "x", subagent: "explorer" }, { id: "b" }),
              toolCall("task", { prompt: " " }, { id: "c" }),
              toolCall("task", { prompt: "x", isolation: "worktree" }, { id: "d" }),
            ]
          : text("done"),
    },
    [],
  );

  const results = wholeResults(engine);

  await engine.run("go");

  expect(results.a).toMatchObject({
    isError: true,
    output: expect.stringContaining('Did you mean "explorer"'),
  });
  const codes = ["a", "b", "c", "d"].map((id) => Reflect.get(results[id]!.details as object, "code"));
  expect(codes).toEqual(["SUBAGENT_UNKNOWN", "TOOL_INPUT_INVALID", "TOOL_INPUT_INVALID", "TOOL_FAILED"]);
});

test("a sub-agent that ends without a final answer returns what it said last, or why there is nothing", async () => {
  const { engine } = subagentEngine(
    {
      main: (_request, step) =>
        step === 0
          ? ["talks", "silent", "broken", "loops"].map((name) =>
              toolCall("task", { prompt: "x", subagent_type: name }, { id: name }),
            )
          : text("done"),
      talks: (_request, step) => [text(`Step ${step}.`), toolCall("look", { step })],
      silent: (_request, step) => toolCall("look", { step }),
      broken: () => new Error("no such model") as never,
      loops: () => toolCall("look", {}),
    },
    ["talks", "silent", "broken", "loops"].map((name) => agent(name, { maxTurns: name === "loops" ? 20 : 3 })),
    { tools: [tool("look", async () => "seen", { permission: "read_only" })], retry: { maxRetries: 0 } },
  );

  const results = wholeResults(engine);

  const result = await engine.run("go");

  expect(resultOf(result, "talks")).toMatchObject({ isError: false });
  expect(resultOf(result, "talks").output).toMatch(/did not finish: it used all of its turns.*\n\nStep 2\.$/s);
  expect(resultOf(result, "silent").output).toMatch(/ended without a final answer, after 3 turns and 3 tool calls/);
  expect(resultOf(result, "broken")).toMatchObject({ isError: true, output: expect.stringMatching(/no such model/) });
  expect(results.loops).toMatchObject({ isError: true, details: { code: "LOOP_DETECTED" } });
  for (const { output } of Object.values(resultsOf(result))) expect(String(output).trim()).not.toBe("");
});

test("a long final text is cut at 5,000 characters, and the whole is an artifact", async () => {
  const long = "word ".repeat(4_000);
  const kept: string[] = [];
  const artifacts: ArtifactStore = {
    put: async (content) => ({ id: "1", path: "/artifacts/1", bytes: kept.push(String(content)) }) as never,
    get: async () => null as never,
  };
  const { engine } = subagentEngine(
    {
      main: (_request, step) =>
        step === 0 ? toolCall("task", { prompt: "x", subagent_type: "a" }, { id: "t" }) : text("done"),
      a: () => text(long),
    },
    [agent("a")],
    {
      artifacts,
    },
  );
  const results = wholeResults(engine);

  await engine.run("go");

  const { output, artifact } = results.t!;
  expect(String(output).length).toBeLessThan(5_500);
  expect(artifact).toBeDefined();
  expect(kept.join("")).toContain(long.trim());
});

test("fifty sub-agents of one message are at work side by side, at most eight at once, and results keep call order", async () => {
  let atWork = 0;
  let most = 0;
  const gate = deferred();
  const busy = tool(
    "busy",
    async () => {
      most = Math.max(most, ++atWork);
      if (most === 8) gate.resolve();
      await gate.promise;
      await quiet();
      atWork--;
      return "ok";
    },
    { permission: "read_only" },
  );
  const { engine } = subagentEngine(
    {
      main: (request, step) =>
        step === 0
          ? Array.from({ length: 50 }, (_, n) => toolCall("task", { prompt: `number ${n}`, subagent_type: "a" }))
          : text(lastOutputs(request).join(",")),
      a: (request, step) => {
        const number = textsOf(request)[0]!;
        if (step === 0) return toolCall("busy", {});
        return number === "number 7" ? (new Error("fails") as never) : text(number);
      },
    },
    [agent("a")],
    { tools: [busy], limits: { maxConcurrentTools: 0 }, retry: { maxRetries: 0 } },
  );

  const result = await engine.run("go");

  const outputs = result.text.split(",number").map((each) => each.slice(0, 400));
  expect(most).toBe(8);
  expect(result.status).toBe("completed");
  const content = result.messages().flatMap((message) => (message.role === "tool" ? message.content : []));
  expect(content.map(({ output, isError }) => (isError ? "error" : output))).toEqual(
    Array.from({ length: 50 }, (_, n) => (n === 7 ? "error" : `number ${n}`)),
  );
  expect(outputs.length).toBeGreaterThan(40);
  expect(issuesOf(result)).toEqual([]);
});

test("sub-agents of sub-agents: as deep as maxDepth says, and one at a time is not a deadlock", async () => {
  const { engine } = subagentEngine(
    {
      main: (request, step) =>
        step === 0 ? toolCall("task", { prompt: "x", subagent_type: "a" }) : text(lastOutputs(request).join()),
      a: (request, step) =>
        step === 0 ? toolCall("task", { prompt: "x", subagent_type: "b" }) : text(`a(${lastOutputs(request)})`),
      b: (request, step) =>
        step === 0 ? toolCall("task", { prompt: "x", subagent_type: "c" }) : text(`b(${lastOutputs(request)})`),
      c: ({ tools }) => text(`c has ${tools.length} tools`),
    },
    [agent("a"), agent("b"), agent("c")],
    { maxDepth: 3, maxConcurrent: 1 },
  );

  expect((await engine.run("go", { sessionId: "s" })).text).toBe("a(b(c has 0 tools))");
  expect(engine.subagents("s").map(({ agentPath }) => agentPath.join("/"))).toEqual(["a", "a/b", "a/b/c"]);
});

test("a model that recurses without end is stopped by the depth, and told why", async () => {
  const { engine, provider } = subagentEngine(
    { main: (_request, step) => (step < 3 ? toolCall("task", { prompt: "again", n: 1 }) : text("gave up")) },
    [],
  );

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "completed", text: "gave up" });
  expect(provider.requestCount).toBe(4);
});

test("usage and cost of sub-agents are in the parent's, and events tell who works on what", async () => {
  const { engine } = subagentEngine(
    {
      main: (_request, step) => (step === 0 ? toolCall("task", { prompt: "x", subagent_type: "a" }) : text("done")),
      a: () => text("found"),
    },
    [agent("a")],
    { prices: () => 0.5 },
  );
  const paths: string[] = [];
  engine.on("run-end", ({ agentPath, status }) => void paths.push(`${agentPath.join("/")} ${status}`));

  const result = await engine.run("go", { sessionId: "s" });

  expect(result).toMatchObject({ costUsd: 1.5, usage: { inputTokens: 30, outputTokens: 15 } });
  expect(paths).toEqual(["a completed", " completed"]);
  const [info] = engine.subagents("s");
  expect(info).toMatchObject({ name: "a", kind: "fresh", status: "completed", costUsd: 0.5 });
  expect(info!.id).toMatch(/^sub-[0-9a-f]{64}$/);
});

test("outside of a run the tool says what it needs", async () => {
  const registry = new ToolRegistry(createSubagentTools({}));
  const call = { id: "t", name: "task", arguments: { prompt: "x" } };

  const result = await registry.execute(call, { ...fakeToolContext(), spawn: undefined } as never);

  expect(result).toMatchObject({ isError: true, output: expect.stringContaining("within the run of an engine") });
});

test("wrong options are refused", () => {
  expect(() => createSubagentTools({ maxDeph: 2 } as never)).toThrow(/Did you mean "maxDepth"/);
  expect(() => createSubagentTools({ maxDepth: 0 })).toThrow(/"maxDepth"/);
  expect(() => createSubagentTools({ subagents: [{}] as never })).toThrow(/subagents\[0\]/);
  expect(() => createSubagentTools({ subagents: [agent("a"), agent("a")] })).toThrow(/two sub-agents named "a"/);
});
