// A program of the model's gets no further: something else than its results follows, or its container is lost.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { AgentEngine } from "../../../src/engine/engine.js";
import type { EngineOptions } from "../../../src/engine/options/options.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { outcome, request } from "../openai/streams.js";
import type { WireBody } from "../wire-body.js";
import { CALLER, CONTAINER, call, PROGRAM, RESULT, response, roll, say } from "./programs.js";
import { playAnthropic } from "./streams.js";

/** What the API would say against a request about its programs; `undefined` for nothing. `gone` containers are not known any more. */
function refusalOf({ messages, container }: WireBody, gone: readonly string[] = []): string | undefined {
  const blocks: JsonObject[] = messages.flatMap(({ content }: WireBody) => content);
  const finished = new Set(blocks.map(({ type, tool_use_id }) => type !== "tool_result" && tool_use_id));
  for (const [at, { role, content }] of messages.entries()) {
    const called: JsonObject[] = role === "assistant" ? content.filter(({ caller }: JsonObject) => caller) : [];
    const next: JsonObject[] = messages[at + 1]?.content ?? [];
    if (called.length > 0 && next.some(({ type }) => type !== "tool_result"))
      return "must contain only tool_result blocks";
    const isWaiting = called.length > 0 && at === messages.length - 2;
    if (isWaiting && container === undefined) return "container_id is required when there are pending tool uses";
    const open = content.some(({ type, id }: JsonObject) => type === "server_tool_use" && !finished.has(id));
    if (open && !isWaiting) return "code_execution tool use without a corresponding result";
  }
  return gone.includes(container) ? `container: Container ${container} has expired or does not exist.` : undefined;
}

/** An engine whose server runs programs by the API's rules: these replies, then words. */
async function strictly(replies: string[], options: Partial<EngineOptions> = {}, gone: readonly string[] = []) {
  const { provider, server } = await playAnthropic(({ body }) => {
    const message = refusalOf(body as WireBody, gone);
    if (message !== undefined)
      return {
        status: 400,
        body: JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }),
      };
    return { body: replies.shift() ?? response("end_turn", null, say("Done.")) };
  });
  const engine = new AgentEngine({ provider, tools: [roll], sessions: createMemorySessionStore(), ...options });
  return { engine, sent: () => server.requests.map(({ body }) => body as WireBody) };
}

const question = { permissions: { decide: () => ({ behavior: "ask" as const }) } };
const WAITING = response("tool_use", CONTAINER, PROGRAM, call("toolu_01"));
const { caller: _program, ...PLAIN } = call("toolu_01");
const TOLD = say('[The server\'s tool "code_execution" was called with {"code":"await roll()"}.]');

test("a program whose results have words behind them ends, and its calls are the model's own from then on", async () => {
  const notes = { hooks: { PostToolUse: [{ run: () => ({ additionalContext: "A note." }) }] } };
  const steers = defineTool({
    name: "roll",
    description: "Rolls a die.",
    permission: "read_only",
    input: { type: "object" },
    execute: async () => {
      run.steer("Be quick.");
      return "6";
    },
  });
  const { engine: steered, sent: ofSteered } = await strictly([WAITING], { tools: [steers] });
  const { engine: asked, sent: ofAsked } = await strictly([WAITING], question);
  const { engine: noted, sent: ofNoted } = await strictly([WAITING], notes);

  const run = steered.stream("One.", { sessionId: "s" });
  const [results, statuses] = [[await run.result], [(await asked.run("One.", { sessionId: "s" })).status]];
  results.push(await noted.run("One.", { sessionId: "s" }));
  for (const engine of [steered, asked, noted]) results.push(await engine.run("Two.", { sessionId: "s" }));

  expect(statuses).toEqual(["needs-approval"]);
  expect(results.map(({ status, text }) => `${status}: ${text}`)).toEqual(Array(5).fill("completed: Done."));
  for (const [bodies, words] of [
    [ofSteered(), "Be quick."],
    [ofAsked(), "Two."],
    [ofNoted(), "A note."],
  ] as const) {
    const { messages, container } = bodies[1]!;
    expect([container, messages[1].content]).toEqual([undefined, [PLAIN]]);
    expect(messages[2].content).toMatchObject([
      { type: "tool_result" },
      TOLD,
      { text: expect.stringContaining(words) },
    ]);
    const blocks = (body: WireBody) =>
      JSON.stringify(body.messages.slice(0, 3)).replace(/,"cache_control":\{[^}]*\}/g, "");
    expect(blocks(bodies.at(-1)!)).toBe(blocks(bodies[1]!));
  }
});

test("a program that another model has answered for goes no further", async () => {
  const { provider, server } = await playAnthropic({ body: response("end_turn", null, say("Hm.")) });
  const by = `anthropic/${provider.model}`;
  const kept = (providerData: JsonObject) => ({ type: "reasoning", text: "", provider: "anthropic", providerData });
  const user = (text: string) => ({ role: "user", content: [{ type: "text", text }] });
  const messages = [
    user("One."),
    {
      role: "assistant",
      content: [
        kept({ by, block: PROGRAM }),
        kept({ by, caller: CALLER }),
        { type: "tool-call", id: "toolu_01", name: "roll", arguments: {}, caller: "program" },
        kept({ by, container: CONTAINER }),
      ],
      finishReason: "tool-calls",
      provider: "anthropic",
      model: provider.model,
    },
    { role: "tool", content: [{ toolCallId: "toolu_01", name: "roll", output: "6", isError: false }] },
    { role: "assistant", content: [say("Six.")], finishReason: "stop", provider: "openai", model: "gpt-5" },
    user("Two."),
  ];

  await outcome(provider.stream(request({ messages: messages as never })));

  const body = server.requests[0]!.body as WireBody;
  expect([refusalOf(body), body.container]).toEqual([undefined, undefined]);
  expect(body.messages[1].content).toEqual([PLAIN]);
});

test("a program whose container has expired meanwhile ends: its results go to the model, without the container", async () => {
  const expired = { ...CONTAINER, expires_at: "2026-01-01T00:00:00Z" };
  const { engine, sent } = await strictly([response("tool_use", expired, PROGRAM, call("toolu_01"))], question);

  const { pending } = await engine.run("One.", { sessionId: "s" });
  const results = [await engine.resume("s", { answers: [{ id: pending[0]!.id, decision: "allow" }] }).result];
  results.push(await engine.run("Two.", { sessionId: "s" }));

  expect(results.map(({ status, text }) => `${status}: ${text}`)).toEqual(Array(2).fill("completed: Done."));
  expect(sent().map(({ container }) => container)).toEqual([undefined, undefined, undefined]);
  expect(sent()[1]!.messages[1].content).toEqual([PLAIN]);
  expect(sent()[1]!.messages[2].content).toMatchObject([{ type: "tool_result", content: "6" }, TOLD]);
});

test("a container that the server refuses is not sent again; that of a later program is", async () => {
  const later = { ...call("toolu_02"), caller: { ...CALLER, tool_id: "srvtoolu_02" } };
  const replies = [
    WAITING,
    response("end_turn", null, say("Done.")),
    response("tool_use", { ...CONTAINER, id: "container_02" }, { ...PROGRAM, id: "srvtoolu_02" }, later),
    response("end_turn", null, { ...RESULT, tool_use_id: "srvtoolu_02" }, say("Done.")),
  ];
  const { engine, sent } = await strictly(replies, {}, ["container_01"]);

  const results = [await engine.run("One.", { sessionId: "s" }), await engine.run("Two.", { sessionId: "s" })];
  results.push(await engine.run("Three.", { sessionId: "s" }));

  expect(results.map(({ status, text }) => `${status}: ${text}`)).toEqual(Array(3).fill("completed: Done."));
  const containers = [undefined, "container_01", undefined, undefined, "container_02", undefined];
  expect(sent().map(({ container }) => container)).toEqual(containers);
  expect(sent()[2]!.messages[1].content).toEqual([PLAIN]);
  expect(sent()[5]!.messages[5].content).toEqual([{ ...PROGRAM, id: "srvtoolu_02" }, later]);
});

test("a program whose container is not known ends when the server wants to know it", async () => {
  const { engine, sent } = await strictly([response("tool_use", null, PROGRAM, call("toolu_01"))]);

  expect(await engine.run("One.")).toMatchObject({ status: "completed", text: "Done." });
  expect(sent().map(({ messages }) => messages[1]?.content)).toMatchObject([undefined, [PROGRAM, {}], [PLAIN]]);
});
