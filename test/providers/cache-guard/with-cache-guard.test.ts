import { expect, test } from "vitest";
import type { Message } from "../../../src/contracts/message.js";
import type { ProviderRequest } from "../../../src/contracts/provider.js";
import { AgentEngine } from "../../../src/engine/engine.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { ToolRegistry } from "../../../src/engine/tools/tool-registry.js";
import { type CacheBreak, withCacheGuard } from "../../../src/providers/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { outcome, request } from "../openai/streams.js";
import { playing, said } from "../playing.js";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const ONE = user("one");
const TOOL = { name: "read", description: "Reads.", inputSchema: { type: "object" } };

/** The breaks that these requests lead to, one after the other. */
async function breaksOf(...requests: Partial<ProviderRequest>[]): Promise<CacheBreak[]> {
  const found: CacheBreak[] = [];
  const provider = withCacheGuard(playing("p", said("x")), { onBreak: (one) => found.push(one) });
  for (const asked of requests) {
    expect((await outcome(provider.stream(request(asked)))).error).toBeUndefined();
  }
  return found;
}

test("requests that only grow at the end break nothing, whether their messages are the same objects or not", async () => {
  expect(
    await breaksOf(
      { messages: [ONE] },
      { messages: [ONE, user("two")] },
      { messages: [user("one"), user("two"), user("three")] },
    ),
  ).toEqual([]);
});

test("a message that has changed is named, with the first byte that differs and what that costs", async () => {
  const long = user("ä".repeat(4_000));

  const [found] = await breaksOf({ messages: [ONE, user("two"), long] }, { messages: [ONE, user("twö"), long] });

  const json = JSON.stringify([ONE, user("two")]);
  expect(found).toMatchObject({
    sessionId: "session-1",
    segment: "messages",
    index: 1,
    at: json.indexOf("two") + 2,
    before: 'o"}]}',
    after: 'ö"}]}',
    cause: "message 1 (user) has changed",
  });
  expect(found!.tokensLost).toBeGreaterThan(1_000);
});

test("tools and sections that come, go or change are named", async () => {
  const system = [{ id: "memory", text: "Facts." }];
  const cases: [Partial<ProviderRequest>, Partial<ProviderRequest>, string, number][] = [
    [
      { tools: [TOOL] },
      { tools: [{ ...TOOL, description: "Reads!" }] },
      'tool "read" has changed',
      JSON.stringify([TOOL]).indexOf('."'),
    ],
    [{ tools: [TOOL] }, { tools: [] }, 'tool "read" is gone', 1],
    [{ tools: [] }, { tools: [TOOL] }, 'tool "read" is new', 1],
    [
      { system },
      { system: [{ id: "memory", text: "Fact." }] },
      'section "memory" of the system prompt has changed',
      JSON.stringify(system).indexOf('s."'),
    ],
    [{ messages: [ONE, ONE] }, { messages: [ONE] }, "message 1 (user) is gone", JSON.stringify([ONE]).length],
  ];
  for (const [before, after, cause, at] of cases) {
    expect(await breaksOf(before, after), cause).toMatchObject([{ cause, at }]);
  }
});

test("a new epoch may begin differently; each conversation is watched by itself", async () => {
  const epoch = (id: string, transcriptId = "t") => ({ id, transcriptId, cause: "tools" });

  const found = await breaksOf(
    { tools: [TOOL], epoch: epoch("1") },
    { tools: [], epoch: epoch("2") },
    { tools: [TOOL], epoch: epoch("3", "sub-1") },
    { tools: [], epoch: epoch("2") },
    { tools: [TOOL], epoch: epoch("2") },
  );

  expect(found).toMatchObject([{ segment: "tools", transcriptId: "t" }]);
});

test("a strict guard throws instead of sending", async () => {
  const inner = playing("p", said("x"));
  const provider = withCacheGuard(inner, { strict: true });
  await outcome(provider.stream(request({ messages: [ONE] })));

  const { error } = await outcome(provider.stream(request({ messages: [user("other")] })));

  expect(error).toMatchObject({ code: "CACHE_BROKEN", retryable: false, details: { segment: "messages", index: 0 } });
  expect((error as Error).message).toContain("message 0 (user) has changed (first difference at byte");
  expect(inner.requests).toHaveLength(1);
});

test("a listener that throws ends nothing", async () => {
  const provider = withCacheGuard(playing("p", said("x")), {
    onBreak: () => {
      throw new Error("mine");
    },
  });
  await outcome(provider.stream(request({ messages: [ONE] })));

  expect((await outcome(provider.stream(request({ messages: [] })))).error).toBeUndefined();
});

test("the engine breaks no cache: not over turns, runs, new tools or a resumed session", async () => {
  const tool = (name: string) =>
    defineTool({
      name,
      description: name,
      permission: "none",
      input: { type: "object" },
      execute: async () => "done",
    });
  const model = scripted([toolCall("a", {}), text("One."), toolCall("a", {}), text("Two."), text("Three.")]);
  const provider = withCacheGuard(model, { strict: true });
  const tools = new ToolRegistry().register(tool("a"));
  const engine = new AgentEngine({ provider, tools });

  const first = await engine.run("go");
  const second = await engine.run("again", { sessionId: first.sessionId });
  tools.register(tool("b"));
  const third = await engine.run("more", { sessionId: first.sessionId });

  expect([first, second, third].map(({ status }) => status)).toEqual(Array(3).fill("completed"));
  model.assertExhausted();
});
