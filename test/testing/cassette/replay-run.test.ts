import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ProviderError } from "../../../src/contracts/errors.js";
import type { EngineEvent } from "../../../src/contracts/event.js";
import type { ProviderAdapter } from "../../../src/contracts/provider.js";
import type { SessionRecord } from "../../../src/contracts/session.js";
import type { BaseTool } from "../../../src/contracts/tool.js";
import { AgentEngine } from "../../../src/engine/engine.js";
import type { EngineOptions } from "../../../src/engine/options/options.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { ToolRegistry } from "../../../src/engine/tools/tool-registry.js";
import { createMemorySessionStore } from "../../../src/engine/transcript/memory-session-store.js";
import { anthropic } from "../../../src/providers/anthropic/index.js";
import { scripted } from "../../../src/providers/scripted/index.js";
import { anthropicEvents, createFaultServer, namedSse } from "../../../src/testing/fault-server/index.js";
import { recordRun, replayRun, text, toolCall } from "../../../src/testing/index.js";
import { followSignal } from "../../../src/time/follow-signal.js";

function cassettePath(): string {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-cassette-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, "sub", "run.jsonl");
}

/** A tool that is as slow as it is reported, and counts how often it really ran. */
function slowTool(name: string, runs: string[], permission: "none" | "read_only" = "none"): BaseTool {
  return defineTool({
    name,
    description: `Waits as ${name}.`,
    permission,
    input: { type: "object", properties: { ms: { type: "number" } } },
    execute: async ({ ms }: { ms: number }, context) => {
      runs.push(name);
      context.progress({ half: ms / 2 });
      await new Promise((resolve) => setTimeout(resolve, ms));
      if (name === "fails") throw new Error("it broke");
      return { output: `${name} took ${ms} of ${Math.round(Math.random() * 1e9)}`, details: { ms } };
    },
  });
}

interface Outcome {
  readonly result: unknown;
  readonly messages: unknown;
  readonly events: readonly EngineEvent[];
  readonly entries: readonly SessionRecord[];
}

/** One run, with everything it left. */
async function runWith(options: EngineOptions, prompt = "go"): Promise<Outcome> {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ ...options, sessions });
  const run = engine.stream(prompt);
  const events: EngineEvent[] = [];
  for await (const event of run) events.push(event);
  const { messages, ...result } = await run.result;
  await run.idle;
  const entries: SessionRecord[] = [];
  for await (const entry of sessions.read(result.sessionId)) entries.push(entry);
  return {
    result: JSON.parse(JSON.stringify(result)),
    messages: messages(),
    events: JSON.parse(JSON.stringify(events)),
    entries,
  };
}

const overloaded = new ProviderError("OVERLOADED", { message: "Too busy.", retryable: true, retryAfterMs: 1 });

function busyProvider() {
  return scripted([
    text("Let me", { error: overloaded, errorAfterChunks: 1 }),
    [
      "Let me look.",
      toolCall("first", { ms: 30 }),
      toolCall("second", { ms: 5 }),
      toolCall("reads", { ms: 12 }),
      toolCall("fails", { ms: 1 }),
    ],
    text("All of it is done.", { chunkSize: 3, chunkDelayMs: 1 }),
  ]);
}

test("a replay is exact: result, messages, events with their times, and the session, without calling anything", async () => {
  const file = cassettePath();
  const runs: string[] = [];
  const tools = () => [
    slowTool("first", runs),
    slowTool("second", runs),
    slowTool("reads", runs, "read_only"),
    slowTool("fails", runs),
  ];
  const recording = recordRun({ provider: busyProvider(), tools: tools(), retry: { baseMs: 1 } }, file);
  const recorded = await runWith(recording.options);
  await recording.done();
  expect(recorded.result).toMatchObject({ status: "completed", text: "All of it is done." });
  const ranBefore = runs.length;

  for (const order of ["first", "again"]) {
    const replay = replayRun(file, { tools: tools(), retry: { baseMs: 1 } });
    const replayed = await runWith(replay.options);

    expect(replay.verify(), order).toEqual({
      ok: true,
      requests: { recorded: 3, replayed: 3 },
      toolCalls: { recorded: 4, replayed: 4 },
    });
    expect(replayed.messages).toEqual(recorded.messages);
    expect(replayed.result).toEqual(recorded.result);
    expect(replayed.entries).toEqual(recorded.entries);
    expect(replayed.events).toEqual(recorded.events);
  }
  expect(runs).toHaveLength(ranBefore);
});

test.each<[string, (signal: AbortSignal) => Promise<string>]>([
  ["stops at its signal", (signal) => new Promise((_, reject) => followSignal(signal, () => reject(signal.reason)))],
  ["ends later", (signal) => new Promise((resolve) => followSignal(signal, () => setTimeout(resolve, 20, "late")))],
  ["never ends", () => new Promise(() => {})],
])("a call that timed out is replayed with its outcome, also if its tool %s", async (_how, work) => {
  const file = cassettePath();
  const slow = (timeoutMs: number) =>
    defineTool({
      ...{ name: "slow", description: "Works.", permission: "none" as const, timeoutMs },
      execute: (_, { signal, progress }) => {
        progress("begun");
        return work(signal);
      },
    });
  const reply = text("It timed out.", { chunkDelayMs: 1 });
  const limits = { abandonMs: 5 };
  const failures: string[] = [];
  const hooks = () => ({
    PostToolUseFailure: [{ run: ({ error }: { readonly error: string }) => void failures.push(error) }],
  });
  const provider = scripted([toolCall("slow"), reply]);
  const recording = recordRun({ provider, tools: [slow(10)], limits, hooks: hooks() }, file);
  const recorded = await runWith(recording.options);
  await recording.done();

  // However long its tool may take now.
  const replay = replayRun(file, { tools: [slow(60_000)], limits, hooks: hooks() });
  const replayed = await runWith(replay.options);

  expect(replay.verify()).toMatchObject({ ok: true, toolCalls: { recorded: 1, replayed: 1 } });
  expect(replayed.result).toEqual(recorded.result);
  expect(replayed.messages).toEqual(recorded.messages);
  const details = { code: "TOOL_TIMEOUT", timeoutMs: 10 };
  const result = expect.objectContaining({ toolCallId: "call_1", status: "timeout", details });
  for (const { entries } of [recorded, replayed])
    expect(entries).toContainEqual(expect.objectContaining({ type: "tool-result", result }));
  expect(failures).toEqual([failures[0], failures[0]]);
});

test("a run over HTTP is replayed without its server", async () => {
  const file = cassettePath();
  const bodies = [
    anthropicEvents({
      thinking: "Hm.",
      signature: "c2ln",
      text: "Look:",
      toolCalls: [{ name: "first", arguments: { ms: 1 } }],
    }),
    anthropicEvents({ text: "Done." }),
  ];
  const server = await createFaultServer(bodies.map((events) => ({ body: namedSse(events), splitEvery: 100 })));
  const provider = anthropic({ model: "claude-opus-5", apiKey: "k", baseURL: server.url });
  const recording = recordRun({ provider, tools: [slowTool("first", [])] }, file);
  const recorded = await runWith(recording.options);
  await recording.done();
  await server.close();

  const replay = replayRun(file, { tools: [slowTool("first", [])] });
  const replayed = await runWith(replay.options);

  expect(replay.verify().ok).toBe(true);
  expect(replayed).toEqual(recorded);
  expect(recorded.messages).toContainEqual(expect.objectContaining({ provider: "anthropic", model: "claude-opus-5" }));
});

test("an opinion of a tool that comes later is in the cassette", async () => {
  const file = cassettePath();
  const tool = (): BaseTool => ({
    ...slowTool("first", [], "read_only"),
    checkPermission: async () => ({ behavior: "deny", reason: "not today" }),
  });
  const recording = recordRun(
    { provider: scripted([toolCall("first", { ms: 1 }), text("Done.")]), tools: [tool()] },
    file,
  );
  const recorded = await runWith(recording.options);
  await recording.done();

  const replay = replayRun(file, { tools: [tool()] });

  expect(JSON.stringify(recorded.messages)).toContain("not today");
  expect((await runWith(replay.options)).messages).toEqual(recorded.messages);
  expect(replay.verify().ok).toBe(true);
  expect(readFileSync(file, "utf8")).toMatch(/"of":"checkPermission first[^\n]*not today/);
});

async function recordSimple(file: string): Promise<void> {
  const provider = scripted([toolCall("first", { ms: 1 }), text("Done.")]);
  const recording = recordRun({ provider, tools: [slowTool("first", [])], systemPrompt: "Be brief." }, file);
  await runWith(recording.options);
  await recording.done();
}

test.each([
  [
    "a prompt",
    (options: object) => ({ options, prompt: "go now" }),
    { what: "request 1", path: "messages[0].content[0].text", recorded: '"go"', replayed: '"go now"' },
  ],
  [
    "the system prompt",
    (options: object) => ({ options: { ...options, systemPrompt: "Be long." }, prompt: "go" }),
    { what: "request 1", path: "system[0].text", recorded: '"Be brief."', replayed: '"Be long."' },
  ],
  [
    "a rule",
    (options: object) => ({
      options: { ...options, permissions: { decide: () => ({ behavior: "deny" as const, reason: "No." }) } },
      prompt: "go",
    }),
    { what: "request 2", path: "messages[2].content[0].output" },
  ],
] as const)("the first divergence is named with both sides: %s", async (_what, change, expected) => {
  const file = cassettePath();
  await recordSimple(file);
  const replay = replayRun(file, { tools: [slowTool("first", [])], systemPrompt: "Be brief." });
  const { options, prompt } = change(replay.options);

  const { result } = await runWith(options as EngineOptions, prompt);

  expect(result).toMatchObject({ status: "failed", error: { code: "REPLAY_DIVERGED" } });
  const verdict = replay.verify();
  expect(verdict).toMatchObject({ ok: false, divergence: expected, error: { code: "REPLAY_DIVERGED" } });
  expect(verdict.error?.message).toContain(expected.path);
});

test("a run that stops early, or asks for more, diverges as well", async () => {
  const file = cassettePath();
  await recordSimple(file);
  const options = { tools: [slowTool("first", [])], systemPrompt: "Be brief." };
  const short = replayRun(file, { ...options, limits: { maxTurns: 1 } });
  const long = replayRun(file, options);

  await runWith(short.options);
  const engine = new AgentEngine(long.options);
  const first = await engine.run("go");
  const second = await engine.run("and now?", { sessionId: first.sessionId });

  expect(short.verify()).toMatchObject({ ok: false, divergence: { what: "request 2, which the replay did not make" } });
  expect(second).toMatchObject({ status: "failed", error: { code: "REPLAY_DIVERGED" } });
  expect(long.verify().divergence?.what).toBe("request 3, which was not recorded");
});

test("secrets do not enter the cassette, and it can still be replayed", async () => {
  const file = cassettePath();
  process.env.MY_SERVICE_PASSWORD = "correct horse battery";
  onTestFinished(() => void delete process.env.MY_SERVICE_PASSWORD);
  const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz";
  const seen: unknown[] = [];
  const login = () =>
    defineTool({
      name: "login",
      description: "Signs in.",
      permission: "none",
      input: { type: "object" },
      execute: async (input: object) => {
        seen.push(input);
        return `Welcome; the password is ${process.env.MY_SERVICE_PASSWORD}.`;
      },
    });
  const provider = scripted([
    [
      text(`I use ${key}.`, { chunkSize: 5 }),
      toolCall("login", { password: "hunter2 hunter2", note: key, user: "ann" }),
    ],
    text("Done."),
  ]);
  const recording = recordRun({ provider, tools: [login()] }, file);
  const recorded = await runWith(recording.options, `My key is ${key}.`);
  await recording.done();

  const cassette = readFileSync(file, "utf8");
  for (const secret of [key, key.slice(7), "hunter2", "correct horse"]) expect(cassette).not.toContain(secret);
  expect(seen).toEqual([{ password: "hunter2 hunter2", note: key, user: "ann" }]);
  const replay = replayRun(file, { tools: [login()] });
  const replayed = await runWith(replay.options, `My key is ${key}.`);
  expect(replay.verify()).toMatchObject({ ok: true });
  expect(recorded.result).toMatchObject({ status: "completed" });
  expect(replayed.result).toMatchObject({ status: "completed", text: "Done." });
  expect(seen).toHaveLength(1);
});

test("approvers, context sources, validators, artifacts and suspended calls are replayed", async () => {
  const file = cassettePath();
  let asked = 0;
  let loads = 0;
  let puts = 0;
  const options = (): EngineOptions => ({
    provider: scripted([[toolCall("ask"), toolCall("big")], text("Done.")]),
    tools: [
      defineTool({
        name: "ask",
        description: "Asks.",
        permission: "execute",
        input: { type: "object" },
        execute: async (_input, context) => {
          if (!context.resumed) return context.suspend({ kind: "question", reason: "Which one?" });
          return `You said ${JSON.stringify(context.resumed.answer)}.`;
        },
      }),
      defineTool({
        name: "big",
        description: "Says much.",
        permission: "none",
        input: { type: "object" },
        maxResultChars: 100,
        execute: async () => `${Math.random()} `.repeat(100),
      }),
    ],
    approver: (request) => {
      asked++;
      return request.kind === "question" ? { value: `blue ${Math.random()}` } : { decision: "allow" };
    },
    contextSources: [
      { id: "clock", load: async () => ({ id: "clock", text: `Load ${++loads} at ${Math.random()}.` }) },
    ],
    artifacts: {
      put: async () => ({ id: `artifact-${++puts}-${Math.random()}`, bytes: 5 }) as never,
      get: async () => new Uint8Array(),
    } as never,
  });
  const recording = recordRun(options(), file);
  const recorded = await runWith(recording.options);
  await recording.done();
  expect(recorded.result).toMatchObject({ status: "completed" });
  const before = [asked, loads, puts];

  const replay = replayRun(file, options());
  const replayed = await runWith(replay.options);

  expect(replay.verify()).toMatchObject({ ok: true });
  expect(replayed).toEqual(recorded);
  expect([asked, loads, puts]).toEqual(before);
});

test("a suspension that is answered later, and tools of a registry, are replayed", async () => {
  const file = cassettePath();
  let runs = 0;
  const options = (): EngineOptions => ({
    provider: scripted([toolCall("push"), text("Pushed it.")]),
    tools: new ToolRegistry([
      defineTool({
        name: "push",
        description: "Pushes.",
        permission: "execute",
        input: { type: "object" },
        execute: async () => `Push ${++runs}.`,
      }),
    ]),
  });
  const play = async (given: EngineOptions) => {
    const engine = new AgentEngine(given);
    const first = await engine.run("Publish it.");
    const second = await engine.resume(first.sessionId, { answers: [{ id: first.pending[0]!.id, decision: "allow" }] })
      .result;
    return [first.status, second.status, second.text, second.messages()];
  };
  const recording = recordRun(options(), file);
  const recorded = await play(recording.options);
  await recording.done();

  const replay = replayRun(file, options());
  const replayed = await play(replay.options);

  expect(recorded.slice(0, 3)).toEqual(["needs-approval", "completed", "Pushed it."]);
  expect(replayed).toEqual(recorded);
  expect(replay.verify()).toMatchObject({ ok: true, toolCalls: { recorded: 1, replayed: 1 } });
  expect(runs).toBe(1);
});

test("a tool that runs sub-agents runs again, and its models and tools are replayed", async () => {
  const file = cassettePath();
  const runs: string[] = [];
  const options = (): EngineOptions => ({
    provider: scripted([toolCall("delegate"), toolCall("first", { ms: 2 }), text("Child done."), text("Parent done.")]),
    tools: [
      slowTool("first", runs),
      {
        ...defineTool({
          name: "delegate",
          description: "Delegates.",
          permission: "none",
          input: { type: "object" },
          execute: async (_input, context) => {
            const child = await context.spawn!(
              { name: "helper", description: "Helps.", systemPrompt: "Help." },
              "Do it.",
            );
            return `The child said: ${child.text}`;
          },
        }),
      },
    ],
  });
  const recording = recordRun(options(), file);
  const recorded = await runWith(recording.options);
  await recording.done();
  expect(recorded.result).toMatchObject({ status: "completed", text: "Parent done." });

  const replay = replayRun(file, options());
  const replayed = await runWith(replay.options);

  expect(replay.verify()).toMatchObject({ ok: true, requests: { recorded: 4, replayed: 4 } });
  expect(replayed.messages).toEqual(recorded.messages);
  expect(runs).toEqual(["first"]);
});

test("models and tools that a sub-agent has of its own are replayed, without calling them", async () => {
  const file = cassettePath();
  const runs: string[] = [];
  let supplied = 0;
  const supply = () => {
    supplied++;
    return [slowTool("first", runs)];
  };
  const options = (): EngineOptions & { own: ReturnType<typeof scripted> } => {
    const own = scripted([toolCall("first", { ms: 2 }), text("Child done.")]);
    const helper = { name: "helper", description: "Helps.", systemPrompt: "Help.", model: own };
    return {
      own,
      provider: scripted([toolCall("delegate"), text("Parent done.")]),
      tools: [
        defineTool({
          name: "delegate",
          description: "Delegates.",
          permission: "none",
          input: { type: "object" },
          execute: async (_input, context) => (await context.spawn!({ ...helper, ownTools: supply }, "Do it.")).text,
        }),
      ],
    };
  };
  const { own: _, ...first } = options();
  const recording = recordRun(first, file);
  const recorded = await runWith(recording.options);
  await recording.done();

  const { own, ...again } = options();
  const replay = replayRun(file, again);
  const replayed = await runWith(replay.options);

  expect(replay.verify()).toMatchObject({ ok: true, requests: { recorded: 4, replayed: 4 } });
  expect(replayed.messages).toEqual(recorded.messages);
  expect(runs).toEqual(["first"]);
  expect(supplied).toBe(1);
  expect(own.requestCount).toBe(0);
});

test("usage that was estimated from a text with a secret in it does not diverge", async () => {
  const file = cassettePath();
  const input = { api_key: `sk-proj-${"a1B2c3D4".repeat(12)}` };
  const unpriced: ProviderAdapter = {
    id: "p",
    model: "m",
    async *stream({ messages }) {
      yield { type: "message-start" };
      const isFirst = messages.length === 1;
      if (isFirst) yield { type: "tool-call-end", index: 0, call: { id: "a", name: "login", arguments: input } };
      else yield { type: "text-delta", text: "Done." };
      yield { type: "message-end", finishReason: isFirst ? "tool-calls" : "stop" };
    },
  };
  const login = defineTool({
    name: "login",
    description: "Signs in.",
    permission: "none",
    input: { type: "object" },
    execute: async () => "Welcome.",
  });
  const recording = recordRun({ provider: unpriced, tools: [login] }, file);
  await runWith(recording.options);
  await recording.done();

  const replay = replayRun(file, { tools: [login] });
  const { result } = await runWith(replay.options);

  expect(replay.verify()).toMatchObject({ ok: true });
  expect(result).toMatchObject({ status: "completed", text: "Done." });
});

test("a cassette that an editor has saved with other line ends and a byte order mark is the same", async () => {
  const file = cassettePath();
  await recordSimple(file);
  writeFileSync(file, `\ufeff${readFileSync(file, "utf8").replaceAll("\n", "\r\n")}`);

  const replay = replayRun(file, { tools: [slowTool("first", [])], systemPrompt: "Be brief." });
  await runWith(replay.options);

  expect(replay.verify()).toMatchObject({ ok: true });
});

test("a cassette whose writer died is replayed as far as it goes", async () => {
  const file = cassettePath();
  await recordSimple(file);
  const whole = readFileSync(file, "utf8");
  const lines = whole.trimEnd().split("\n");
  const at = lines.findIndex((line) => line.includes('"type":"request","request":1'));
  writeFileSync(file, `${lines.slice(0, at).join("\n")}\n${lines[at]!.slice(0, 40)}`);

  const replay = replayRun(file, { tools: [slowTool("first", [])], systemPrompt: "Be brief." });
  const { result } = await runWith(replay.options);

  expect(result).toMatchObject({ status: "failed", error: { code: "REPLAY_DIVERGED" } });
  expect(replay.verify().divergence?.what).toBe("request 2, which was not recorded");
});

test("what is not a cassette, and arguments in the wrong order, are refused", () => {
  const file = cassettePath();
  expect(() => recordRun(file as never, {} as never)).toThrow(/without the file/);
  expect(() => recordRun({} as never, file)).toThrow(/provider/);
  expect(existsSync(file)).toBe(false);
  recordRun({ provider: scripted(["Hi."]) }, file);
  writeFileSync(file, '{"type":"other"}\n');
  expect(() => replayRun(file)).toThrow(/not the head of a cassette/);
  writeFileSync(file, '{"type":"cassette","v":9}\n');
  expect(() => replayRun(file)).toThrow(/version 9/);
  writeFileSync(file, '{"type":"cassette","v":1,"provider":{}}\n{half\n{"type":"now","values":[]}\n');
  expect(() => replayRun(file)).toThrow(/line 2 is not JSON/);
});

test("a picture whose base64 looks like a key is recorded and replayed as it is", async () => {
  const file = cassettePath();
  const data = `AAA/AKIA${"Q".repeat(16)}/AAA`;
  const png = { type: "image", mediaType: "image/png", data, providerData: { signature: "c2ln" } } as const;
  const recording = recordRun({ provider: scripted([["Here:", png]]) }, file);
  const recorded = await runWith(recording.options);
  await recording.done();

  const replay = replayRun(file);
  const replayed = await runWith(replay.options);

  expect(replay.verify()).toMatchObject({ ok: true });
  expect(replayed.messages).toEqual(recorded.messages);
  expect(replayed.events).toEqual(recorded.events);
  expect(JSON.stringify(replayed.messages)).toContain(data);
});

test("a tool that calls others runs again in a replay, and its calls are replayed", async () => {
  const file = cassettePath();
  const runs: string[] = [];
  const compose = defineTool({
    name: "compose",
    description: "Calls others.",
    permission: "none",
    timeoutMs: null,
    input: { type: "object" },
    async execute(_input, { calls }) {
      runs.push("compose");
      const [first, second] = await calls!.run([
        { name: "waits", input: { ms: 5 } },
        { name: "fails", input: { ms: 1 } },
      ]);
      return `${String(first!.value)}; ${second!.status}`;
    },
  });
  const tools = [compose, slowTool("waits", runs), slowTool("fails", runs)];
  const turns = [toolCall("compose", {}, { id: "c" }), text("Done.")];
  const recording = recordRun({ provider: scripted(turns), tools }, file);
  const recorded = await runWith(recording.options);
  await recording.done();
  const replay = replayRun(file, { tools });
  const replayed = await runWith(replay.options);

  expect(runs).toEqual(["compose", "waits", "fails", "compose"]);
  expect(replay.verify()).toMatchObject({ ok: true });
  expect(replayed.messages).toEqual(recorded.messages);
  expect(JSON.stringify(recorded.messages)).toContain("waits took 5");
});
