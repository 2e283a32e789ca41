import { describe, expect, test } from "vitest";
import type { AssistantPart, Message } from "../../../src/contracts/message.js";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { AgentEngine } from "../../../src/engine/engine.js";
import { defineTool } from "../../../src/engine/tools/define-tool.js";
import { callsOf, outcome, request, textOf } from "../openai/streams.js";
import type { WireBody } from "../wire-body.js";
import { finishPart, playParts, VERSIONS } from "./streams.js";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const ANSWER = [
  { type: "stream-start", warnings: [] },
  { type: "response-metadata", id: "r1", modelId: "model-1-2026" },
  { type: "raw", rawValue: {} },
  { type: "reasoning-start", id: "0" },
  { type: "reasoning-delta", id: "0", delta: "Hm." },
  { type: "reasoning-end", id: "0", providerMetadata: { vendor: { signature: "c2ln" } } },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Let me" },
  { type: "text-delta", id: "1", delta: " look." },
  { type: "text-end", id: "1", providerMetadata: { vendor: { itemId: "item" } } },
  { type: "source", sourceType: "url", id: "s", url: "https://a.example" },
  { type: "tool-input-start", id: "c1", toolName: "look" },
  { type: "tool-input-delta", id: "c1", delta: '{"a"' },
  { type: "tool-input-delta", id: "c1", delta: ":1}" },
  { type: "tool-input-end", id: "c1" },
  {
    type: "tool-call",
    toolCallId: "c1",
    toolName: "look",
    input: '{"a":1}',
    providerMetadata: { vendor: { thought: "dA==" } },
  },
  { type: "tool-call", toolCallId: "c2", toolName: "look", input: "{}" },
];

/** The message as the engine puts it together. */
function messageOf(events: readonly ProviderEvent[], provider = "vendor.chat"): Message {
  const content: AssistantPart[] = [];
  let isOpen = false;
  for (const event of events) {
    const last = content.at(-1);
    if (event.type === "text-delta" && last?.type === "text")
      content[content.length - 1] = { type: "text", text: last.text + event.text };
    else if (event.type === "text-delta") content.push({ type: "text", text: event.text });
    else if (event.type === "reasoning-delta") {
      content.push({ type: "reasoning", text: event.text, provider });
      isOpen = true;
    } else if (event.type === "reasoning-end") {
      const data = {
        type: "reasoning" as const,
        text: "",
        provider,
        ...(event.providerData && { providerData: event.providerData }),
      };
      if (isOpen && last?.type === "reasoning") content[content.length - 1] = { ...data, text: last.text };
      else content.push(data);
      isOpen = false;
    } else if (event.type === "tool-call-end") content.push({ type: "tool-call", ...event.call });
  }
  return { role: "assistant", content, finishReason: "tool-calls", provider, model: "model-1" };
}

for (const version of VERSIONS) {
  describe(`a model of ${version}`, () => {
    test("its parts become events in order", async () => {
      const { provider } = playParts(version, [...ANSWER, finishPart(version, "tool-calls")]);

      const { events, error } = await outcome(provider.stream(request({}, "look")));

      expect(error).toBeUndefined();
      expect(events.map(({ type }) => type)).toEqual([
        "message-start",
        "reasoning-delta",
        "reasoning-end",
        "text-delta",
        "text-delta",
        "reasoning-end",
        "tool-call-start",
        "tool-call-delta",
        "tool-call-delta",
        "tool-call-end",
        "reasoning-end",
        "tool-call-start",
        "tool-call-delta",
        "tool-call-end",
        "message-end",
      ]);
      expect(events[0]).toEqual({ type: "message-start", id: "r1", model: "model-1-2026" });
      expect(textOf(events)).toBe("Let me look.");
      expect(callsOf(events)).toEqual([
        { id: "c1", name: "look", arguments: { a: 1 } },
        { id: "c2", name: "look", arguments: {} },
      ]);
      const counted = { inputTokens: 10, outputTokens: 4 };
      expect(events.at(-1)).toEqual({
        type: "message-end",
        finishReason: "tool-calls",
        usage: version === "v2" ? counted : { ...counted, cacheReadTokens: 3, reasoningTokens: 1 },
      });
    });

    test("its metadata goes back on the parts it came with, and to no other model", async () => {
      const { provider, calls } = playParts(version, [...ANSWER, finishPart(version, "tool-calls")]);
      const { events } = await outcome(provider.stream(request({}, "look")));
      const results = ["c1", "c2"].map((toolCallId) => ({
        type: "tool-result" as const,
        toolCallId,
        name: "look",
        output: "x",
        isError: false,
      }));
      const messages: Message[] = [
        { role: "user", content: [{ type: "text", text: "go" }] },
        messageOf(events),
        { role: "tool", content: results },
      ];
      const other = playParts(version, [], { modelId: "model-2" });

      await outcome(provider.stream(request({ messages }, "look")));
      await outcome(other.provider.stream(request({ messages }, "look")));

      const sent = (options: unknown) => (options as WireBody).prompt[2].content;
      expect(sent(calls[1])).toEqual([
        { type: "reasoning", text: "Hm.", providerOptions: { vendor: { signature: "c2ln" } } },
        { type: "text", text: "Let me look.", providerOptions: { vendor: { itemId: "item" } } },
        {
          type: "tool-call",
          toolCallId: "c1",
          toolName: "look",
          input: { a: 1 },
          providerOptions: { vendor: { thought: "dA==" } },
        },
        { type: "tool-call", toolCallId: "c2", toolName: "look", input: {} },
      ]);
      expect(sent(other.calls[0])).toEqual([
        { type: "text", text: "Let me look." },
        { type: "tool-call", toolCallId: "c1", toolName: "look", input: { a: 1 } },
        { type: "tool-call", toolCallId: "c2", toolName: "look", input: {} },
      ]);
    });

    test("images, files and results go in the shape of the version", async () => {
      const { provider, calls } = playParts(version, [finishPart(version, "stop")]);
      const output = [
        { type: "text", text: "seen" },
        { type: "image", mediaType: "image/png", data: PIXEL },
      ] as const;
      const toolCalls = ["a|b", "c"].map((id) => ({ type: "tool-call" as const, id, name: "look", arguments: {} }));
      const messages: Message[] = [
        {
          role: "user",
          content: [
            { type: "image", mediaType: "image/png", data: PIXEL },
            { type: "file", mediaType: "application/pdf", data: "JVBERi0=", name: "a.pdf" },
            { type: "file", mediaType: "text/csv", data: btoa("a,b"), name: "t.csv" },
            { type: "text", text: " " },
          ],
        },
        { role: "assistant", content: toolCalls, finishReason: "tool-calls", provider: "x", model: "y" },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "a|b", name: "look", output, isError: false },
            { type: "tool-result", toolCallId: "c", name: "look", output, isError: true },
          ],
        },
      ];

      await outcome(provider.stream(request({ messages }, "look")));

      const data = (value: string) => (version === "v4" ? { type: "data", data: value } : value);
      const [, user, assistant, tool, attached] = (calls[0] as WireBody).prompt;
      expect(user.content).toEqual([
        { type: "file", mediaType: "image/png", data: data(PIXEL) },
        { type: "file", mediaType: "application/pdf", data: data("JVBERi0="), filename: "a.pdf" },
        { type: "text", text: "t.csv:\na,b" },
      ]);
      expect(tool.content[0].toolCallId).toBe(assistant.content[0].toolCallId);
      expect(tool.content[0].toolCallId).toMatch(/^[\w-]+$/);
      const image = { v2: { type: "media" }, v3: { type: "image-data" }, v4: { type: "file" } }[version];
      expect(tool.content[0].output).toEqual({
        type: "content",
        value: [
          { type: "text", text: "seen" },
          { ...image, mediaType: "image/png", data: data(PIXEL) },
        ],
      });
      expect(tool.content[1].output).toEqual({ type: "error-text", value: "seen" });
      expect(attached.role).toBe("user");
    });

    test("the options of a call hold everything that the request asks for", async () => {
      const { provider, calls } = playParts(version, [finishPart(version, "stop")]);
      const output = { type: "object" };

      await outcome(
        provider.stream(
          request(
            {
              output,
              maxOutputTokens: 5,
              temperature: 0.1,
              reasoning: "low",
              toolChoice: { name: "look" },
              providerOptions: { vendor: { a: 1 } },
            },
            "look",
          ),
        ),
      );

      expect(calls[0]).toEqual({
        prompt: [
          { role: "system", content: "Be brief." },
          { role: "user", content: [{ type: "text", text: "Hello?" }] },
        ],
        tools: [{ type: "function", name: "look", description: "Does look.", inputSchema: { type: "object" } }],
        toolChoice: { type: "tool", toolName: "look" },
        responseFormat: { type: "json", schema: output, name: "output" },
        maxOutputTokens: 5,
        temperature: 0.1,
        ...(version === "v4" && { reasoning: "low" }),
        providerOptions: { vendor: { a: 1 } },
        abortSignal: expect.any(AbortSignal),
      });
    });

    test.each([
      ["stop", "stop"],
      ["length", "length"],
      ["content-filter", "content-filter"],
      ["tool-calls", "tool-calls"],
      ["other", "other"],
      ["something-new", "other"],
    ])("its finish reason %s means %s", async (reason, expected) => {
      const { provider } = playParts(version, [
        { type: "text-delta", id: "0", delta: "A" },
        finishPart(version, reason),
      ]);

      const { events } = await outcome(provider.stream(request()));

      expect(events.at(-1)).toMatchObject({ type: "message-end", finishReason: expected });
    });

    test("a message that ends with an error, or without an end, is not one", async () => {
      const text = { type: "text-delta", id: "0", delta: "Let me" };
      const call = { type: "tool-call", toolCallId: "c", toolName: "look", input: "" };
      const unknown =
        version === "v2"
          ? { type: "finish", finishReason: "unknown", usage: {} }
          : {
              type: "finish",
              finishReason: { unified: version === "v4" ? "interrupted" : "other", raw: undefined },
              usage: { inputTokens: {}, outputTokens: {} },
            };

      for (const [parts, code] of [
        [[text, finishPart(version, "error")], "SERVER"],
        [[text], "STREAM_BROKEN"],
        [[text, call, unknown], "STREAM_BROKEN"],
        [[text, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }], "OVERLOADED"],
        [[text, { type: "error", error: "rate limit reached" }], "RATE_LIMITED"],
      ] as const) {
        const { provider } = playParts(version, parts);
        const { events, error } = await outcome(provider.stream(request({}, "look")));

        expect(error).toMatchObject({ code, retryable: true });
        expect(callsOf(events)).toEqual([]);
        expect(events.some(({ type }) => type === "message-end")).toBe(false);
      }
    });

    test("a whole run works with it", async () => {
      const { provider } = playParts(version, [], {
        doStream: async ({ prompt }: WireBody) => ({
          stream: new ReadableStream({
            start(controller) {
              const isAnswered = prompt.at(-1).role === "tool";
              const call = { type: "tool-call", toolCallId: "c", toolName: "add", input: '{"a":2,"b":3}' };
              const said = [
                { type: "text-start", id: "0" },
                { type: "text-delta", id: "0", delta: `It is ${prompt.at(-1).content[0].output?.value}.` },
              ];
              for (const part of isAnswered ? said : [call]) controller.enqueue(part);
              controller.enqueue(finishPart(version, isAnswered ? "stop" : "tool-calls"));
              controller.close();
            },
          }),
        }),
      });
      const add = defineTool({
        name: "add",
        description: "Adds.",
        permission: "none",
        input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
        execute: async ({ a, b }: { a: number; b: number }) => String(a + b),
      });

      const result = await new AgentEngine({ provider, tools: [add] }).run("2 + 3?");

      expect(result).toMatchObject({ status: "completed", text: "It is 5.", turns: 2 });
    });
  });
}

test("tools that the provider runs itself are not ours, and go back with their results", async () => {
  const parts = [
    { type: "tool-input-start", id: "s", toolName: "web_search", providerExecuted: true },
    { type: "tool-input-delta", id: "s", delta: '{"q":"x"}' },
    { type: "tool-call", toolCallId: "s", toolName: "web_search", input: '{"q":"x"}', providerExecuted: true },
    {
      type: "tool-result",
      toolCallId: "s",
      toolName: "web_search",
      result: [{ url: "https://a.example" }],
      providerExecuted: true,
    },
    { type: "text-delta", id: "0", delta: "Found." },
    finishPart("v4", "stop"),
  ];
  const { provider, calls } = playParts("v4", parts);
  const { events } = await outcome(provider.stream(request()));
  expect(callsOf(events)).toEqual([]);

  await outcome(
    provider.stream(
      request({ messages: [{ role: "user", content: [{ type: "text", text: "go" }] }, messageOf(events)] }),
    ),
  );

  expect((calls[1] as WireBody).prompt[2].content).toEqual([
    { type: "tool-call", toolCallId: "s", toolName: "web_search", input: { q: "x" }, providerExecuted: true },
    {
      type: "tool-result",
      toolCallId: "s",
      toolName: "web_search",
      output: { type: "json", value: [{ url: "https://a.example" }] },
    },
    { type: "text", text: "Found." },
  ]);
});

test("version 2 of Anthropic's provider counts cached input beside the rest", async () => {
  const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7, cachedInputTokens: 100 };
  const providerMetadata = { anthropic: { cacheCreationInputTokens: 20 } };
  const { provider } = playParts("v2", [{ type: "finish", finishReason: "stop", usage, providerMetadata }], {
    provider: "anthropic.messages",
  });

  const { events } = await outcome(provider.stream(request()));

  expect(events.at(-1)).toMatchObject({
    usage: { inputTokens: 125, outputTokens: 2, cacheReadTokens: 100, cacheWriteTokens: 20 },
  });
});
