import { AgentEngine, type CompactionReport, type Message, type Usage } from "loopwright";
import { createCompactionPipeline, serverCompaction, sessionMemory } from "loopwright/compaction";
import { withFallback, withRateLimit } from "loopwright/providers";
import { scripted, text } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import type { FaultReply } from "loopwright/testing/fault-server";
import { describe, expect, test } from "vitest";
import {
  BLOCKS,
  compacted,
  compactingServer,
  isCompaction,
  providerOf,
  VENDORS,
  type Vendor,
} from "./compacting-server.js";

/** A tenth of a dollar for a compaction: it has 3,000 tokens of input. */
const prices = (_: object, { inputTokens }: Usage) => (inputTokens === 3_000 ? 0.1 : 0);

/** About 400 tokens: some ten prompts fill the window. */
const page = (n: number) => `Page ${n}: ${"once upon a time there was a king ".repeat(50)}`;

interface Life {
  readonly compact?: () => FaultReply;
  readonly adopt?: () => FaultReply;
  readonly isPinned?: (message: Message) => boolean;
  readonly timeoutMs?: number;
}

async function life(vendor: Vendor, { compact, adopt, isPinned, timeoutMs }: Life = {}) {
  const server = await compactingServer(vendor, compact, adopt);
  const sessions = createMemorySessionStore();
  const compaction = createCompactionPipeline({
    stages: [serverCompaction({ timeoutMs }), sessionMemory()],
    keepTurns: 2,
    isPinned,
  });
  const reports: CompactionReport[] = [];
  const provider = providerOf(vendor, server.url);
  const engine = new AgentEngine({ provider, sessions, compaction, prices });
  engine.on("compaction", ({ report }) => void reports.push(report));
  let prompts = 0;
  const say = (options = {}) => engine.run(page(++prompts), { sessionId: "s", ...options });
  const untilCompacted = async () => {
    while (reports.length === 0 && prompts < 30) expect((await say()).error).toBeUndefined();
  };
  const ordinary = () => server.requests.filter(({ body }) => !isCompaction(body)).map(({ text }) => text);
  const asked = () => server.requests.filter(({ body }) => isCompaction(body));
  return { server, sessions, engine, provider, reports, say, untilCompacted, ordinary, asked };
}

const itemsOf = (text: string | undefined): { content?: unknown; role?: string; type?: string }[] => {
  const body = JSON.parse(text ?? "{}");
  return body.messages ?? body.input;
};

describe.each(VENDORS)("%s", (vendor) => {
  const block = JSON.stringify(BLOCKS[vendor]);

  test("the server's summary goes back unchanged in place of what it stands for, and counts in the report", async () => {
    const { reports, untilCompacted, ordinary, asked, say } = await life(vendor);

    await untilCompacted();
    await say();

    expect(reports.map(({ stage }) => stage)).toEqual(["serverCompaction"]);
    expect(reports[0]!.afterTokens).toBeLessThan(reports[0]!.beforeTokens);
    expect(reports[0]!.costUsd).toBe(0.1);
    const [request] = asked();
    expect(asked()).toHaveLength(1);
    const [before, ...after] = ordinary().slice(-3);
    expect(before).not.toContain(block);
    for (const text of after) {
      expect(text.split(block)).toHaveLength(2);
      expect(text).not.toContain("Notes on the earlier part");
      expect(text).not.toContain("Page 2:");
    }
    if (vendor === "anthropic") {
      expect(JSON.stringify(itemsOf(after[0])[0]).startsWith(`{"role":"assistant","content":[${block}`)).toBe(true);
      expect(request!.headers["anthropic-beta"]).toContain("compact-2026-09-04");
    } else expect(itemsOf(after[0]).findIndex(({ type }) => type === "compaction")).toBeLessThan(2);
  });

  test("the request for it is the beginning of the request before it, so that its cache hits", async () => {
    const { untilCompacted, ordinary, asked } = await life(vendor);

    await untilCompacted();

    const plain = (text: string) => text.replaceAll(',"cache_control":{"type":"ephemeral"}', "");
    const before = itemsOf(plain(ordinary().at(-2)!));
    const sent = itemsOf(plain(asked()[0]!.text)).filter(({ type }) => type !== "compaction_trigger");
    expect(sent.length).toBeGreaterThan(2);
    expect(sent).toEqual(before.slice(0, sent.length));
  });

  test("another model gets the notes and never the summary; the one that made it gets it again", async () => {
    const { untilCompacted, ordinary, say } = await life(vendor);
    await untilCompacted();
    const other = scripted([text("Other.")]);

    await say({ provider: other });
    await say();

    const seen = JSON.stringify(other.requests.at(-1)?.messages.map(({ content }) => content));
    expect(seen).toContain("Notes on the earlier part");
    expect(seen).not.toContain("c2VjcmV0");
    expect(ordinary().at(-1)).toContain(block);
    const otherVendor = vendor === "anthropic" ? "openai" : "anthropic";
    const theirs = await compactingServer(otherVendor);
    await say({ provider: providerOf(otherVendor, theirs.url, { contextWindow: 100_000 }) });
    expect(theirs.requests[0]!.text).toContain("Notes on the earlier part");
    expect(theirs.requests[0]!.text).not.toContain("c2VjcmV0");
  });

  test("pinned messages are put behind the summary", async () => {
    const isPinned = ({ content }: Message) => JSON.stringify(content).includes("Page 1:");
    const { untilCompacted, ordinary } = await life(vendor, { isPinned });

    await untilCompacted();

    const after = ordinary().at(-1)!;
    expect(after.indexOf("Page 1:")).toBeGreaterThan(after.indexOf(block));
  });

  test("a second compaction sums up the first, whose summary goes into it", async () => {
    const { reports, say, asked } = await life(vendor);

    for (let n = 0; n < 24; n++) await say();

    expect(reports.length).toBeGreaterThan(1);
    expect(reports.every(({ stage }) => stage === "serverCompaction")).toBe(true);
    expect(asked().at(-1)!.text).toContain(block);
  });

  test("the session goes on in another engine with the same request", async () => {
    const { untilCompacted, ordinary, sessions, provider, engine } = await life(vendor);
    await untilCompacted();
    await engine.close();

    const next = new AgentEngine({ provider, sessions });
    await next.run("Go on.", { sessionId: "s" });

    const plain = (text: string) => itemsOf(text.replaceAll(',"cache_control":{"type":"ephemeral"}', ""));
    const [before, resumed] = ordinary().slice(-2).map(plain) as [unknown[], unknown[]];
    expect(resumed.slice(0, before.length)).toEqual(before);
  });

  const empty = { ...BLOCKS[vendor], content: null, encrypted_content: "" };
  const huge = { ...BLOCKS[vendor], content: "x".repeat(200_000) };
  test.each<[string, () => FaultReply, RegExp]>([
    [
      "refuses the field",
      () => ({ status: 400, body: '{"error":{"message":"compaction: Extra inputs are not permitted"}}' }),
      /./,
    ],
    ["answers without a summary", () => ({ body: compacted(vendor, []) }), /without a summary/],
    ["has failed to make one", () => ({ body: compacted(vendor, [empty]) }), /without a summary/],
    [
      "gives two",
      () => ({ body: compacted(vendor, [BLOCKS[vendor], { ...BLOCKS[vendor], id: "cmp_2" }]) }),
      /more than one/,
    ],
    ["gives one that is larger than the conversation", () => ({ body: compacted(vendor, [huge]) }), /larger than/],
    ["never ends", () => ({ body: compacted(vendor), cutAt: 200, end: "stall" }), /too long/],
  ])("a server that %s: the next stage takes its place, and the report says why", async (_, compact, why) => {
    const { reports, untilCompacted, ordinary } = await life(vendor, { compact, timeoutMs: 1_500 });

    await untilCompacted();

    expect(reports[0]).toMatchObject({ stage: "sessionMemory", skippedStages: [{ stage: "serverCompaction" }] });
    expect(reports[0]!.skippedStages![0]!.reason).toMatch(why);
    expect(ordinary().at(-1)).toContain("Notes on the earlier part");
    expect(ordinary().at(-1)).not.toContain("compaction");
  });

  const unknown = {
    anthropic: "compaction: Extra inputs are not permitted",
    openai: "Invalid value: 'compaction_trigger'.",
  };
  test.each([
    ["the wish", unknown[vendor], 1],
    ["no field by name", "Bad request.", 2],
  ])(
    "a server that always refuses, naming %s, is not asked for good, and the host is told once",
    async (_, message, times) => {
      const compact = () => ({ status: 400, body: JSON.stringify({ error: { message } }) });
      const { engine, reports, say, asked, server } = await life(vendor, { compact });
      const told: unknown[] = [];
      engine.on("notice", ({ code, details }) => void (code === "SERVER_STATE" && told.push(details)));

      for (let prompts = 0; reports.length < 4 && prompts < 60; prompts++) expect((await say()).error).toBeUndefined();

      expect(asked()).toHaveLength(times);
      expect(told).toEqual([{ cause: "compaction" }]);
      expect(reports).toHaveLength(4);
      for (const { stage, skippedStages } of reports)
        expect({ stage, skippedStages }).toMatchObject({
          stage: "sessionMemory",
          skippedStages: [{ stage: "serverCompaction" }],
        });
      expect(reports[3]!.skippedStages![0]!.reason).toContain("refuses to compact, so it is not asked again");
      // Another adapter of the same server has learned nothing.
      const request = { system: [], tools: [], messages: [], compact: {}, sessionId: "s" };
      const { signal } = new AbortController();
      const events = providerOf(vendor, server.url)
        .stream({ ...request, signal })
        [Symbol.asyncIterator]();
      await expect(events.next()).rejects.toThrow(message);
    },
  );

  test("a server that refuses one conversation is asked about the next", async () => {
    let refusals = 0;
    const { reports, say, asked } = await life(vendor, {
      compact: () =>
        refusals++ % 2 === 0
          ? { status: 400, body: '{"error":{"message":"This conversation cannot be summed up."}}' }
          : { body: compacted(vendor) },
    });

    for (let prompts = 0; reports.length < 4 && prompts < 80; prompts++) expect((await say()).error).toBeUndefined();

    expect(asked().length).toBeGreaterThanOrEqual(4);
    expect(reports.map(({ stage }) => stage)).toEqual([
      "sessionMemory",
      "serverCompaction",
      "sessionMemory",
      "serverCompaction",
    ]);
  });

  test("aborting the run ends a compaction at once", async () => {
    const { say, server, reports } = await life(vendor, {
      compact: () => ({ end: "stall" }),
    });
    const controller = new AbortController();
    const ended = (async () => {
      for (let n = 0; n < 30; n++) if ((await say({ signal: controller.signal })).status !== "completed") return true;
      return false;
    })();
    while (!server.requests.some(({ body }) => isCompaction(body)))
      await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(await ended).toBe(true);
    expect(reports).toEqual([]);
  });

  test("a server that does not take its summary back gets the notes", async () => {
    const error = { type: "invalid_request_error", message: "messages.0: a compaction block is not supported" };
    const { untilCompacted, ordinary, say, reports } = await life(vendor, {
      adopt: () => ({ status: 400, body: JSON.stringify({ type: "error", error }) }),
    });

    await untilCompacted();
    expect((await say()).error).toBeUndefined();

    expect(reports).toMatchObject([{ stage: "serverCompaction" }]);
    expect(ordinary().filter((text) => text.includes(block))).toHaveLength(1);
    expect(ordinary().at(-1)).toContain("Notes on the earlier part");
  });
});

test("decorators pass on whether a server compacts; a fallback does where all of them do", () => {
  const [claude, gpt] = VENDORS.map((vendor) => providerOf(vendor, "http://127.0.0.1:1"));
  const other = scripted([text("Hi.")]);
  expect(withRateLimit(claude!, { requestsPerMinute: 1 }).compacts).toBe(true);
  expect(withFallback([claude!, gpt!]).compacts).toBe(true);
  expect(withFallback([claude!, other]).compacts).toBeUndefined();
});

test("a model whose vendor does not compact: the stage does nothing", async () => {
  const provider = { ...scripted([text("Answer.")], { loop: true }), contextWindow: 4_000 };
  const compaction = createCompactionPipeline({ stages: [serverCompaction(), sessionMemory()], keepTurns: 2 });
  const engine = new AgentEngine({ provider, compaction, sessions: createMemorySessionStore() });
  const reports: CompactionReport[] = [];
  engine.on("compaction", ({ report }) => void reports.push(report));
  for (let n = 0; n < 12; n++) await engine.run(page(n), { sessionId: "s" });
  expect(reports[0]).toMatchObject({ stage: "sessionMemory" });
  expect(reports[0]!.skippedStages).toBeUndefined();
});
