// Responses as OpenAI, Azure, xAI and local servers send them: read alike whole and in packets, and to what the official
// SDK reads.
import OpenAI from "openai";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/contracts/json.js";
import type { Message } from "../../../../src/contracts/message.js";
import type { ProviderEvent } from "../../../../src/contracts/provider.js";
import { AgentEngine } from "../../../../src/engine/engine.js";
import { defineTool } from "../../../../src/engine/tools/define-tool.js";
import { sse } from "../../../../src/testing/fault-server/index.js";
import type { WireBody } from "../../wire-body.js";
import { callsOf, outcome, play, request, textOf } from "../streams.js";
import {
  added,
  CALL,
  COUNTED,
  created,
  done,
  end,
  REASONING,
  RECORDINGS,
  SEARCHED,
  said,
  streamed,
} from "./recordings.js";

function read(events: readonly ProviderEvent[]) {
  const { finishReason, usage } = events.at(-1) as Extract<ProviderEvent, { type: "message-end" }>;
  return { text: textOf(events), calls: callsOf(events), finishReason, usage };
}

for (const [name, { events, unlikeSdk, ...expected }] of Object.entries(RECORDINGS)) {
  test(`${name}: read alike, whole and in packets`, async () => {
    const body = sse(events, { named: true, done: false });
    const whole = await play({ body }, { api: "responses" });
    const split = await play({ body, splitEvery: 61 }, { api: "responses" });

    const results = await Promise.all(
      [whole, split].map(({ provider }) => outcome(provider.stream(request({}, "look")))),
    );

    expect(results[0]!.error).toBeUndefined();
    expect(read(results[0]!.events)).toEqual({ text: "", calls: [], usage: COUNTED, ...expected });
    expect(results[1]).toEqual(results[0]);
    if (unlikeSdk !== undefined) return;
    const client = new OpenAI({ apiKey: "k", baseURL: whole.server.url, maxRetries: 0, logLevel: "off" });
    const theirs = await client.responses.stream({ model: "m", input: "?" }).finalResponse();
    expect(theirs.output_text).toBe(expected.text ?? "");
    const calls = theirs.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
    expect(calls.map((call) => JSON.parse(call.arguments))).toEqual(
      callsOf(results[0]!.events).map((call) => call.arguments),
    );
  });
}

test.each([
  [
    "a gateway's name for an error",
    { type: "response.error", error: { code: "server_error", message: "Broke." } },
    "SERVER",
  ],
  ["a bare error", { type: "rate_limit_error", message: "Slow down." }, "RATE_LIMITED"],
  [
    "an error that is called completed",
    end([], { status: "failed", error: { code: "server_error", message: "Broke." } }),
    "SERVER",
  ],
  [
    "a failure whose kind stands beside it",
    end([], { error: { code: "server_error", message: "No." }, error_type: "authentication" }, "response.failed"),
    "AUTH",
  ],
  [
    "a prompt that is refused",
    end([], { error: { code: "invalid_prompt", message: "No." } }, "response.failed"),
    "BAD_REQUEST",
  ],
])("%s ends the stream", async (_what, event, code) => {
  const body = sse([...created(), ...streamed(0, "Let me"), event as JsonObject], { named: true, done: false });
  const { provider } = await play({ body }, { api: "responses" });

  const { events, error } = await outcome(provider.stream(request()));

  expect(error).toMatchObject({ code });
  expect(events.some(({ type }) => type === "message-end")).toBe(false);
});

test("the server's own work goes back in its place, until the server refuses it", async () => {
  const body = sse(SEARCHED, { named: true, done: false });
  const refusal = {
    status: 400,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ error: { type: "invalid_request_error", message: "Unknown item type: web_search_call" } }),
  };
  const { provider, server } = await play((_asked, index) => (index === 2 ? refusal : { body }), { api: "responses" });
  const content: unknown[] = [];
  for (const event of (await outcome(provider.stream(request()))).events) {
    if (event.type === "text-delta") content.push({ type: "text", text: event.text });
    if (event.type === "reasoning-end")
      content.push({ type: "reasoning", text: "", provider: "openai", providerData: event.providerData });
  }
  const answer = { role: "assistant", content, finishReason: "stop", provider: "openai", model: "fault-model" };
  const user = { role: "user", content: [{ type: "text", text: "Go on." }] };
  const messages = [user, answer, user] as unknown as Message[];

  await outcome(provider.stream(request({ messages })));
  const again = await outcome(provider.stream(request({ messages })));

  const kindsOf = (at: number) =>
    (server.requests[at]!.body as WireBody).input.map(
      ({ type, role }: { type?: string; role: string }) => type ?? role,
    );
  expect(again.error).toBeUndefined();
  expect(kindsOf(1)).toEqual(["user", "reasoning", "web_search_call", "message", "user"]);
  expect(kindsOf(3)).toEqual(["user", "message", "user"]);
});

test("a call says again which program and which namespace it came from, and its result who asked", async () => {
  const program = { id: "cm_1", type: "program", call_id: "call_p", code: "await tools.look()", fingerprint: "Zg==" };
  const found = { id: "tso_1", type: "tool_search_output", execution: "server", call_id: null, tools: [] };
  const caller = { type: "program", caller_id: "call_p" };
  const called = { ...CALL, namespace: "eyes", caller };
  const direct = { ...CALL, id: "fc_2", call_id: "call_2", caller: { type: "direct" } };
  const items: JsonObject[] = [REASONING, found, program, called, direct];
  const events = [...created(), ...items.flatMap((item, at) => [added(at, item), done(at, item)]), end(items)];
  const answer = [...created(), ...streamed(0, "Seen."), end([said("Seen.")])];
  const { provider, server } = await play(
    [events, answer].map((list) => ({ body: sse(list, { named: true, done: false }) })),
    { api: "responses" },
  );
  const look = defineTool({
    name: "look",
    description: "Looks.",
    permission: "read_only",
    input: { type: "object" },
    execute: async () => "seen",
  });

  const result = await new AgentEngine({ provider, tools: [look] }).run("go");

  expect(result.text).toBe("Seen.");
  const { input } = server.requests[1]!.body as WireBody;
  const output = { type: "function_call_output", output: "seen" };
  expect(input.slice(2)).toEqual([
    { status: "completed", ...found },
    { status: "completed", ...program },
    { type: "function_call", call_id: "call_1", name: "look", arguments: '{"a":1}', namespace: "eyes", caller },
    { type: "function_call", call_id: "call_2", name: "look", arguments: '{"a":1}' },
    { ...output, call_id: "call_1", caller },
    { ...output, call_id: "call_2" },
  ]);
});

test("a document without its name, whose content is a string, is read", async () => {
  const document = { id: "r", status: "completed", output: [{ type: "message", role: "assistant", content: "Yes." }] };
  const { provider } = await play({ body: JSON.stringify(document) }, { api: "responses" });

  const { events, error } = await outcome(provider.stream(request()));

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe("Yes.");
});
