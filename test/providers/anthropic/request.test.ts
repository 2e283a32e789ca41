import { expect, test } from "vitest";
import type { Message } from "../../../src/contracts/message.js";
import type { ProviderRequest } from "../../../src/contracts/provider.js";
import type { AnthropicOptions } from "../../../src/providers/anthropic/index.js";
import { anthropicEvents, namedSse } from "../../../src/testing/fault-server/index.js";
import { HISTORY } from "../../../src/testing/provider/sample-request.js";
import { PIXEL, saidBy, user } from "../history-parts.js";
import { outcome, request } from "../openai/streams.js";
import { anthropicRefusal } from "../rules/anthropic-rules.js";
import type { WireBody } from "../wire-body.js";
import { playAnthropic } from "./streams.js";

const HELLO = { body: namedSse(anthropicEvents({ text: "Hello." })) };

/** What goes over the wire for a request. */
async function sent(
  overrides: Partial<ProviderRequest> = {},
  options: Partial<AnthropicOptions> = {},
  ...tools: string[]
): Promise<WireBody> {
  const { provider, server } = await playAnthropic(HELLO, options);
  const { error } = await outcome(provider.stream(request(overrides, ...tools)));
  expect(error).toBeUndefined();
  const body = server.requests.at(-1)!.body as WireBody;
  expect(anthropicRefusal(body)).toBeNull();
  return body;
}

const said = saidBy("anthropic", "claude-opus-5");

test("a request holds the system prompt, tools and messages, with cache breakpoints at their ends", async () => {
  const { provider, server } = await playAnthropic(HELLO);

  await outcome(provider.stream(request({ toolChoice: "auto" }, "look", "write")));

  const [asked] = server.requests;
  expect(asked!.path).toBe("/v1/messages");
  expect(asked!.headers).toMatchObject({ "x-api-key": "test-key", "anthropic-version": "2023-06-01" });
  expect(asked!.body).toEqual({
    model: "claude-opus-5",
    max_tokens: expect.any(Number),
    system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
    tools: [
      { name: "look", description: "Does look.", input_schema: { type: "object", properties: {} } },
      {
        name: "write",
        description: "Does write.",
        input_schema: { type: "object", properties: {} },
        cache_control: { type: "ephemeral" },
      },
    ],
    messages: [{ role: "user", content: [{ type: "text", text: "Hello?", cache_control: { type: "ephemeral" } }] }],
    stream: true,
  });
});

test("a later request marks where the request before it ended", async () => {
  const messages = [
    user("one"),
    said({ type: "tool-call", id: "a", name: "look", arguments: {} }),
    { role: "tool", content: [{ type: "tool-result", toolCallId: "a", name: "look", output: "x", isError: false }] },
  ] as Message[];
  const body = await sent({ messages }, {}, "look");

  expect(body.messages[0].content[0].cache_control).toEqual({ type: "ephemeral" });
  expect(body.messages[2].content[0].cache_control).toEqual({ type: "ephemeral" });
  expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
});

test("caching can last an hour, or be left out", async () => {
  const long = await sent({}, { cache: "1h" });
  const none = await sent({}, { cache: false });

  expect(long.system[0].cache_control).toEqual({ type: "ephemeral", ttl: "1h" });
  expect(JSON.stringify(none)).not.toContain("cache_control");
});

test("each message begins with the bytes of the request before, cache markers aside", async () => {
  const strip = (body: WireBody) =>
    JSON.stringify(body.messages, (key, value) => (key === "cache_control" ? undefined : value)).slice(0, -1);
  const messages: Message[] = [user("go")];
  let before = strip(await sent({ messages }));

  for (let turn = 0; turn < 6; turn++) {
    messages.push(
      said(
        { type: "text", text: `Step ${turn}` },
        { type: "tool-call", id: `c${turn}`, name: "look", arguments: { turn } },
      ),
    );
    messages.push({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: `c${turn}`, name: "look", output: "ok", isError: false }],
    });
    if (turn % 2 === 0) messages.push({ ...user("Mind the plan."), origin: "reminder" } as Message);
    const now = strip(await sent({ messages }));
    expect(now.startsWith(before)).toBe(true);
    before = now;
  }
});

test("a long and varied history of another provider becomes one that the API takes", async () => {
  const body = await sent({ messages: HISTORY }, {}, "read_file");

  expect(body.messages.map(({ role }: WireBody) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
  const [, assistant, results] = body.messages;
  expect(assistant.content.map(({ type }: WireBody) => type)).toEqual(["text", "tool_use", "tool_use"]);
  expect(assistant.content[2]).toMatchObject({ id: expect.stringMatching(/^[a-zA-Z0-9_-]+$/), input: {} });
  expect(results.content[1]).toMatchObject({
    tool_use_id: assistant.content[2].id,
    is_error: true,
    content: "not JSON",
  });
  expect(results.content[2]).toMatchObject({ type: "text", text: "Mind the plan." });
});

test("empty text is never sent, and a message that says nothing is left out", async () => {
  const body = await sent({
    system: [
      { id: "a", text: "  " },
      { id: "b", text: "Be kind." },
    ],
    messages: [
      user("one"),
      said({ type: "text", text: " \n" }),
      {
        role: "user",
        content: [
          { type: "text", text: "" },
          { type: "text", text: "two" },
        ],
      },
    ],
  });

  expect(body.system).toHaveLength(1);
  expect(body.messages).toEqual([
    { role: "user", content: [{ type: "text", text: "one" }, expect.objectContaining({ text: "two" })] },
  ]);
});

test("a conversation that begins or ends with the model is framed by the user", async () => {
  const body = await sent({ messages: [said({ type: "text", text: "Hello, " })] });

  expect(body.messages.map(({ role }: WireBody) => role)).toEqual(["user", "assistant", "user"]);
});

test("images, PDF and text files go as blocks of their own, and the rest is named", async () => {
  const body = await sent({
    messages: [
      {
        role: "user",
        content: [
          { type: "image", mediaType: "image/png", data: PIXEL },
          { type: "file", mediaType: "application/pdf", data: "JVBERi0=", name: "a.pdf" },
          { type: "file", mediaType: "text/csv", data: btoa("a,b"), name: "t.csv" },
          { type: "file", mediaType: "audio/wav", data: "UklGRg==", name: "s.wav" },
          { type: "image", mediaType: "image/bmp", data: "Qk0=" },
        ],
      },
    ],
  });

  const [image, pdf, csv, wav, bmp] = body.messages[0].content;
  expect(image).toEqual({ type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } });
  expect(pdf).toMatchObject({
    type: "document",
    title: "a.pdf",
    source: { type: "base64", media_type: "application/pdf" },
  });
  expect(csv).toMatchObject({
    type: "document",
    title: "t.csv",
    source: { type: "text", media_type: "text/plain", data: "a,b" },
  });
  expect(wav.text).toContain('"s.wav" of type audio/wav was left out');
  expect(bmp.text).toContain("image/bmp");
});

test("images of a result stay in it, unless the call failed", async () => {
  const output = [
    { type: "text", text: "seen" },
    { type: "image", mediaType: "image/png", data: PIXEL },
  ] as const;
  const results = (["a", "b"] as const).map((toolCallId) => ({
    type: "tool-result" as const,
    toolCallId,
    name: "look",
    output,
    isError: toolCallId === "b",
  }));
  const calls = ["a", "b"].map((id) => ({ type: "tool-call" as const, id, name: "look", arguments: {} }));
  const body = await sent(
    { messages: [user("go"), said(...calls), { role: "tool", content: results }] as never },
    {},
    "look",
  );

  const { content } = body.messages[2];
  expect(content.map(({ type }: WireBody) => type)).toEqual(["tool_result", "tool_result", "text", "image"]);
  expect(content[0].content.map(({ type }: WireBody) => type)).toEqual(["text", "image"]);
  expect(content[1]).toMatchObject({ is_error: true, content: [{ type: "text", text: "seen" }] });
});

test("a failed result without a word still says that it failed", async () => {
  const messages: Message[] = [
    user("go"),
    said({ type: "tool-call", id: "a", name: "look", arguments: {} }),
    { role: "tool", content: [{ type: "tool-result", toolCallId: "a", name: "look", output: "", isError: true }] },
  ];
  const body = await sent({ messages }, {}, "look");

  expect(body.messages[2].content[0].content).toBe("The call failed without a message.");
});

test("thinking goes back to its own model with its signature, and to no other", async () => {
  const first = await playAnthropic({
    body: namedSse(
      anthropicEvents({
        thinking: "Hm.",
        signature: "c2ln+/=",
        redacted: "ZW5j",
        toolCalls: [{ name: "look", arguments: {} }],
      }),
    ),
  });
  const { events } = await outcome(first.provider.stream(request({}, "look")));
  const kept = events.flatMap((event) => (event.type === "reasoning-end" ? [event.providerData!] : []));
  const message = (model: string, provider = "anthropic"): Message[] => [
    user("go"),
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm.", provider, providerData: kept[0]! },
        { type: "reasoning", text: "", provider, providerData: kept[1]! },
        { type: "tool-call", id: "toolu_1", name: "look", arguments: {} },
      ],
      finishReason: "tool-calls",
      provider,
      model,
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "toolu_1", name: "look", output: "x", isError: false }],
    },
  ];

  const same = await sent({ messages: message("claude-opus-5") }, {}, "look");
  const wrapped = await sent({ messages: message("other", "fallback") }, {}, "look");
  const other = await sent({ messages: message("claude-opus-5") }, { model: "claude-sonnet-5" }, "look");

  const blocks = [
    { type: "thinking", thinking: "Hm.", signature: "c2ln+/=" },
    { type: "redacted_thinking", data: "ZW5j" },
  ];
  expect(same.messages[1].content.slice(0, 2)).toEqual(blocks);
  expect(wrapped.messages[1].content.slice(0, 2)).toEqual(blocks);
  expect(other.messages[1].content.map(({ type }: WireBody) => type)).toEqual(["tool_use"]);
});

test("thinking that nothing follows is left out", async () => {
  const reasoning = {
    type: "reasoning" as const,
    text: "Hm.",
    provider: "anthropic",
    providerData: { signature: "s" },
  };
  const body = await sent({ messages: [user("go"), said({ type: "text", text: "A" }, reasoning), user("on")] });

  expect(body.messages[1].content).toEqual([{ type: "text", text: "A" }]);
});

test.each([
  ["claude-opus-5", "low", { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } }],
  [
    "claude-sonnet-4-6",
    "high",
    { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
  ],
  ["claude-sonnet-4-5-20250929", "medium", { thinking: { type: "enabled", budget_tokens: 8_192 } }],
  ["claude-opus-4-20250514", "low", { thinking: { type: "enabled", budget_tokens: 2_048 } }],
  ["claude-3-5-haiku-20241022", "high", {}],
  ["claude-opus-5", "none", { thinking: { type: "disabled" } }],
  ["kimi-k2", "low", { thinking: { type: "enabled", budget_tokens: 2_048 } }],
] as const)("%s thinks with effort %s as it understands it", async (model, reasoning, expected) => {
  const { thinking, output_config } = await sent({ reasoning, temperature: 0.5 }, { model });

  expect({ ...(thinking && { thinking }), ...(output_config && { output_config }) }).toEqual(expected);
});

test("a budget leaves room for the answer, and thinking is left out where the API refuses it", async () => {
  const model = "claude-sonnet-4-5";
  const small = await sent({ reasoning: "high", maxOutputTokens: 4_000 }, { model });
  const tiny = await sent({ reasoning: "high", maxOutputTokens: 1_500 }, { model });
  const forced = await sent({ reasoning: "high", toolChoice: "required" }, { model }, "look");
  const foreign = await sent(
    {
      reasoning: "high",
      messages: [
        user("go"),
        said({ type: "tool-call", id: "a", name: "look", arguments: {} }),
        {
          role: "tool",
          content: [{ type: "tool-result", toolCallId: "a", name: "look", output: "x", isError: false }],
        },
      ],
    },
    { model },
    "look",
  );

  expect(small.thinking).toEqual({ type: "enabled", budget_tokens: 2_000 });
  expect([tiny.thinking, forced.thinking, foreign.thinking]).toEqual([undefined, undefined, undefined]);
});

test("the adapter's own thinking holds where the request says nothing", async () => {
  const thinking = { type: "enabled", budget_tokens: 5_000 } as const;
  const plain = await sent({ temperature: 0.2 }, { thinking });
  const asked = await sent({ reasoning: "none" }, { thinking });

  expect(plain.thinking).toEqual(thinking);
  expect(plain.temperature).toBeUndefined();
  expect(asked.thinking).toEqual({ type: "disabled" });
});

test("tool choice and parallel calls are worded as the API wants", async () => {
  const choice = async (toolChoice: ProviderRequest["toolChoice"], options = {}) =>
    (await sent({ toolChoice: toolChoice! }, options, "look")).tool_choice;

  expect(await choice("none")).toEqual({ type: "none" });
  expect(await choice("required")).toEqual({ type: "any" });
  expect(await choice({ name: "look" })).toEqual({ type: "tool", name: "look" });
  expect(await choice("auto", { parallelToolCalls: false })).toEqual({ type: "auto", disable_parallel_tool_use: true });
});

test("tools that only the history knows are defined, and may not be called", async () => {
  const { tools, tool_choice } = await sent({ messages: HISTORY });

  expect(tools.map(({ name }: WireBody) => name)).toEqual(["read_file"]);
  expect(tool_choice).toEqual({ type: "none" });
});

test("a property whose name the API refuses is described, and may be given all the same", async () => {
  const properties = { "filter[id]": { type: "string" }, limit: { type: "integer" } };
  const inputSchema = { type: "object", properties, required: ["filter[id]"], additionalProperties: false };
  const { tools } = await sent({ tools: [{ name: "list", description: "", inputSchema }] });

  expect(tools[0].input_schema).toEqual({
    type: "object",
    properties: { limit: { type: "integer" } },
    description: '(properties: {"filter[id]":{"type":"string"}}, required: ["filter[id]"])',
  });
});

test("a schema with alternatives at its root becomes an object", async () => {
  const inputSchema = {
    anyOf: [
      { type: "object", properties: { a: { type: "string" }, c: {} }, required: ["a", "c"] },
      { type: "object", properties: { b: { type: "number" }, c: {} }, required: ["b", "c"] },
    ],
  };
  const { tools } = await sent({ tools: [{ name: "either", description: "", inputSchema }] });

  expect(tools[0].input_schema).toEqual({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "number" }, c: {} },
    required: ["c"],
    description: expect.stringMatching(/"required":\["a","c"\].*"required":\["b","c"\]/),
  });
});

test("a structured answer is asked for with a format in the API's subset", async () => {
  const output = {
    type: "object",
    properties: {
      age: { type: "integer", minimum: 0, description: "Years." },
      tags: { type: "array", items: { type: "string" }, minItems: 2 },
    },
    required: ["age"],
  };
  const { output_config } = await sent({ output });

  expect(output_config.format).toEqual({
    type: "json_schema",
    schema: {
      type: "object",
      properties: {
        age: { type: "integer", description: "Years. (minimum: 0)" },
        tags: { type: "array", items: { type: "string" }, description: "(minItems: 2)" },
      },
      required: ["age"],
      additionalProperties: false,
    },
  });
});

test("an older model gives its structured answer as the call of a tool, which is read as text", async () => {
  const toolCalls = [{ name: "structured_output", arguments: { age: 3 } }];
  const { provider, server } = await playAnthropic(
    { body: namedSse(anthropicEvents({ toolCalls, pieceSize: 3 })) },
    { model: "claude-3-5-sonnet-20241022" },
  );
  const output = { type: "object", properties: { age: { type: "integer" } } };

  const { events } = await outcome(provider.stream(request({ output }, "look")));

  const body = server.requests[0]!.body as WireBody;
  expect(body.tools.map(({ name }: WireBody) => name)).toEqual(["look", "structured_output"]);
  expect(body.tool_choice).toEqual({ type: "any" });
  expect(events.map((event) => (event.type === "text-delta" ? event.text : "")).join("")).toBe('{"age":3}');
  expect(events.at(-1)).toMatchObject({ type: "message-end", finishReason: "stop" });
  expect(events.some(({ type }) => type === "tool-call-start")).toBe(false);
});

test("options of the vendor go along, and the answer is still streamed", async () => {
  const body = await sent({ providerOptions: { top_k: 5, stream: false } }, { betas: ["a-2026", "b-2026"] });

  expect(body).toMatchObject({ top_k: 5, stream: true });
});

test("half of a surrogate pair never reaches the server", async () => {
  const { provider, server } = await playAnthropic(HELLO);
  const messages = [
    user("a\ud83d"),
    said({ type: "tool-call", id: "x", name: "look", arguments: { "k\udc00": ["\ud83d"] } }),
  ];

  await outcome(provider.stream(request({ messages })));

  expect(server.requests[0]!.text).not.toMatch(/\\ud[89a-f]/i);
});
