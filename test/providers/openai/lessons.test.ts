// What a model of OpenAI's refuses although another takes it: it is asked once more in the words that it takes.
import { expect, test } from "vitest";
import { chatChunks, sse } from "../../../src/testing/fault-server/index.js";
import type { WireBody } from "../wire-body.js";
import { outcome, play, request } from "./streams.js";

test.each([
  ["Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported."],
  ["invalid temperature: only 1 is allowed for this model"],
  ["Unsupported parameter: 'temperature' is not supported with this model."],
])("a model that takes no temperature of ours gets none, with either API: %s", async (message) => {
  const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
  for (const api of ["chat", "responses"] as const) {
    const { provider, server } = await play([refusal, refusal], { api });

    await outcome(provider.stream(request({ temperature: 0.2 })));

    expect(server.requests.map(({ body }) => (body as WireBody).temperature)).toEqual([0.2, undefined]);
  }
});

test.each([
  ["'none' is not supported with this model. Supported values are: 'minimal', 'low', 'medium', and 'high'.", "minimal"],
  ["'effort' does not support 'none' with this model. Supported values are: 'low' and 'high'.", "low"],
])("a model that cannot stop reasoning reasons as little as it can: %s", async (said, least) => {
  const refusal = { status: 400, body: JSON.stringify({ error: { message: `Unsupported value: ${said}` } }) };
  for (const api of ["chat", "responses"] as const) {
    const { provider, server } = await play([refusal, refusal], { api, compat: { reasoningSummary: "none" } });

    await outcome(provider.stream(request({ reasoning: "none" })));

    const bodies = server.requests.map(({ body }) => body as WireBody);
    expect(bodies.map((body) => body.reasoning_effort ?? body.reasoning?.effort).slice(0, 2)).toEqual(["none", least]);
  }
});

test("a model that does not reason is not asked how much, with either API", async () => {
  const message = "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
  const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
  for (const api of ["chat", "responses"] as const) {
    const { provider, server } = await play([refusal, refusal, refusal], { api });

    await outcome(provider.stream(request({ reasoning: "high" })));

    const last = server.requests.at(-1)!.body as WireBody;
    expect([last.reasoning_effort, last.reasoning]).toEqual([undefined, undefined]);
  }
});

test.each([
  ["Provider returned error", { raw: "Unsupported value: 'none'. Supported values are: 'low', 'medium'." }],
  ["Reasoning is mandatory for this endpoint and cannot be disabled.", undefined],
])("a gateway's model that cannot stop reasoning reasons as little as it can: %s", async (message, metadata) => {
  const refusal = { status: 400, body: JSON.stringify({ error: { message, ...(metadata && { metadata }) } }) };
  const { provider, server } = await play([refusal, refusal], { compat: { reasoningControl: "object" } });

  await outcome(provider.stream(request({ reasoning: "none" })));

  const bodies = server.requests.map(({ body }) => (body as WireBody).reasoning);
  expect(bodies.slice(0, 2)).toEqual([{ enabled: false }, { effort: "low" }]);
});

test("where no schema may stand beside tools, the answer is asked for in words", async () => {
  const message = "json mode cannot be combined with tool/function calling";
  const { provider, server } = await play(({ body }) =>
    (body as WireBody).response_format
      ? { status: 400, body: JSON.stringify({ error: { message } }) }
      : { body: sse(chatChunks({ text: "{}" })) },
  );

  const { error } = await outcome(provider.stream(request({ output: { type: "object" } }, "look")));

  expect(error).toBeUndefined();
  const { messages, tools } = server.requests.at(-1)!.body as WireBody;
  expect(messages[0].content).toContain('{"type":"object"}');
  expect(tools).toHaveLength(1);
});

test.each([
  ["System role not supported"],
  ["Developer instruction is not enabled for models/gemma-3"],
  ["Unsupported value: 'messages[0].role' does not support 'system' with this model."],
])("where there is no role for the system prompt, the user says it: %s", async (message) => {
  const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
  const { provider, server } = await play([refusal, { body: sse(chatChunks({ text: "Hi." })) }]);

  const { error } = await outcome(provider.stream(request({ system: [{ id: "s", text: "Be brief." }] })));

  expect(error).toBeUndefined();
  const messages = server.requests.map(
    ({ body }) => (body as { messages: { role: string; content: string }[] }).messages,
  );
  expect(messages[0]![0]).toEqual({ role: "system", content: "Be brief." });
  expect(messages[1]!.map(({ role }) => role)).not.toContain("system");
  expect(messages[1]![0]!.content).toMatch(/^Be brief\.\n\n/);
});

test("where roles must alternate, messages of one role become one", async () => {
  const refusal = {
    status: 500,
    body: JSON.stringify({ error: { message: "Conversation roles must alternate user/assistant/user/assistant/..." } }),
  };
  const { provider, server } = await play([refusal, { body: sse(chatChunks({ text: "Hi." })) }]);
  const said = (text: string) => ({ role: "user" as const, content: [{ type: "text" as const, text }] });

  await outcome(provider.stream(request({ messages: [said("a"), said("b")] })));

  const last = server.requests.at(-1)!.body as { messages: { role: string; content: string }[] };
  expect(last.messages.filter(({ role }) => role === "user")).toEqual([{ role: "user", content: "a\n\nb" }]);
});

test("a tool without parameters has none where a schema must not be empty", async () => {
  const message = "tools[0].function.parameters.properties: should be non-empty for OBJECT type";
  const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
  const { provider, server } = await play([refusal, { body: sse(chatChunks({ text: "Hi." })) }]);
  const tools = [{ name: "now", description: "Tells the time.", inputSchema: { type: "object", properties: {} } }];

  await outcome(provider.stream(request({ tools })));

  const sent = (server.requests.at(-1)!.body as WireBody).tools[0].function;
  expect(sent).toEqual({ name: "now", description: "Tells the time." });
});

test.each([
  ["[{'type': 'string_type', 'loc': ('body', 'messages', 1, 'content'), 'msg': 'Input should be a valid string'}]"],
  ["Input should be a valid string: messages.1.content"],
])("content that must be a string is one, also beside calls: %s", async (message) => {
  const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
  const { provider, server } = await play([refusal, { body: sse(chatChunks({ text: "Hi." })) }]);
  const call = { type: "tool-call", id: "a", name: "look", arguments: {} } as const;
  const asked = { role: "assistant", content: [call], finishReason: "tool-calls", provider: "x", model: "y" } as const;
  const result = { type: "tool-result", toolCallId: "a", name: "look", output: "ok", isError: false } as const;

  await outcome(provider.stream(request({ messages: [asked, { role: "tool", content: [result] }] })));

  expect(server.requests.map(({ body }) => (body as WireBody).messages.at(-2).content)).toEqual([null, ""]);
});

test("advice to ask for no effort is not the least effort", async () => {
  const message = "Function tools with reasoning_effort are not supported. Set reasoning_effort to 'none'.";
  const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
  const { provider, server } = await play([refusal, { body: sse(chatChunks({ text: "Hi." })) }]);

  await outcome(provider.stream(request({ reasoning: "high" })));

  expect(server.requests.map(({ body }) => (body as WireBody).reasoning_effort)).toEqual(["high", undefined]);
});

test("a server of responses that takes no schema is asked in words, one that forces no tools is not made to", async () => {
  const output = { type: "object", properties: { a: { type: "string" } } };
  const { provider, server } = await play(
    ({ body }) => {
      const { text, tool_choice } = body as { text?: unknown; tool_choice?: unknown };
      const field = text ? "text.format" : tool_choice ? "tool_choice" : undefined;
      return { status: field ? 400 : 500, body: JSON.stringify({ error: { message: `Unknown field: ${field}` } }) };
    },
    { api: "responses" },
  );

  await outcome(provider.stream(request({ output, toolChoice: "required" }, "look")));

  const last = server.requests.at(-1)!.body as { instructions: string; text?: unknown; tool_choice?: unknown };
  expect(last.instructions).toContain(JSON.stringify(output));
  expect([last.text, last.tool_choice]).toEqual([undefined, undefined]);
});

test("a server that takes no limit of the output under any name gets none, with either API", async () => {
  const refusal = (name: string) => ({
    status: 400,
    body: JSON.stringify({ error: { message: `Unsupported parameter: ${name}` } }),
  });
  const refusals = {
    chat: ["max_tokens", "max_completion_tokens"].map(refusal),
    responses: [refusal("max_output_tokens"), refusal("stream")],
  };
  for (const api of ["chat", "responses"] as const) {
    const { provider, server } = await play([...refusals[api], { status: 500, body: "" }], { api });

    await outcome(provider.stream(request({ maxOutputTokens: 9 })));

    const limits = server.requests.map(({ body }) =>
      Object.keys(body as WireBody).filter((name) => /^max_/.test(name)),
    );
    expect(limits).toEqual(
      api === "chat" ? [["max_tokens"], ["max_completion_tokens"], []] : [["max_output_tokens"], []],
    );
  }
});
