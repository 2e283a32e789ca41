import { type EventOf, ProviderError } from "loopwright";
import { type CompactionStage, createCompactionPipeline, createCompactTool, toEdits } from "loopwright/compaction";
import { createPrices } from "loopwright/providers";
import { scripted, type Turn, text, toolCall } from "loopwright/providers/scripted";
import { expect, test } from "vitest";
import { parseContextLimit } from "../../src/compaction/pipeline.js";
import { entriesOf, listen, testEngine, tool } from "../engine/kit.js";
import { budget, Session, textIn, tokensOf } from "./kit.js";

const BIG = "the quick brown fox ".repeat(100);
const look = tool("look", async (input) => `${JSON.stringify(input)} ${BIG}`, { permission: "read_only" });
const looks = (turns: number): Turn[] => Array.from({ length: turns }, (_, n) => toolCall("look", { n }));

/** An engine whose model has a small window, on a session of many large results. */
function small(turns: readonly Turn[], options: Parameters<typeof testEngine>[1] = {}) {
  const provider = scripted(turns, { contextWindow: 8_000 });
  const { store, engine } = testEngine([], {
    provider,
    tools: [look],
    compaction: createCompactionPipeline(),
    ...options,
  });
  return { store, engine, provider };
}

test("below the trigger nothing changes; above it one compaction goes down to the target", async () => {
  const { engine, provider, store } = small([...looks(40), text("done")]);
  const compactions = listen(engine, "compaction");

  const result = await engine.run("go", { sessionId: "s" });

  expect(result.status).toBe("completed");
  expect(compactions.length).toBeGreaterThan(0);
  expect(compactions.length).toBeLessThan(12);
  for (const { report } of compactions) {
    expect(report.afterTokens).toBeLessThan(report.beforeTokens);
    expect(report.afterTokens).toBeLessThanOrEqual(4_000);
  }
  for (const { messages } of provider.requests) expect(tokensOf(messages)).toBeLessThan(6_400);
  expect(result.messages()).toHaveLength(82);
  const kinds = (await entriesOf(store, "s")).map((entry) => (entry.type === "epoch" ? entry.cause : entry.type));
  expect(kinds).toContain("view-edit");
  expect(kinds.filter((kind) => kind === "compaction").length).toBe(compactions.length);
});

test("a hook can forbid a compaction before a model is paid for it", async () => {
  const summarizer = scripted([]);
  const asked: unknown[] = [];
  const { engine } = small([...looks(4), text("done")], {
    compaction: createCompactionPipeline({ summarizer, triggerRatio: 0.2, targetRatio: 0.01 }),
    hooks: {
      PreCompact: [
        {
          run: ({ trigger, customInstructions }) => {
            asked.push([trigger, customInstructions, summarizer.requestCount]);
            return { decision: "block", reason: "Not now." };
          },
        },
      ],
    },
  });

  const result = await engine.run("go", { sessionId: "s" });
  const reports = await engine.compact("s", "the tests");

  expect(result.status).toBe("completed");
  expect(asked[0]).toEqual(["auto", null, 0]);
  expect(asked.at(-1)).toEqual(["manual", "the tests", 0]);
  expect(reports).toEqual([]);
  expect(summarizer.requestCount).toBe(0);
});

test("engine.compact summarizes with its focus and what hooks add; cost and usage are the run's", async () => {
  const summarizer = scripted(
    [text("<summary>## Goal\nGo.</summary>", { usage: { inputTokens: 1_000, outputTokens: 100 } })],
    {
      id: "cheap",
      model: "c1",
    },
  );
  const { engine, provider } = small([...looks(3), text("done"), text("more")], {
    compaction: createCompactionPipeline({ summarizer, keepTurns: 1 }),
    prices: createPrices({ "cheap/c1": { inputUsd: 10, outputUsd: 100 }, scripted: { inputUsd: 0, outputUsd: 0 } }),
    hooks: {
      PreCompact: [{ run: () => ({ additionalContext: "Keep ticket ids." }) }],
      PostCompact: [{ run: () => undefined }],
    },
  });
  const usages = listen(engine, "usage");
  await engine.run("go", { sessionId: "s" });

  const [report, ...others] = await engine.compact("s", "the tests");
  await engine.run("And?", { sessionId: "s" });

  expect(others).toEqual([]);
  expect(report).toMatchObject({ stage: "summarize", removedTurns: 3, costUsd: 0.02 });
  expect(summarizer.requests[0]!.lastUserText).toContain("Keep in particular: the tests\nKeep ticket ids.");
  expect(usages.some(({ costUsd }) => costUsd === 0.02)).toBe(true);
  expect(textIn(provider.requests.at(-1)!.messages)).toContain("## Goal\\nGo.");
});

test("a summary that uses up the run's budget is its last model call", async () => {
  const summarizer = scripted([text("<summary>ok</summary>", { usage: { inputTokens: 90_000, outputTokens: 1 } })]);
  const { engine, provider } = small([...looks(30), text("done")], {
    compaction: createCompactionPipeline({ summarizer, stages: undefined, targetRatio: 0.01, keepTurns: 1 }),
    limits: { maxTokens: 50_000 },
  });

  const result = await engine.run("go");

  expect(result.status).toBe("budget-exceeded");
  expect(result.usage.inputTokens).toBeGreaterThan(90_000);
  expect(provider.requestCount).toBeLessThan(30);
});

test("the tool compact takes effect once every call of its turn is answered", async () => {
  const { engine, provider } = small(
    [...looks(3), [toolCall("compact", { focus: "names" }), toolCall("look")], text("done")],
    {
      tools: [look, createCompactTool()],
      compaction: createCompactionPipeline({ keepTurns: 1 }),
    },
  );
  const compactions = listen(engine, "compaction");

  const result = await engine.run("go");

  expect(compactions).toHaveLength(1);
  const last = provider.requests.at(-1)!;
  expect(last.lastToolResults.map(({ name }) => name)).toEqual(["compact", "look"]);
  expect(last.messages.length).toBeLessThan(9);
  expect(result.status).toBe("completed");
});

test("without a compaction option the tool compact says so", async () => {
  const { engine } = testEngine([toolCall("compact"), text("done")], { tools: [createCompactTool()] });
  const ends = listen(engine, "tool-call-end");

  await engine.run("go");

  expect(ends[0]!.result).toMatchObject({ isError: true, output: "Compaction is not set up for this session." });
});

test("an unknown window is found by overflowing: the request halves until it fits", async () => {
  const limit = 2_000;
  const turns: Turn[] = [...looks(6), text("done")];
  let next = 0;
  const provider = scripted(
    [
      ({ messages }) =>
        tokensOf(messages) > limit
          ? new ProviderError("CONTEXT_TOO_LONG", { message: "prompt is too long" })
          : (turns[next++] as never),
    ],
    { loop: true },
  );
  const { engine } = testEngine([], {
    provider,
    tools: [look],
    compaction: createCompactionPipeline({ keepTurns: 2 }),
  });
  const ends = listen(engine, "turn-end");

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  const recoveries = ends.filter(({ transition }) => transition === "overflow-recovery");
  expect(recoveries.length).toBeGreaterThan(0);
  expect(recoveries.length).toBeLessThan(7);
});

test("a window that the overflow error tells is aimed at in one step", async () => {
  const session = new Session().user("go");
  for (let n = 0; n < 40; n++) session.turn([["look", { n }, BIG]]);
  const error = new ProviderError("CONTEXT_TOO_LONG", {
    message: "This model's maximum context length is 4096 tokens. However, your messages resulted in 20000 tokens.",
  });

  session.apply(await createCompactionPipeline().recover(session.view(), error));

  expect(tokensOf(session.transcript.view)).toBeLessThanOrEqual(2_048);
});

test("a window too small for anything is reported before anything is sent", async () => {
  const provider = scripted([], { contextWindow: 60 });
  const { engine } = testEngine([], {
    provider,
    compaction: createCompactionPipeline(),
    systemPrompt: "Be very careful with everything you do. ".repeat(20),
  });

  const result = await engine.run("go");

  expect(result).toMatchObject({ status: "failed", error: { code: "CONTEXT_TOO_SMALL" } });
  expect(result.error!.message).toMatch(
    /smallest view of session ".+" has about \d+ tokens .* the model's window leaves 45\./,
  );
  expect(provider.requestCount).toBe(0);
});

test("a view that cannot go below the trigger is not compacted in every turn", async () => {
  const { engine } = small([...looks(30), text("done")], {
    systemPrompt: `Be brief. ${"rule ".repeat(4_000)}`,
    compaction: createCompactionPipeline({ keepTurns: 1 }),
  });
  const epochs = listen(engine, "epoch");

  const result = await engine.run("go");

  expect(result.status).toBe("completed");
  expect(epochs.length).toBeLessThan(16);
});

test.each<[string, CompactionStage]>([
  ["throws", () => Promise.reject(new Error("boom"))],
  ["answers no array", () => ({}) as never],
  [
    "makes the view larger",
    ({ entryIds }) => {
      const replacement = [{ role: "user" as const, content: [{ type: "text" as const, text: BIG.repeat(9) }] }];
      const report = { stage: "larger", beforeTokens: 1, afterTokens: 0, removedTurns: 0, durationMs: 0, costUsd: 0 };
      return [{ stage: "larger", from: entryIds[0]!, to: entryIds[0]!, replacement, report }];
    },
  ],
  [
    "parts a call from its result",
    (view, room) => toEdits("parting", view, room, [{ first: 1, last: 1, replacement: [] }]),
  ],
  ["names no entry", () => [{ stage: "lost", from: "?", to: "?", replacement: [], report: {} as never }]],
])("a stage of the host that %s passes on to the next", async (_what, stage) => {
  const session = new Session().user("go");
  for (let n = 0; n < 10; n++) session.turn([["look", { n }, BIG]]);
  const rest: CompactionStage = (view, room) => toEdits("mine", view, room, [{ first: 1, last: 4, replacement: [] }]);
  const policy = createCompactionPipeline({ stages: [stage, rest], targetRatio: 0.7 });

  const edits = await policy.prepare(session.view(), budget({ contextWindow: 5_000, reservedOutputTokens: 0 }));

  expect(edits[0]!.report).toMatchObject({
    stage: "mine",
    removedTurns: 2,
    skippedStages: [{ reason: expect.any(String) }],
  });
});

test("wrong options are refused, naming what was expected", () => {
  const wrong: [string, object][] = [
    ["triggerRatio", { triggerRatio: 2 }],
    ["targetRatio", { targetRatio: 0.9 }],
    ["stages", { stages: "all" }],
    ["stages[0]", { stages: [{}] }],
    ["summarizer", { summarizer: {} }],
    ["keepTurns", { keepTurns: 0 }],
    ["contextWindow", { contextWindow: Number.NaN }],
  ];

  for (const [name, options] of wrong) {
    expect(() => createCompactionPipeline(options)).toThrow(`Option "${name}"`);
  }
  expect(() => createCompactionPipeline({ triggerRation: 1 } as object)).toThrow('Did you mean "triggerRatio"?');
  expect(() => createCompactionPipeline({ window: 1 } as object)).toThrow('has no option "window"');
});

test("contextUsage tells a session's tokens by category, while it runs and after", async () => {
  const seen: EventOf<"turn-end">[] = [];
  const { engine } = small([...looks(3), text("done")], {
    systemPrompt: "Be brief.",
    contextSources: [
      { id: "skills", load: async () => ({ id: "skills", text: "Skills: knitting." }) },
      { id: "memory", load: async () => ({ id: "memory", text: "The user is Ada." }) },
    ],
  });
  let during: Awaited<ReturnType<typeof engine.contextUsage>> | undefined;
  engine.on("turn-end", async (event) => {
    seen.push(event);
    if (seen.length === 2) during = await engine.contextUsage("s");
  });
  await engine.run("go", { sessionId: "s" });

  const { used, free, reserved, contextWindow, ...parts } = await engine.contextUsage("s");

  expect(Object.values(parts).every((tokens) => tokens > 0)).toBe(true);
  expect(Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)).toBe(used);
  expect(parts.toolResults).toBeGreaterThan(parts.messages);
  expect({ contextWindow, reserved, free }).toEqual({ contextWindow: 8_000, reserved: 2_000, free: 6_000 - used });
  expect(during!.used).toBeLessThan(used);
  await expect(engine.contextUsage("nowhere")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(testEngine([]).engine.contextUsage("s")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test.each<[string, number | null]>([
  ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 8_192],
  ["prompt is too long: 215014 tokens > 200000 maximum", 200_000],
  ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
  ["request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4_096],
  ["Your request exceeded model token limit: 131072", 131_072],
  ["the input token count is 40000 but model only supports up to 32,768.", 32_768],
  ["Range of input length should be [1, 129024]", 129_024],
  ["prompt too long; exceeded max context length by 512 tokens", null],
  ["input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length", 200_000],
  ["Too many input tokens. Max input tokens: 128000, request input token count: 131072", 128_000],
  ["Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32_768],
  ["Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4090 `inputs` tokens", 4_096],
  ["too many tokens: total number of tokens in the prompt exceeds the limit of 4081: received 5000.", 4_081],
  ["input is too long, the max length is 131072", 131_072],
  ["Input length (265330) exceeds model's maximum context length (262144).", 262_144],
  ["prompt tokens (330095) exceed model maximum (278528) for the base model", 278_528],
  ["max_total_tokens (140000) must be less than max_seq_len (131072)", 131_072],
  ["The tokens (140000) exceeded this model context window limit (128000).", 128_000],
  ["Prompt tokens (9000) exceeds context size (8192)", 8_192],
  ["Request body too large for the model. Max size: 8000 tokens.", 8_000],
  ["Total tokens of image and text exceed max message tokens 32768", 32_768],
  ["Current length is 9000 while limit is 8192", 8_192],
  ["the tokens in the prompt cannot exceed 4081 - received 8000.", 4_081],
  ["invalid params, context window exceeds limit (2013)", null],
  ["Input is too long for requested model.", null],
  ["", null],
])('"%s" names the window %s', (message, window) => {
  expect(parseContextLimit(message)).toBe(window);
});
