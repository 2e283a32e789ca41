import { OpenAI } from "openai";
import { expect, test } from "vitest";
import type { Message } from "../../../../src/contracts/message.js";
import { AgentEngine } from "../../../../src/engine/engine.js";
import { defineTool } from "../../../../src/engine/tools/define-tool.js";
import { openai } from "../../../../src/providers/openai/index.js";
import { createFaultServer, responseEvents, sse } from "../../../../src/testing/fault-server/index.js";
import { HISTORY } from "../../../../src/testing/provider/sample-request.js";
import { PIXEL } from "../../history-parts.js";
import { outcome, play, request } from "../streams.js";
import { response } from "./streams.js";

const HELLO = response({ text: "Hello." });

type Body = Record<string, unknown> & { input: Record<string, unknown>[] };

async function bodyOf(asked: Parameters<typeof request>[0], options = {}, ...tools: string[]): Promise<Body> {
  const { provider, server } = await play(HELLO, { api: "responses", ...options });
  expect((await outcome(provider.stream(request(asked, ...tools)))).error).toBeUndefined();
  expect(server.requests[0]!.path).toBe("/v1/responses");
  return server.requests[0]!.body as Body;
}

test("a plain request holds what was asked for, and leaves nothing on the server", async () => {
  const body = await bodyOf({
    system: [
      { id: "a", text: "One." },
      { id: "b", text: "" },
      { id: "c", text: "Two." },
    ],
  });

  expect(body).toEqual({
    model: "fault-model",
    instructions: "One.\n\nTwo.",
    input: [{ role: "user", content: [{ type: "input_text", text: "Hello?" }] }],
    reasoning: { summary: "auto" },
    include: ["reasoning.encrypted_content"],
    store: false,
    stream: true,
  });
});

test("settings are sent in the API's words, and providerOptions add to them or win", async () => {
  const output = { type: "object", properties: { a: { type: "string" } } };

  const body = await bodyOf(
    {
      toolChoice: { name: "read" },
      output,
      maxOutputTokens: 100,
      temperature: 0.5,
      reasoning: "low",
      providerOptions: {
        temperature: 0.7,
        reasoning: { summary: "detailed" },
        text: { verbosity: "low" },
        include: ["message.output_text.logprobs"],
        service_tier: "flex",
        stream: false,
      },
    },
    { compat: { parallelToolCalls: false, promptCacheKey: true } },
    "read",
  );

  expect(body).toMatchObject({
    tools: [
      { type: "function", name: "read", description: "Does read.", parameters: { type: "object" }, strict: false },
    ],
    tool_choice: { type: "function", name: "read" },
    parallel_tool_calls: false,
    text: { format: { type: "json_schema", name: "output", schema: output, strict: false }, verbosity: "low" },
    max_output_tokens: 100,
    temperature: 0.7,
    reasoning: { effort: "low", summary: "detailed" },
    include: ["reasoning.encrypted_content", "message.output_text.logprobs"],
    prompt_cache_key: "session-1",
    service_tier: "flex",
    stream: true,
  });
});

test("models that do not reason are not asked about reasoning", async () => {
  const body = await bodyOf({}, { model: "gpt-4o-mini" });

  expect(body).not.toHaveProperty("reasoning");
  expect(body).not.toHaveProperty("include");
});

test("a history of every kind of part becomes valid items", async () => {
  const { input } = await bodyOf({ messages: HISTORY });

  expect(input.map((item) => item.type ?? item.role)).toEqual([
    "user",
    "message",
    "function_call",
    "function_call",
    "function_call_output",
    "function_call_output",
    "user",
    "message",
    "user",
  ]);
  expect(input[0]!.content).toMatchObject([
    { type: "input_text" },
    { type: "input_image", image_url: expect.stringMatching(/^data:image\/png;base64,/) },
  ]);
  expect(input.slice(2, 4).map((item) => item.call_id)).toEqual(input.slice(4, 6).map((item) => item.call_id));
  expect(input.slice(2, 4).map((item) => item.arguments)).toEqual(['{"path":"src"}', "{}"]);
});

test("text that is empty is no part of a message, and a message without parts is empty text", async () => {
  const empty = { type: "text", text: "" } as const;

  const { input } = await bodyOf({
    messages: [
      { role: "user", content: [empty, { type: "text", text: "Hi." }] },
      { role: "user", content: [empty] },
    ],
  });

  expect(input.map(({ content }) => content)).toEqual([[{ type: "input_text", text: "Hi." }], ""]);
});

test("office documents go as files, and what no model reads is named in words", async () => {
  const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const file = (mediaType: string, name: string) => ({ type: "file", mediaType, data: "AA==", name }) as const;

  const { input } = await bodyOf({
    messages: [{ role: "user", content: [file(docx, "a.docx"), file("application/zip", "a.zip")] }],
  });

  expect(input[0]!.content).toEqual([
    { type: "input_file", filename: "a.docx", file_data: `data:${docx};base64,AA==` },
    { type: "input_text", text: expect.stringContaining('The file "a.zip" of type application/zip was left out') },
  ]);
});

test("images and files go as parts, also those of tool results", async () => {
  const image = { type: "image", mediaType: "image/png", data: PIXEL } as const;
  const pdf = { type: "file", mediaType: "application/pdf", data: "AA==", name: "b.pdf" } as const;
  const notes = { type: "file", mediaType: "text/plain", data: btoa("hi"), name: "a.txt" } as const;
  const result = { type: "tool-result", toolCallId: "a", name: "read", isError: false } as const;

  const { input } = await bodyOf({
    messages: [
      { role: "user", content: [pdf, notes] },
      {
        role: "tool",
        content: [
          { ...result, output: [{ type: "text", text: "Seen:" }, image] },
          { ...result, output: [{ type: "text", text: "One." }, notes] },
        ],
      },
    ],
  });

  expect(input[0]!.content).toEqual([
    { type: "input_file", filename: "b.pdf", file_data: "data:application/pdf;base64,AA==" },
    { type: "input_text", text: "a.txt:\nhi" },
  ]);
  expect(input[1]!.output).toEqual([
    { type: "input_text", text: "Seen:" },
    { type: "input_image", image_url: `data:image/png;base64,${PIXEL}`, detail: "auto" },
  ]);
  expect(input[2]!.output).toBe("One.\na.txt:\nhi");
});

const assistant = (content: object[], model = "fault-model", provider = "openai") =>
  ({ role: "assistant", content, finishReason: "stop", provider, model }) as Message;
const thought = { type: "reasoning", text: "Hm.", provider: "openai", providerData: { id: "rs_1", encrypted: "c2Vj" } };
const said = { type: "text", text: "Yes." };

test("reasoning goes back encrypted to the model that wrote it, in front of what it led to", async () => {
  const { input } = await bodyOf({
    messages: [
      assistant([thought, said]),
      assistant([thought]),
      assistant([thought, said], "other-model"),
      assistant([{ ...thought, provider: "else" }, said], "fault-model", "else"),
      assistant([{ ...thought, providerData: { field: "reasoning" } }, said]),
    ],
  });

  const item = {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "Hm." }],
    encrypted_content: "c2Vj",
  };
  expect(input.map(({ type }) => type)).toEqual(["reasoning", "message", "message", "message", "message"]);
  expect(input[0]).toEqual(item);
});

test("a run keeps reasoning, phases and calls over its turns, without a copy on the server", async () => {
  const first = responseEvents({ reasoning: "Look.", text: "Looking.", toolCalls: [{ name: "look", arguments: {} }] });
  for (const event of first) {
    const item = event.item as Record<string, unknown> | undefined;
    if (item?.type === "message") item.phase = "commentary";
  }
  const { provider, server } = await play([{ body: sse(first, { named: true }) }, HELLO], { api: "responses" });
  const look = defineTool({
    name: "look",
    description: "Looks.",
    permission: "read_only",
    input: { type: "object" },
    execute: async () => "seen",
  });

  const result = await new AgentEngine({ provider, tools: [look] }).run("go");

  expect(result).toMatchObject({ status: "completed", text: "Hello." });
  const { input } = server.requests[1]!.body as Body;
  expect(input.slice(1)).toEqual([
    expect.objectContaining({ type: "reasoning", id: "rs_1", encrypted_content: "ZW5jcnlwdGVk" }),
    expect.objectContaining({ type: "message", role: "assistant", phase: "commentary" }),
    { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" },
    { type: "function_call_output", call_id: "call_1", output: "seen" },
  ]);
});

test("a longer history begins with the bytes of a shorter one", async () => {
  const { provider, server } = await play(HELLO, { api: "responses" });
  for (let n = 1; n <= HISTORY.length; n++) await outcome(provider.stream(request({ messages: HISTORY.slice(0, n) })));

  const inputs = server.requests.map(({ text }) => text.slice(text.indexOf('"input":'), text.indexOf('],"reasoning"')));

  for (let n = 1; n < inputs.length; n++) expect(inputs[n]!.startsWith(inputs[n - 1]!)).toBe(true);
});

const QUIRKS: readonly (readonly [string, object, object])[] = [
  [
    "Encrypted content is not supported with this model.",
    { include: ["reasoning.encrypted_content"] },
    { include: undefined },
  ],
  [
    "The encrypted content gAAA could not be verified. Reason: Encrypted content could not be decrypted.",
    { input: [expect.objectContaining({ type: "reasoning" }), expect.anything()] },
    { input: [expect.objectContaining({ type: "message" })] },
  ],
  [
    "Your organization must be verified to generate reasoning summaries.",
    { reasoning: { summary: "auto" } },
    { reasoning: undefined },
  ],
  [
    "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    { reasoning: { summary: "auto" } },
    { reasoning: undefined },
  ],
];

for (const [message, before, after] of QUIRKS) {
  test(`"${message}" is answered by asking once without it, and remembered`, async () => {
    const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
    const { provider, server } = await play([refusal, HELLO], { api: "responses" });
    const asked = request({ messages: [assistant([thought, said])] });

    expect((await outcome(provider.stream(asked))).error).toBeUndefined();
    await outcome(provider.stream(asked));

    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]!.body).toMatchObject(before);
    for (const { body } of server.requests.slice(1))
      expect({ include: undefined, reasoning: undefined, ...(body as object) }).toMatchObject(after);
  });
}

test("a ready client is used, without its retries; one that cannot do it is refused", async () => {
  await using server = await createFaultServer([{ status: 500 }, HELLO]);
  const client = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 5 });
  const provider = openai({ model: "m", api: "responses", client, headers: { "x-team": "a" } });

  const failed = await outcome(provider.stream(request()));
  const { events, error } = await outcome(provider.stream(request()));

  expect(failed.error).toMatchObject({ code: "SERVER" });
  expect(error).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ type: "message-end", finishReason: "stop" });
  expect(server.requests.map(({ path, headers }) => [path, headers["x-team"]])).toEqual([
    ["/v1/responses", "a"],
    ["/v1/responses", "a"],
  ]);
  expect(() => openai({ model: "m", api: "responses", client: { chat: client.chat } })).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringContaining("responses.create") }),
  );
});

test.each([
  ["verbatim to the provider that wrote it", "xai", true],
  ["in words that every server takes to another", "openai", false],
])("a call id of more than 40 characters goes back %s", async (_how, provider, isVerbatim) => {
  const id = `call_${"x".repeat(38)}`;
  const { provider: model, server } = await play(response({ text: "Hi." }), { api: "responses", id: provider });
  const call = { type: "tool-call", id, name: "look", arguments: {} } as const;
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "Go." }] },
    { role: "assistant", content: [call], finishReason: "tool-calls", provider: "xai", model: "m" },
    { role: "tool", content: [{ type: "tool-result", toolCallId: id, name: "look", output: "seen", isError: false }] },
  ];

  await outcome(model.stream(request({ messages }, "look")));

  const { input } = server.requests[0]!.body as unknown as { input: { call_id?: string }[] };
  const ids = input.flatMap(({ call_id }) => call_id ?? []);
  expect(ids).toHaveLength(2);
  expect(ids.map((one) => one === id)).toEqual([isVerbatim, isVerbatim]);
  expect(ids[0]).toBe(ids[1]);
});
