// Wrong options are refused at construction, by an error that names option, value and expectation.
import { expect, test } from "vitest";
import { AgentEngine, ConfigurationError, type EngineOptions, withRetry } from "../../../src/index.js";
import { scripted, text } from "../../../src/providers/scripted/index.js";
import { testEngine, tool } from "../kit.js";

const provider = scripted([]);

const WRONG: [name: string, options: object, code?: string][] = [
  ["provider", {}],
  ["provider", { provider: null }],
  ["provider", { provider: "gpt-5" }],
  ["provider", { provider: { id: "x", model: "y" } }],
  ["provider.id", { provider: { ...provider, id: "" } }],
  ["provider.model", { provider: { ...provider, model: 7 } }],
  ["tools", { provider, tools: null }],
  ["tools", { provider, tools: { get() {} } }],
  ["name", { provider, tools: [{}] }, "TOOL_INVALID"],
  ["same", { provider, tools: [tool("same", async () => ""), tool("same", async () => "")] }, "TOOL_DUPLICATE"],
  ["systemPrompt", { provider, systemPrompt: 7 }],
  ["systemPrompt", { provider, systemPrompt: [{ id: "a" }] }],
  ["contextSources", { provider, contextSources: {} }],
  ["contextSources[0]", { provider, contextSources: [{ id: "x" }] }],
  ["permissions", { provider, permissions: "allow-all" }],
  ["permissions", { provider, permissions: {} }],
  ["permissions", { provider, permissions: null }],
  ["mode", { provider, mode: "yolo" }],
  ["approver", { provider, approver: {} }],
  ["hooks", { provider, hooks: [] }],
  ["hooks.PreTool", { provider, hooks: { PreTool: [] } }],
  ["compaction", { provider, compaction: { prepare() {} } }],
  ["sessions", { provider, sessions: { append() {} } }],
  ["artifacts", { provider, artifacts: {} }],
  ["limits", { provider, limits: 5 }],
  ["limits.maxTurn", { provider, limits: { maxTurn: 5 } }],
  ["limits.maxTurns", { provider, limits: { maxTurns: 0 } }],
  ["limits.maxTurns", { provider, limits: { maxTurns: 1.5 } }],
  ["limits.maxTurns", { provider, limits: { maxTurns: Number.NaN } }],
  ["limits.maxTurns", { provider, limits: { maxTurns: Number.POSITIVE_INFINITY } }],
  ["limits.toolTimeoutMs", { provider, limits: { toolTimeoutMs: "1s" } }],
  ["limits.maxConcurrentTools", { provider, limits: { maxConcurrentTools: -1 } }],
  ["limits.maxTokens", { provider, limits: { maxTokens: 0 } }],
  ["limits.maxCostUsd", { provider, limits: { maxCostUsd: 1 } }],
  ["limits.maxCostUsd", { provider, limits: { maxCostUsd: -1 }, prices: () => 0 }],
  ["limits.deadlineMs", { provider, limits: { deadlineMs: 0 } }],
  ["limits.maxOutputTokens", { provider, limits: { maxOutputTokens: 0 } }],
  ["limits.abandonMs", { provider, limits: { abandonMs: -1 } }],
  ["limits.maxStopContinuations", { provider, limits: { maxStopContinuations: -1 } }],
  ["limits.maxOutputRetries", { provider, limits: { maxOutputRetries: null } }],
  ["limits.firstTokenTimeoutMs", { provider, limits: { firstTokenTimeoutMs: 0 } }],
  ["limits.idleTimeoutMs", { provider, limits: { idleTimeoutMs: 0 } }],
  ["limits.maxResponseBytes", { provider, limits: { maxResponseBytes: 0 } }],
  ["output", { provider, output: 7 }, "SCHEMA_UNSUPPORTED"],
  ["retry", { provider, retry: true }],
  ["retry.retries", { provider, retry: { retries: 3 } }],
  ["retry.maxRetries", { provider, retry: { maxRetries: -1 } }],
  ["retry.baseMs", { provider, retry: { baseMs: "1" } }],
  ["retry.jitter", { provider, retry: { jitter: 2 } }],
  ["retry.random", { provider, retry: { random: 4 } }],
  ["eagerTools", { provider, eagerTools: "yes" }],
  ["fitMedia", { provider, fitMedia: "small" }],
  ["runaway", { provider, runaway: true }],
  ["runaway", { provider, runaway: null }],
  ["runaway", { provider, runaway: { remindAfter: 3, stopAfter: 3 } }],
  ["runaway", { provider, runaway: { remindAfter: 1, stopAfter: 3 } }],
  ["prices", { provider, prices: {} }],
  ["modelOptions", { provider, modelOptions: 1 }],
  ["modelOptions.temp", { provider, modelOptions: { temp: 1 } }],
  ["modelOptions.temperature", { provider, modelOptions: { temperature: "hot" } }],
  ["modelOptions.reasoning", { provider, modelOptions: { reasoning: "extreme" } }],
  ["modelOptions.toolChoice", { provider, modelOptions: { toolChoice: "sometimes" } }],
  ["runtime", { provider, runtime: 5 }],
  ["runtime.now", { provider, runtime: { now: 5 } }],
  ["runtime.newId", { provider, runtime: { newId: "id" } }],
  ["runtime.random", { provider, runtime: { random: 4 } }],
  ["toolz", { provider, toolz: [] }],
];

test.each(WRONG.map(([name, options, code = "OPTION_INVALID"]) => ({ name, options, code })))(
  "option $name is refused: $options",
  ({ name, options, code }) => {
    const construct = () => new AgentEngine(options as unknown as EngineOptions);

    expect(construct).toThrow(ConfigurationError);
    expect(construct).toThrow(expect.objectContaining({ code, message: expect.stringContaining(name) }));
  },
);

test.each([null, 7, undefined])("options of %s are refused", (options) => {
  expect(() => new AgentEngine(options as never)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
});

test("the message says what came and what was expected", () => {
  expect(() => new AgentEngine({ provider, limits: { maxTurns: 0 } })).toThrow(
    'Option "limits.maxTurns" of AgentEngine is 0; expected a whole number of at least 1 (turns).',
  );
});

test.each<[string, object]>([
  ["sessionId", { sessionId: "" }],
  ["sessionId", { sessionId: 7 }],
  ["sessionId", { sessionId: "a\0b" }],
  ["provider", { provider: null }],
  ["tools", { tools: "bash" }],
  ["mode", { mode: "yolo" }],
  ["limits.maxTurns", { limits: { maxTurns: 0 } }],
  ["limits.maxCostUsd", { limits: { maxCostUsd: 1 } }],
  ["signal", { signal: {} }],
  ["signal", { signal: null }],
  ["sesionId", { sesionId: "typo" }],
  ["answers", { answers: [] }],
])("run option %s is refused: %j", async (name, options) => {
  const { engine } = testEngine([]);

  await expect(engine.run("go", options as never)).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining(name),
  });
});

test.each<[string, object]>([
  ["answers", { answers: "yes" }],
  ["history", { history: [] }],
  ["sessionId", { sessionId: "s" }],
])("resume option %s is refused: %j", async (name, options) => {
  const { engine } = testEngine([]);

  await expect(engine.resume("s", options as never).result).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining(name),
  });
});

test("an option that is undefined is an option that was not given", async () => {
  const options = { tools: undefined, limits: { maxTurns: undefined }, hooks: undefined, runaway: undefined };
  const { engine } = testEngine([text("done")], options);

  expect(await engine.run("go", { limits: undefined, signal: undefined })).toMatchObject({ status: "completed" });
});

test("withRetry refuses what it does not understand", () => {
  expect(() => withRetry(provider, { retries: 3 } as never)).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID" }),
  );
});

test("model options and limits reach every request as they are", async () => {
  const { engine, provider } = testEngine([text("done")], {
    modelOptions: { temperature: 0.2, reasoning: "low", toolChoice: "auto", providerOptions: { seed: 1 } },
    limits: { maxOutputTokens: 100 },
    systemPrompt: "Be kind.",
  });

  await engine.run("go", { sessionId: "s" });

  expect(provider.requests[0]).toMatchObject({
    temperature: 0.2,
    reasoning: "low",
    toolChoice: "auto",
    providerOptions: { seed: 1 },
    maxOutputTokens: 100,
    sessionId: "s",
    system: [{ id: "system", text: "Be kind." }],
  });
});

test("an option of the engine that is given to a run, or the other way round, is sent where it belongs", async () => {
  const engine = new AgentEngine({ provider });

  await expect(engine.run("hi", { temperature: 0 } as object)).rejects.toThrow(
    'engine.run() has no option "temperature". Pass "modelOptions.temperature" to new AgentEngine() instead.',
  );
  await expect(engine.run("hi", { systemPrompt: "x" } as object)).rejects.toThrow(
    'Pass "systemPrompt" to new AgentEngine() instead.',
  );
  await expect(engine.run("hi", { maxTurns: 3 } as object)).rejects.toThrow('Did you mean "limits.maxTurns"?');
  await expect(engine.resume("s", { maxRetries: 3 } as object).result).rejects.toThrow(
    'Pass "retry.maxRetries" to new AgentEngine() instead.',
  );
  expect(() => new AgentEngine({ provider, abortSignal: null } as never)).toThrow(
    'Pass "signal" to engine.run() instead.',
  );
  expect(() => new AgentEngine({ provider, maxTurns: 3 } as never)).toThrow('Did you mean "limits.maxTurns"?');
});
