import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentEngine, type BaseTool, defineTool, ToolRegistry } from "../../src/index.js";
import { deferTools } from "../../src/mcp/index.js";
import { withPrograms } from "../../src/programs/index.js";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { createSubagentTools } from "../../src/subagents/index.js";
import { fakeToolContext } from "../../src/testing/index.js";
import { createArtifactStore } from "../../src/workspace/index.js";
import { ALLOW, played, resultsOf, testEngine, tool } from "../engine/kit.js";
import { agent, lastOutputs, playing } from "../subagents/kit.js";
import { look, pay, programEngine, runOf } from "./agents.js";

const named = (name: string, about: Partial<BaseTool> = {}) => tool(name, async () => `${name} ran`, about);

describe("what the model reads", () => {
  test("a program's value, after what it has logged", async () => {
    const program = `
      const found = await Promise.all([1, 2, 3].map((n) => tools.look({ n })));
      console.log("looked", found.length);
      return found.filter(({ n }) => n > 1);`;

    const { output, isError, details, run } = await runOf([look], program);

    expect(output).toBe('looked 3\n[{"n":2},{"n":3}]');
    expect({ isError, turns: run.turns }).toEqual({ isError: false, turns: 2 });
    expect(details).toEqual({
      calls: Array(3).fill({ name: "look", status: "success", durationMs: expect.any(Number) }),
      cpuMs: expect.any(Number),
      waves: 1,
      replayed: 0,
    });
  });

  test("a tool without data gives its text, and one that fails throws what the model would read", async () => {
    const failing = tool("fail", async () => {
      throw new Error("no such file");
    });
    const program = `
      const said = await tools.plain({});
      try { await tools.fail({}) } catch (error) { return [said, error.name, error.code, error.message] }`;

    const { output } = await runOf([named("plain"), failing], program);

    expect(JSON.parse(String(output))).toEqual([
      "plain ran",
      "ToolError",
      "TOOL_FAILED",
      expect.stringContaining("no such file"),
    ]);
  });

  test.each([
    ["return 'a\\nb'", "a\nb"],
    ["return null", "null"],
    ["await tools.look({})", "The program ended without a value. Return what you want to read."],
    ["tools.look({}); return 1", "1\n[1 call was not made, since the program did not await them]"],
  ])("%j gives its value", async (program, output) => {
    expect(await runOf([look], program)).toMatchObject({ output, isError: false });
  });

  test.each([
    [
      "await tools.look({});\nnull.x",
      "PROGRAM_FAILED",
      "The program failed. TypeError: cannot read property 'x' of null (line 2)\n[1 call: look]",
    ],
    [
      "console.log('so far'); await tools.fail()",
      "PROGRAM_FAILED",
      /^so far\nThe program failed. ToolError: .*no.* \(line 1\)\n\[1 call: fail; the last one ended as failure\]$/s,
    ],
    [
      "await new Promise(() => {})",
      "PROGRAM_FAILED",
      "The program was ended. It waits for a promise that nothing settles.",
    ],
    [
      "const a: string = 1",
      "PROGRAM_INVALID",
      "The program does not compile: SyntaxError: missing initializer for variable (line 1). It must be JavaScript, not TypeScript. Nothing was run.",
    ],
    ["for (;;) {}", "PROGRAM_LIMIT", "The program was ended. It computed for more than 2000 ms without a call."],
    [
      "for (;;) await tools.look({})",
      "PROGRAM_LIMIT",
      "The program was ended. It made more than the 5 calls that a program may make.\n[5 calls: look ×5]",
    ],
    [
      `return ${"1 + ".repeat(300)}1`,
      "PROGRAM_LIMIT",
      "The program has 1208 characters; at most 1000 are taken. Nothing was run.",
    ],
    [
      "for (let n = 0; n < 5; n++) await tools.look('x'.repeat(900)); return 1",
      "PROGRAM_LIMIT",
      /inputs and results of its calls have more than 5000 bytes/,
    ],
  ])("%j fails, and says what has been done", async (program, code, output) => {
    const failing = tool("fail", async () => {
      throw new Error("no");
    });
    const limits = { cpuMs: 2_000, calls: 5, sourceChars: 1_000, totalBytes: 5_000 };

    const result = await runOf([look, failing], program, { programs: { limits } });

    expect(result).toMatchObject({ isError: true, details: { code } });
    if (typeof output === "string") expect(result.output).toBe(output);
    else expect(result.output).toMatch(output);
  });

  test("a program that is cut off says which calls it had made, and which were under way", async () => {
    const waiting = tool("wait", (_, { signal }) => {
      run.abort();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const { engine } = programEngine([look, waiting], ["await tools.look({}); await tools.wait({})"]);
    const run = engine.stream("go");

    expect(resultsOf((await played(run)).result).p0?.output).toMatch(
      /\nUntil then:\n\[1 call: look; under way: 1 call: wait\]$/,
    );
  });

  test("a result that is too large is an error that the program can catch", async () => {
    const large = tool("large", async () => "x".repeat(2_000));
    const program = "try { await tools.large({}) } catch ({ code, message }) { return code + ': ' + message }";

    expect((await runOf([large], program, { programs: { limits: { valueBytes: 1_000 } } })).output).toBe(
      "PROGRAM_LIMIT: The result of large has 2002 bytes of JSON; a program is given at most 1000. Ask for less at a time.",
    );
  });

  test("the description declares the tools, and how to find others", () => {
    const tools = ["a", "b", "c"].map((name) => named(name));
    const { description } = withPrograms(new ToolRegistry(tools), { declare: 2 }).definitions().at(-1)!;

    expect(description).toContain("/** The tool b. */ b(");
    expect(description).not.toContain("The tool c");
    expect(description).toContain('await searchTools("words")');
  });
});

describe("the tools of a program", () => {
  test("are all but those that concern the conversation, start sub-agents, or call others", async () => {
    const tools = ["look_here", "ask_user", "compact", "todo_write", "tool-x"].map((name) => named(name));
    const all = [...tools, named("task", { spawns: { maxDepth: 1 } }), named("hidden", { callers: ["model"] })];
    const program = `
      const refused = await Promise.all(["ask_user", "task", "hidden", "run_program", "call_tool", "nowhere"].map((name) =>
        tools[name]({}).then(() => name + " ran", ({ code }) => code)));
      return [Object.keys(tools), await tools.tool_x({}), refused];`;

    const { output } = await runOf(all, program);

    expect(JSON.parse(String(output))).toEqual([
      ["look_here", "tool-x", "tool_x"],
      "tool-x ran",
      Array(6).fill("TOOL_UNKNOWN"),
    ]);
  });

  test("are those that the host names, and those whose callers it is", async () => {
    const tools = [look, named("other"), named("ask_user"), named("mine", { callers: ["program"] })];

    const { output } = await runOf(tools, "return Object.keys(tools)", { programs: { tools: ["loo*", "ask_user"] } });

    expect(JSON.parse(String(output))).toEqual(["look", "ask_user", "mine"]);
  });

  test("that only programs may call are not shown to the model, which cannot call them either", async () => {
    const tools = withPrograms(deferTools(new ToolRegistry([named("mcp__a__x"), look]), { keep: ["look"] }), {
      only: ["mcp__*"],
    });
    const { engine, provider } = testEngine(
      [
        toolCall("mcp__a__x", {}, { id: "direct" }),
        toolCall("call_tool", { name: "mcp__a__x", arguments: {} }, { id: "through" }),
        toolCall("searchTools", { query: "x" }, { id: "search" }),
        toolCall("run_program", { program: "return tools.mcp__a__x({})" }, { id: "program" }),
        text("done"),
      ],
      { tools },
    );

    const results = resultsOf(await engine.run("go"));

    expect(provider.requests[0]!.tools.map(({ name }) => name)).toEqual([
      "look",
      "tool_search",
      "call_tool",
      "run_program",
    ]);
    for (const id of ["direct", "through", "search"])
      expect(results[id]).toMatchObject({ isError: true, output: expect.stringContaining("no tool") });
    expect(results.program).toMatchObject({ isError: false, output: "mcp__a__x ran" });
  });

  test("are found by words and described, which is recorded as any call is", async () => {
    const many = Array.from({ length: 40 }, (_, n) => named(`noise_${n}`));
    const refund = defineTool({
      name: "mcp__shop__refund-order",
      description: "Gives back the money for an order.",
      input: {
        type: "object",
        properties: { order: { type: "string" } },
        required: ["order"],
        additionalProperties: false,
      },
      permission: "execute",
      execute: async ({ order }) => `refunded ${String(order)}`,
    });
    const program = `
      console.log(await searchTools("refund an order", 1));
      console.log((await describeTool("mcp__shop__refund_order")).inputSchema.required);
      console.log(await searchTools("zzzz"));
      try { await describeTool("nowhere") } catch ({ message }) { console.log(message) }
      return tools.mcp__shop__refund_order({ order: "7" });`;

    const { output, details } = await runOf([...many, refund], program, { programs: { declare: 0 } });

    expect(String(output).split("\n")).toEqual([
      "/** Gives back the money for an order. */ mcp__shop__refund_order(input: { order: string }): Promise<string | object>",
      '["order"]',
      expect.stringMatching(/^None of the 41 tools match\./),
      expect.stringMatching(/^Programs have no tool "nowhere"\./),
      "refunded 7",
    ]);
    expect((details as { calls: { name: string }[] }).calls.map(({ name }) => name)).toEqual([
      ...["searchTools", "describeTool", "searchTools", "describeTool", "mcp__shop__refund-order"],
    ]);
  });
});

describe.each([
  ["withPrograms(deferTools())", (tools: ToolRegistry) => withPrograms(deferTools(tools))],
  ["deferTools(withPrograms())", (tools: ToolRegistry) => deferTools(withPrograms(tools), { keep: ["run_program"] })],
])("%s", (_, combine) => {
  test("shows the model three tools of 500, in at most 5,000 tokens, and a program finds and calls the others", async () => {
    const description =
      "Does one of the many things that a tool of a large server does, as its description says. ".repeat(3);
    const tools = Array.from({ length: 500 }, (_, n) =>
      tool(`mcp__server${n % 9}__tool_${n}`, async () => ({ output: "ran", value: { n } }), {
        definition: () => ({
          name: `mcp__server${n % 9}__tool_${n}`,
          description,
          inputSchema: { type: "object", properties: { id: { type: "string", description } } },
        }),
      }),
    );
    const { engine, provider } = testEngine(
      [
        toolCall(
          "run_program",
          { program: "return [Object.keys(tools).length, (await tools.mcp__server8__tool_440({})).n]" },
          { id: "p" },
        ),
        text("done"),
      ],
      { tools: combine(new ToolRegistry(tools)) },
    );

    const results = resultsOf(await engine.run("go"));

    const [first] = provider.requests;
    expect(first!.tools.map(({ name }) => name).sort()).toEqual(["call_tool", "run_program", "tool_search"]);
    expect(
      JSON.stringify({ tools: first!.tools, system: first!.system, messages: first!.messages }).length / 4,
    ).toBeLessThan(5_000);
    expect(results.p).toMatchObject({ isError: false, output: "[500,440]" });
  });
});

test.each([
  ["withPrograms()", (tools: ToolRegistry) => withPrograms(tools)],
  [
    "deferTools(withPrograms())",
    (tools: ToolRegistry) => deferTools(withPrograms(tools), { keep: ["run_program", "task"] }),
  ],
])("a sub-agent's programs have only what the sub-agent may use, by %s", async (_, wrap) => {
  const effects: unknown[] = [];
  const scout = agent("scout", { tools: ["run_program", "look", "task"], readOnly: true });
  const source = `const failed = await tools.pay({}).catch(({ code }) => code);
    return [Object.keys(tools), failed, await searchTools("pay"), (await tools.look({ n: 1 })).n]`;
  const provider = playing({
    main: (_request, step) =>
      step === 0 ? toolCall("task", { prompt: "look", subagent_type: "scout" }, { id: "t" }) : text("done"),
    scout: (request, step) =>
      step === 0 ? toolCall("run_program", { program: source }) : text(lastOutputs(request)[0] ?? "nothing"),
  });
  const tools = wrap(new ToolRegistry([look, pay(effects), ...createSubagentTools({ subagents: [scout] })]));
  const engine = new AgentEngine({ provider, tools, permissions: ALLOW, systemPrompt: "You are main." });

  const { output } = resultsOf(await engine.run("go")).t!;

  expect(JSON.parse(String(output))).toEqual([
    ["look"],
    "TOOL_UNKNOWN",
    expect.stringMatching(/^None of the 1 tools match/),
    1,
  ]);
  expect(effects).toEqual([]);
});

test("inputs that no tool takes are errors of their calls", async () => {
  const program = `
    const deep = []; let at = deep; for (let n = 0; n < 300; n++) at = at[0] = [];
    const failed = (call) => call.then(() => "", ({ code }) => code);
    return [await failed(tools.look({ deep })), await failed(tools["x".repeat(1e6)]({})), await failed(tools[""]({})),
      (await tools.look(JSON.parse('{"__proto__":{"x":1}}'))).x === undefined];`;

  const { output } = await runOf([look], program);

  expect(JSON.parse(String(output))).toEqual(["TOOL_INPUT_INVALID", "TOOL_UNKNOWN", "TOOL_UNKNOWN", true]);
});

test("a value over 64 KB needs an artifact store, and comes in whole with one", async () => {
  const large = tool("large", async () => ({
    output: "large",
    value: Array.from({ length: 50_000 }, (_, id) => ({ id })),
  }));
  const program = "try { return (await tools.large({})).length } catch ({ code }) { return code }";
  const dir = mkdtempSync(join(tmpdir(), "program-values-"));
  const artifacts = createArtifactStore({ dir });

  expect((await runOf([large], program)).output).toBe("TOOL_RESULT_TOO_LARGE");
  expect((await runOf([large], program, { artifacts })).output).toBe("50000");
  const whole = await runOf([large], "return tools.large({})", {
    artifacts,
    programs: { limits: { outputChars: 1_000 } },
  });
  expect(String(whole.output).length).toBeLessThan(2_000);
  expect(whole.artifact).toMatchObject({ bytes: expect.any(Number) });
  rmSync(dir, { recursive: true });
});

test("without an engine there is nothing to run a program in, and it says so", async () => {
  const registry = withPrograms(new ToolRegistry([look]));
  const call = { id: "1", name: "run_program", arguments: { program: "return 1" } };

  const running = registry.get("run_program")!.execute(call.arguments, fakeToolContext());

  await expect(running).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: "run_program works only in a run of an engine.",
  });
});

test("names that programs use for themselves are refused", () => {
  for (const name of ["run_program", "searchTools", "describeTool"]) {
    expect(() => withPrograms(new ToolRegistry([named(name)]))).toThrow(
      expect.objectContaining({ code: "TOOL_DUPLICATE" }),
    );
    expect(() => withPrograms(new ToolRegistry()).register(named(name))).toThrow(
      expect.objectContaining({ code: "TOOL_DUPLICATE" }),
    );
  }
});

test("each call in a program claims its own, and the program claims everything", async () => {
  const order: string[] = [];
  const slow = tool("slow", async () => {
    order.push("slow begins");
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push("slow ends");
    return "ok";
  });
  const { engine } = testEngine(
    [
      [
        toolCall("run_program", { program: "await tools.slow({})" }),
        toolCall("slow", {}),
        toolCall("run_program", { program: "await tools.slow({})" }),
      ],
      text("done"),
    ] as never,
    { tools: withPrograms(new ToolRegistry([slow])) },
  );

  await played(engine.stream("go"));

  expect(order).toEqual(Array(3).fill(["slow begins", "slow ends"]).flat());
});
