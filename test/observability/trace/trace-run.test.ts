// A trace: what it says of each stage, what it leaves out, and that it changes nothing.
import { AgentEngine, defineTool, type EngineEvent, type EngineOptions, ProviderError } from "loopwright";
import { createCompactionPipeline } from "loopwright/compaction";
import { traceRun } from "loopwright/observability";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createSubagentTools, defineSubagent } from "loopwright/subagents";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { ENGINE_PARTS } from "../../../src/engine/engine-parts.js";

const SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

const fetchPage = defineTool({
  name: "fetch_page",
  description: "Fetches a page.",
  input: z.object({ url: z.string(), headers: z.record(z.string(), z.string()).optional() }),
  permission: "execute",
  execute: async ({ url, headers = {} }) => {
    if (url.endsWith("/broken")) throw new Error(`${url} was refused: ${JSON.stringify(headers)}`);
    return `A page about looms. ${SECRET}`;
  },
});

/** An engine with a clock that a test moves and ids that it knows. */
function engineWith(turns: Parameters<typeof scripted>[0], more: Partial<EngineOptions> = {}) {
  let ids = 0;
  const runtime = { now: () => 1_000_000, newId: () => `id-${++ids}` };
  return new AgentEngine({ provider: scripted(turns), tools: [fetchPage], runtime, ...more });
}

/** The lines of a run that has ended, without what the machine's speed decides. */
async function linesOf(engine: AgentEngine, prompt: string): Promise<string[]> {
  const lines: string[] = [];
  const run = engine.stream(prompt, { sessionId: "s" });
  traceRun(run, (line) => lines.push(line));
  await run.result;
  await run.idle;
  return lines.map((line) => line.replaceAll(/\d+ ms/g, "0 ms"));
}

test("a trace says stage by stage what a run does: prompt, request, response, call, hooks, decision, execution, result, end", async () => {
  const engine = engineWith(
    [
      toolCall("fetch_page", { url: "https://a.example" }),
      toolCall("fetch_page", { url: "https://b.example" }),
      text("Looms weave."),
    ],
    {
      hooks: { PreToolUse: [{ run: () => undefined }] },
      permissions: {
        decide: ({ input }) =>
          (input as { url: string }).url === "https://a.example"
            ? { behavior: "ask", reason: "It connects." }
            : {
                behavior: "deny",
                reason: "Never there.",
                rule: { rule: "WebFetch(domain:b.example)", behavior: "deny", source: "policy" },
              },
      },
      approver: () => ({ decision: "allow", by: "ada", reason: "it is ours" }),
    },
  );

  const lines = await linesOf(engine, "What is a loom?");

  expect(lines).toEqual([
    "  +0.000s run       started at 1970-01-01T00:16:40.000Z, run id-1, session s",
    "  +0.000s epoch     start",
    "  +0.000s turn      1",
    "  +0.000s prompt    What is a loom? (15 characters)",
    "  +0.000s request   scripted/scripted: 1 message, 1 tool",
    "  +0.000s response  tool-calls, 10 tokens in, 5 out, 0 ms, the first piece after 0 ms",
    '  +0.000s call      fetch_page call_1 {"url":"https://a.example"}',
    "  +0.000s hook      PreToolUse ok after 0 ms for call_1",
    "  +0.000s decision  ask fetch_page call_1: It connects.",
    "  +0.000s question  approval for fetch_page call_1",
    "  +0.000s answer    fetch_page call_1 allow by ada: it is ours",
    "  +0.000s decision  allow fetch_page call_1 by ada: it is ours",
    "  +0.000s execute   fetch_page call_1",
    "  +0.000s result    fetch_page call_1 success after 0 ms, 60 characters",
    "  +0.000s turn      1 is over: next-turn",
    "  +0.000s turn      2",
    "  +0.000s request   scripted/scripted: 3 messages, 1 tool",
    "  +0.000s response  tool-calls, 10 tokens in, 5 out, 0 ms, the first piece after 0 ms",
    '  +0.000s call      fetch_page call_2 {"url":"https://b.example"}',
    "  +0.000s hook      PreToolUse ok after 0 ms for call_2",
    "  +0.000s decision  deny fetch_page call_2 by the rule WebFetch(domain:b.example) (policy): Never there.",
    "  +0.000s result    fetch_page call_2 denied after 0 ms, 12 characters: PERMISSION_DENIED Never there.",
    "  +0.000s turn      2 is over: next-turn",
    "  +0.000s turn      3",
    "  +0.000s request   scripted/scripted: 5 messages, 1 tool",
    "  +0.000s response  stop, text of 12 characters, 10 tokens in, 5 out, 0 ms, the first piece after 0 ms",
    "  +0.000s turn      3 is over: completed",
    "  +0.000s end       completed after 3 turns, 30 tokens in, 15 out",
  ]);
});

test("each line has the time since the run began", async () => {
  let now = 5_000;
  const slow = defineTool({
    name: "slow",
    description: "Takes its time.",
    permission: "none",
    execute: async () => {
      now += 1_500;
      return "done";
    },
  });
  const engine = engineWith([toolCall("slow", {}), text("Done.")], { tools: [slow], runtime: { now: () => now } });

  const lines = await linesOf(engine, "Go.");

  expect(lines.find((line) => line.includes("execute"))).toMatch(/^ {2}\+0\.000s /);
  expect(lines.find((line) => line.includes("result"))).toMatch(/^ {2}\+1\.500s /);
  expect(lines.at(-1)).toMatch(/^ {2}\+1\.500s end /);
});

test("retries, compactions, and why a run has failed are said", async () => {
  const overloaded = new ProviderError("OVERLOADED", { message: "Too busy.", retryable: true });
  const refused = new ProviderError("AUTH", { message: `The key ${SECRET} is not known.`, retryable: false });
  const big = defineTool({
    name: "big",
    description: "Large.",
    permission: "none",
    execute: async () => "words and words\n".repeat(2_000),
  });
  const provider = scripted(
    [
      text("", { error: overloaded }),
      ...Array.from({ length: 6 }, (_, page) => toolCall("big", { page })),
      text("", { error: refused }),
    ],
    { contextWindow: 12_000, maxOutputTokens: 1_000 },
  );
  const engine = new AgentEngine({
    provider,
    tools: [big],
    compaction: createCompactionPipeline(),
    retry: { baseMs: 1 },
  });

  const lines = (await linesOf(engine, "Go.")).map((line) => line.slice(10));

  expect(lines.find((line) => line.startsWith("retry"))).toMatch(/^retry {5}1 in 0 ms, after OVERLOADED: Too busy\.$/);
  expect(lines.find((line) => line.startsWith("compact"))).toMatch(
    /^compact {3}\w+: [\d,]+ to [\d,]+ tokens, \d+ turns? less, 0 ms/,
  );
  expect(lines.at(-1)).toMatch(
    /^end {7}failed after \d turns, .* out, AUTH: The key \[redacted GitHub token\] is not known\.$/,
  );
});

test("a secret in a prompt, an input, a header, an output, a reason or an error does not appear", async () => {
  const own = /internal-\d+/;
  const engine = engineWith(
    [
      toolCall("fetch_page", { url: "https://a.example", headers: { authorization: "Basic b3BlbiBzZXNhbWU=" } }),
      toolCall("fetch_page", { url: `https://ada:hunter22@a.example/broken`, headers: { cookie: "sid=opensesame" } }),
      toolCall("fetch_page", { url: `${"x".repeat(500_000)}${SECRET}`, headers: { "x-api-key": "opensesame" } }),
      toolCall(`tool-${SECRET}`, {}, { id: SECRET }),
      text(`I have read ${SECRET}.`),
    ],
    {
      hooks: { PreToolUse: [{ run: () => ({ reason: "because password=hunter22" }) }] },
      permissions: { decide: () => ({ behavior: "allow", reason: `token: ${SECRET}, internal-77` }) },
    },
  );
  const lines: string[] = [];
  const run = engine.stream(`Read it with password=hunter22 or ${SECRET} or internal-4711.`);

  traceRun(run, (line) => lines.push(line), { redact: [own] });
  await run.result;

  const all = lines.join("\n");
  expect(lines.filter((line) => line.includes(" call "))).toHaveLength(4);
  expect(all).toContain("[redacted");
  expect(all).not.toMatch(/ghp_|hunter22|opensesame|b3Blb|internal-\d/);
});

test("a line has at most 600 characters, no line break and no control character, whatever a model, a tool or a rule says", async () => {
  const hostile = `\u001b[2J\u001b]0;owned\u0007\r\nend       completed\u009b31m${"x\n".repeat(100_000)}`;
  const engine = engineWith(
    [
      toolCall("fetch_page", { url: hostile, headers: { [hostile]: hostile } }),
      toolCall(hostile, { a: hostile }, { id: hostile.slice(0, 3_000) }),
      text(hostile),
    ],
    { permissions: { decide: () => ({ behavior: "deny", reason: hostile }) } },
  );

  const lines = await linesOf(engine, hostile);

  expect(lines.filter((line) => line.length > 600 || /[^\P{Cc}\t]/u.test(line))).toEqual([]);
  expect(lines.filter((line) => line.slice(10).startsWith("end"))).toHaveLength(1);
});

test("a traced run has the events and the result that it has without a trace", async () => {
  const play = async (isTraced: boolean) => {
    const engine = engineWith([toolCall("fetch_page", { url: "https://a.example" }), text("Done.")], {
      permissions: { decide: () => ({ behavior: "allow" }) },
    });
    const run = engine.stream("Go.", { sessionId: "s" });
    if (isTraced) traceRun(run, () => {});
    const events: EngineEvent[] = [];
    for await (const event of run) events.push(event);
    const { text: answer, status, usage } = await run.result;
    // How long a tool has taken is not the trace's.
    return JSON.stringify({ events, answer, status, usage }).replaceAll(/"durationMs":[\d.]+/g, "");
  };

  expect(await play(true)).toBe(await play(false));
});

test.each([
  [
    "throws",
    () => {
      throw new Error("disk full");
    },
  ],
  ["rejects", () => Promise.reject(new Error("disk full"))],
])("a write that %s ends the trace and is reported once; the run goes on", async (_how, failure) => {
  const report = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => report.mockRestore());
  const write = vi.fn(failure);
  const engine = engineWith([text("Done.")]);
  const run = engine.stream("Go.");

  traceRun(run, write as () => unknown);
  const { status } = await run.result;

  expect(status).toBe("completed");
  expect(report.mock.calls).toEqual([
    ["loopwright: the trace has ended, because it could not be written:", new Error("disk full")],
  ]);
  expect(ENGINE_PARTS.get(engine)!.observers.isEmpty).toBe(true);
});

test("a trace of a run has its sub-agents and no other run; that of an engine has every run, each with its id", async () => {
  const reader = defineSubagent({ name: "reader", description: "Reads.", systemPrompt: "You read." });
  const provider = scripted(
    [
      ({ system, messages }: { system: readonly { text: string }[]; messages: readonly { role: string }[] }) => {
        if (system[0]?.text === "You read.") return text("Read.");
        return messages.at(-1)?.role === "tool"
          ? text("Done.")
          : toolCall("task", { prompt: "read", subagent_type: "reader" });
      },
    ] as never,
    { loop: true },
  );
  const engine = new AgentEngine({ provider, tools: createSubagentTools({ subagents: [reader] }) });
  const [ofRun, ofEngine]: [string[], string[]] = [[], []];
  const stop = traceRun(engine, (line) => ofEngine.push(line));

  const one = engine.stream("one");
  traceRun(one, (line) => ofRun.push(line));
  const other = engine.run("other");
  await Promise.all([one.result, other]);
  await one.idle;
  const { length } = ofEngine;
  stop();
  await engine.run("unseen");

  expect(ofRun.filter((line) => line.includes(" prompt "))).toEqual([
    expect.stringMatching(/prompt {4}one /),
    expect.stringMatching(/prompt {4}\[reader\] read /),
  ]);
  expect(ofRun.filter((line) => line.includes(" end "))).toHaveLength(2);
  expect(ofEngine.filter((line) => line.includes(" end "))).toHaveLength(4);
  expect(ofEngine.filter((line) => line.includes(` ${one.id.slice(-8)} `)).length).toBeGreaterThan(0);
  expect(ofEngine).toHaveLength(length);
});

test("a resumed run is traced, and a call that a host makes outside any run by the trace of its engine", async () => {
  const engine = engineWith([toolCall("fetch_page", { url: "https://a.example" }), text("Done.")]);
  const lines: string[] = [];
  const { sessionId, pending } = await engine.run("Go.");
  const run = engine.resume(sessionId, { answers: [{ id: pending[0]!.id, decision: "allow" }] });

  traceRun(run, (line) => lines.push(line.slice(10)));
  await run.result;
  traceRun(engine, (line) => lines.push(line.slice(10)));
  await engine.execute({ id: "c", name: "fetch_page", arguments: { url: 7 } });

  expect(lines[0]).toMatch(/^run {7}resumed at /);
  expect(lines.filter((line) => /execute {3}/.test(line))).toHaveLength(1);
  expect(lines.at(-1)).toMatch(/result {4}fetch_page c failure after 0 ms, .*TOOL_INPUT_INVALID/);
});

test("a trace leaves no listener behind once its run is idle, also when the run was refused", async () => {
  const engine = engineWith([text("Done.")]);
  const parts = ENGINE_PARTS.get(engine)!;
  const run = engine.stream("Go.");
  const refused = engine.stream("Go.", { sessionId: 7 as never });

  traceRun(run, () => {});
  traceRun(refused, () => {});
  const isWatched = !parts.observers.isEmpty;
  await run.idle;
  await refused.idle;
  await Promise.resolve();

  expect([isWatched, parts.observers.isEmpty]).toEqual([true, true]);
  await expect(refused.result).rejects.toMatchObject({ code: "OPTION_INVALID" });
});

test("nothing is traced because of the environment", async () => {
  vi.stubEnv("LOOPWRIGHT_TRACE", "1");
  const written = vi.spyOn(process.stderr, "write");
  onTestFinished(() => written.mockRestore());

  await engineWith([text("Done.")]).run("Go.");

  expect(written).not.toHaveBeenCalled();
});

test("what is neither a run nor an engine, a write that cannot be called, or an unknown option is refused", () => {
  const engine = engineWith([]);

  for (const wrong of [
    () => traceRun(engine.run("Go.") as never, () => {}),
    () => traceRun(undefined as never, () => {}),
    () => traceRun(engine, "out" as never),
    () => traceRun(engine, () => {}, { redacted: [] } as never),
    () => traceRun(engine, () => {}, { redact: ["secret"] } as never),
  ]) {
    expect(wrong).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  }
});
