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

const HEAD = { id: "resp_68af", object: "response", created_at: 1, model: "gpt-5.1", service_tier: "default" };
const created = (status = "in_progress"): JsonObject[] => [
  { type: "response.created", response: { ...HEAD, status, output: [], usage: null, error: null } },
  { type: "response.in_progress", response: { ...HEAD, status: "in_progress", output: [], usage: null } },
];
const added = (output_index: number, item: JsonObject): JsonObject => ({
  type: "response.output_item.added",
  output_index,
  item: { status: "in_progress", ...item },
});
const done = (output_index: number, item: JsonObject): JsonObject => ({
  type: "response.output_item.done",
  output_index,
  item: { status: "completed", ...item },
});
const USAGE = {
  input_tokens: 50,
  input_tokens_details: { cached_tokens: 20 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 59,
};
const COUNTED = { inputTokens: 50, outputTokens: 9, cacheReadTokens: 20, reasoningTokens: 4 };
const end = (output: JsonObject[], more: JsonObject = {}, type = "response.completed"): JsonObject => ({
  type,
  response: { ...HEAD, status: "completed", output, incomplete_details: null, error: null, usage: USAGE, ...more },
});
const said = (text: string, id = "msg_1"): JsonObject => ({
  id,
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});
const streamed = (output_index: number, text: string): JsonObject[] => {
  const place = { output_index, item_id: "msg_1", content_index: 0 };
  return [
    added(output_index, { id: "msg_1", type: "message", role: "assistant", content: [] }),
    { type: "response.content_part.added", ...place, part: { type: "output_text", text: "", annotations: [] } },
    { type: "response.output_text.delta", ...place, delta: text, logprobs: [], obfuscation: "x8Kq" },
    {
      type: "response.output_text.annotation.added",
      ...place,
      annotation_index: 0,
      annotation: { type: "url_citation" },
    },
    { type: "response.output_text.done", ...place, text },
    done(output_index, said(text)),
  ];
};
const SEARCH = { id: "ws_1", type: "web_search_call", action: { type: "search", query: "tides" } };
const REASONING = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "ZW5j" };
const CALL = { id: "fc_1", type: "function_call", call_id: "call_1", name: "look", arguments: '{"a":1}' };
const SEARCHED = [
  ...created("queued"),
  added(0, REASONING),
  done(0, REASONING),
  added(1, SEARCH),
  { type: "response.web_search_call.searching", output_index: 1, item_id: "ws_1" },
  { type: "response.web_search_call.completed", output_index: 1, item_id: "ws_1" },
  done(1, SEARCH),
  ...streamed(2, "High at six."),
  end([REASONING, { ...SEARCH, status: "completed" }, said("High at six.")]),
];

interface Recording {
  readonly events: readonly JsonObject[];
  readonly text?: string;
  readonly calls?: readonly unknown[];
  readonly finishReason: string;
  readonly usage?: object;
  /** Why the official SDK reads it otherwise. */
  readonly unlikeSdk?: string;
}

const RECORDINGS: Readonly<Record<string, Recording>> = {
  "a search between reasoning and text": { events: SEARCHED, text: "High at six.", finishReason: "stop" },
  "a call whose arguments come with its beginning alone": {
    events: [...created(), added(0, CALL), end([CALL])],
    calls: [{ id: "call_1", name: "look", arguments: { a: 1 } }],
    finishReason: "tool-calls",
    unlikeSdk: "it takes the end only",
  },
  "a call whose end comes with the response alone": {
    events: [...created(), added(0, { ...CALL, arguments: "" }), end([CALL])],
    calls: [{ id: "call_1", name: "look", arguments: { a: 1 } }],
    finishReason: "tool-calls",
  },
  "a call that nothing announced": {
    events: [
      ...created(),
      { type: "response.function_call_arguments.done", output_index: 0, item_id: "fc_1", arguments: '{"a":1}' },
      done(0, CALL),
      end([CALL]),
    ],
    calls: [{ id: "call_1", name: "look", arguments: { a: 1 } }],
    finishReason: "tool-calls",
    unlikeSdk: "it refuses the events",
  },
  "a response that is incomplete without a reason": {
    events: [
      ...created(),
      added(0, { ...CALL, arguments: "" }),
      end([], { status: "incomplete", usage: null }, "response.incomplete"),
    ],
    calls: [{ id: "call_1", name: "look", arguments: {}, malformed: "" }],
    finishReason: "other",
    usage: undefined as never,
    unlikeSdk: "it takes the end only",
  },
  "a filter that ends the response": {
    events: [
      ...created(),
      ...streamed(0, "Once"),
      end(
        [said("Once")],
        { status: "incomplete", incomplete_details: { reason: "content_filter" } },
        "response.incomplete",
      ),
    ],
    text: "Once",
    finishReason: "content-filter",
  },
  "details of usage that are null": {
    events: [
      ...created(),
      ...streamed(0, "Yes."),
      end([said("Yes.")], {
        usage: {
          input_tokens: 5,
          input_tokens_details: null,
          output_tokens: 2,
          output_tokens_details: null,
          total_tokens: 7,
        },
      }),
    ],
    text: "Yes.",
    finishReason: "stop",
    usage: { inputTokens: 5, outputTokens: 2 },
  },
  "a call of a kind that is not ours": {
    events: [
      ...created(),
      added(0, { id: "ctc_1", type: "custom_tool_call", call_id: "c", name: "x", input: "" }),
      { type: "response.custom_tool_call_input.delta", output_index: 0, item_id: "ctc_1", delta: "ls" },
      done(0, { id: "ctc_1", type: "custom_tool_call", call_id: "c", name: "x", input: "ls" }),
      ...streamed(1, "Yes."),
      end([said("Yes.")]),
    ],
    text: "Yes.",
    finishReason: "stop",
    unlikeSdk: "the end leaves the call out",
  },
};

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
