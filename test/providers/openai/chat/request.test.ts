import { AzureOpenAI, OpenAI } from "openai";
import { afterEach, expect, test, vi } from "vitest";
import type { JsonValue } from "../../../../src/contracts/json.js";
import type { Message } from "../../../../src/contracts/message.js";
import { openai } from "../../../../src/providers/openai/index.js";
import { chatChunks, createFaultServer, type FaultReply, sse } from "../../../../src/testing/fault-server/index.js";
import { HISTORY } from "../../../../src/testing/provider/sample-request.js";
import { PIXEL } from "../../history-parts.js";
import { outcome, play, request } from "../streams.js";

const HELLO: FaultReply = { body: sse(chatChunks({ text: "Hello." })) };

type Body = Record<string, unknown> & { messages: Record<string, unknown>[] };

/** The body that a request becomes. */
async function bodyOf(asked: Parameters<typeof request>[0], options = {}, ...tools: string[]): Promise<Body> {
  const { provider, server } = await play(HELLO, options);
  expect((await outcome(provider.stream(request(asked, ...tools)))).error).toBeUndefined();
  return server.requests[0]!.body as Body;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

test("a plain request holds what was asked for and nothing else", async () => {
  const body = await bodyOf({
    system: [
      { id: "a", text: "One." },
      { id: "b", text: "" },
      { id: "c", text: "Two." },
    ],
  });

  expect(body).toEqual({
    model: "fault-model",
    messages: [
      { role: "system", content: "One.\n\nTwo." },
      { role: "user", content: "Hello?" },
    ],
    stream_options: { include_usage: true },
    stream: true,
  });
});

test("settings are sent in the vendor's words, and providerOptions win", async () => {
  const output = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

  const body = await bodyOf(
    {
      toolChoice: { name: "read" },
      output,
      maxOutputTokens: 100,
      temperature: 0.5,
      reasoning: "low",
      providerOptions: { temperature: 0.7, seed: 4, stream: false },
    },
    { compat: { parallelToolCalls: false, systemRole: "developer", strictSchema: true } },
    "read",
  );

  expect(body).toMatchObject({
    tools: [
      { type: "function", function: { name: "read", description: "Does read.", parameters: { type: "object" } } },
    ],
    tool_choice: { type: "function", function: { name: "read" } },
    parallel_tool_calls: false,
    response_format: { type: "json_schema", json_schema: { name: "output", schema: output, strict: true } },
    max_tokens: 100,
    temperature: 0.7,
    seed: 4,
    reasoning_effort: "low",
    stream: true,
  });
  expect(body.messages[0]).toMatchObject({ role: "developer" });
});

test("tool settings are left out of a request without tools", async () => {
  const body = await bodyOf({ toolChoice: "required" }, { compat: { parallelToolCalls: true } });

  expect(Object.keys(body)).toEqual(["model", "messages", "stream_options", "stream"]);
});

test("a server without tool_choice gets no tools when none may be called", async () => {
  expect(await bodyOf({ toolChoice: "none" }, { compat: { toolChoice: false } }, "read")).not.toHaveProperty("tools");
  expect(await bodyOf({ toolChoice: "auto" }, { compat: { toolChoice: false } }, "read")).not.toHaveProperty(
    "tool_choice",
  );
});

test("a history of every kind of part becomes valid messages", async () => {
  const { messages } = await bodyOf({ system: [], messages: HISTORY });

  expect(messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "tool",
    "tool",
    "user",
    "assistant",
    "user",
  ]);
  expect(messages[0]!.content).toMatchObject([
    { type: "text" },
    { type: "image_url", image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) } },
  ]);
  const calls = messages[1]!.tool_calls as { id: string; function: { name: string; arguments: string } }[];
  expect(messages[1]).not.toHaveProperty("reasoning_content");
  expect(calls.map((call) => JSON.parse(call.function.arguments))).toEqual([{ path: "src" }, {}]);
  expect(messages.slice(2, 4).map((message) => message.tool_call_id)).toEqual(calls.map((call) => call.id));
  for (const { id } of calls) expect(id).toMatch(/^[\w-]{1,40}$/);
});

test("arguments go back as an object, whatever they came as", async () => {
  const given: JsonValue[] = [{ a: [1] }, '{"a":[1]}', "plain", [1], 7, null];
  const content = given.map((args, n) => ({
    type: "tool-call" as const,
    id: `c${n}`,
    name: "read",
    arguments: args,
  }));

  const { messages } = await bodyOf({
    system: [],
    messages: [{ role: "assistant", content, finishReason: "tool-calls", provider: "x", model: "x" }],
  });

  const calls = messages[0]!.tool_calls as { function: { arguments: string } }[];
  expect(calls.map((call) => call.function.arguments)).toEqual(['{"a":[1]}', '{"a":[1]}', "{}", "{}", "{}", "{}"]);
});

test("images among a tool's results follow in one user message, after all results of the turn", async () => {
  const image = { type: "image", mediaType: "image/png", data: PIXEL } as const;
  const result = (toolCallId: string, output: string | (typeof image | { type: "text"; text: string })[]) =>
    ({ type: "tool-result", toolCallId, name: "read", output, isError: false }) as const;

  const { messages } = await bodyOf({
    system: [],
    messages: [
      {
        role: "tool",
        content: [result("a", [{ type: "text", text: "Seen:" }, image]), result("b", "plain"), result("c", [image])],
      },
    ],
  });

  expect(messages.map((message) => message.role)).toEqual(["tool", "tool", "tool", "user"]);
  expect(messages[0]!.content).toMatch(/^Seen:\n\[image .*1\]/);
  expect((messages[3]!.content as { type: string }[]).map((part) => part.type)).toEqual([
    "text",
    "image_url",
    "text",
    "image_url",
  ]);
});

test("files go as what servers take: text as text, audio and documents as such", async () => {
  const file = (mediaType: string, data: string, name?: string) =>
    ({ type: "file", mediaType, data, ...(name && { name }) }) as const;

  const { messages } = await bodyOf({
    system: [],
    messages: [
      {
        role: "user",
        content: [
          file("text/plain", btoa("hé".normalize("NFC").replace("é", "\u00c3\u00a9")), "a.txt"),
          file("audio/wav", "AA=="),
          file("application/pdf", "AA==", "b.pdf"),
        ],
      },
    ],
  });

  expect(messages[0]!.content).toEqual([
    { type: "text", text: "a.txt:\nhé" },
    { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
    { type: "file", file: { filename: "b.pdf", file_data: "data:application/pdf;base64,AA==" } },
  ]);
});

test("text that is empty is no part of a message", async () => {
  const said = (...texts: string[]) => ({
    role: "user" as const,
    content: texts.map((text) => ({ type: "text" as const, text })),
  });

  const { messages } = await bodyOf({ system: [], messages: [said("", "Hi."), said("a", "", "b"), said(""), said()] });

  expect(messages.map(({ content }) => content)).toEqual(["Hi.", "a\n\nb", "", ""]);
});

test("names that a model invented are made acceptable, and messages that say nothing are left out", async () => {
  const assistant = (content: object[]) => ({
    role: "assistant",
    content,
    finishReason: "stop",
    provider: "openai",
    model: "m",
  });
  const call = (name: string) => ({ type: "tool-call", id: "i", name, arguments: {} });

  const { messages } = await bodyOf({
    system: [],
    messages: [
      assistant([call("rm -rf /\u0000é"), call(""), call("x".repeat(99))]),
      assistant([]),
    ] as never as Message[],
  });

  const [{ tool_calls }] = messages as [{ tool_calls: { function: { name: string } }[] }];
  expect(messages).toHaveLength(1);
  for (const { function: f } of tool_calls) expect(f.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
});

test("a longer history begins with the bytes of a shorter one", async () => {
  const { provider, server } = await play(HELLO);
  for (let n = 1; n <= HISTORY.length; n++) await outcome(provider.stream(request({ messages: HISTORY.slice(0, n) })));

  const messages = server.requests.map(({ text }) =>
    text.slice(text.indexOf('"messages":'), text.indexOf('],"stream_options"')),
  );

  for (let n = 1; n < messages.length; n++) expect(messages[n]!.startsWith(messages[n - 1]!)).toBe(true);
});

test("reasoning goes back in the field it came in, to the provider that wrote it only", async () => {
  const part = (provider: string, providerData?: object) => ({
    type: "reasoning",
    text: "Hm.",
    provider,
    ...(providerData && { providerData }),
  });
  const messages = (id: string) =>
    [
      {
        role: "assistant",
        content: [
          part(id, { field: "reasoning" }),
          part("else", { field: "reasoning" }),
          { type: "tool-call", id: "a", name: "read", arguments: {} },
        ],
      },
    ] as never as Message[];

  const own = await bodyOf({ system: [], messages: messages("deepseek") }, { id: "deepseek" });
  const foreign = await bodyOf({ system: [], messages: messages("kimi") }, { id: "deepseek" });
  const never = await bodyOf(
    { system: [], messages: messages("deepseek") },
    { id: "deepseek", compat: { reasoningField: "none" } },
  );
  const always = await bodyOf(
    { system: [], messages: messages("kimi") },
    { id: "deepseek", compat: { reasoningField: "reasoning_content" } },
  );

  expect(own.messages[0]).toMatchObject({ reasoning: "Hm." });
  for (const body of [foreign, never])
    expect(Object.keys(body.messages[0]!)).toEqual(["role", "content", "tool_calls"]);
  expect(always.messages[0]).toMatchObject({ reasoning_content: "" });
});

const QUIRKS: readonly (readonly [string, string, object, object])[] = [
  ["stream_options", "Unrecognized request argument supplied: stream_options", {}, {}],
  [
    "max_tokens",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { max_tokens: 9 },
    { max_completion_tokens: 9 },
  ],
  [
    "missing reasoning",
    "The reasoning_content in the thinking mode must be passed back to the API.",
    {},
    { messages: expect.arrayContaining([expect.objectContaining({ reasoning_content: "" })]) },
  ],
];

for (const [name, message, before, after] of QUIRKS) {
  test(`a refusal of ${name} is answered by asking once without it, and remembered`, async () => {
    const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
    const { provider, server } = await play([refusal, HELLO]);
    const asked = request({ maxOutputTokens: 9, messages: HISTORY });

    const first = await outcome(provider.stream(asked));
    await outcome(provider.stream(asked));

    expect(first.error).toBeUndefined();
    expect(first.events.filter((event) => event.type === "message-start")).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]!.body).toMatchObject(before);
    for (const { body } of server.requests.slice(1)) {
      expect(body).toMatchObject(after);
      expect(body).not.toHaveProperty(name);
    }
  });
}

test("a refusal that goes on is thrown after one more try", async () => {
  const { provider, server } = await play({
    status: 400,
    body: JSON.stringify({ error: { message: "stream_options: extra inputs are not permitted" } }),
  });

  expect((await outcome(provider.stream(request()))).error).toMatchObject({ code: "BAD_REQUEST" });
  expect(server.requests).toHaveLength(2);
});

test("key and base URL come from the environment when they are not given", async () => {
  await using server = await createFaultServer(HELLO);
  vi.stubEnv("OPENAI_API_KEY", "from-environment");
  vi.stubEnv("OPENAI_BASE_URL", server.url);

  await outcome(openai({ model: "m" }).stream(request()));

  expect(server.requests[0]!.headers.authorization).toBe("Bearer from-environment");
  expect(server.requests[0]!.path).toBe("/v1/chat/completions");
});

test("with an authorization header OpenAI needs no key", () => {
  vi.stubEnv("OPENAI_API_KEY", undefined);

  expect(() => openai({ model: "m" })).toThrow(/no API key.*set OPENAI_API_KEY/);
  expect(openai({ model: "m", headers: { Authorization: "Bearer of-a-gateway" } }).id).toBe("openai");
});

test("a base URL of the environment that is not one is refused before any request", () => {
  vi.stubEnv("OPENAI_API_KEY", "k");
  for (const value of ["localhost:8080/v1", "nowhere", "ftp://localhost/v1", "http://me:pass@localhost/v1"]) {
    vi.stubEnv("OPENAI_BASE_URL", value);

    expect(() => openai({ model: "m" })).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringContaining("OPENAI_BASE_URL") }),
    );
  }
});

test("a server of one's own needs no key, OpenAI does", () => {
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("OPENAI_BASE_URL", "");

  expect(openai({ model: "m", baseURL: "http://localhost:11434/v1" }).id).toBe("openai");
  expect(() => openai({ model: "m" })).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringContaining("OPENAI_API_KEY") }),
  );
});

test("a ready client is used, with our headers and without its retries", async () => {
  await using server = await createFaultServer([{ status: 500 }, HELLO]);
  const client = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 5 });
  const provider = openai({ model: "m", client, headers: { "x-team": "a" } });

  const failed = await outcome(provider.stream(request()));

  expect(failed.error).toMatchObject({ code: "SERVER" });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]!.headers["x-team"]).toBe("a");
});

test("an Azure client is taken as it is", async () => {
  await using server = await createFaultServer(HELLO);
  const client = new AzureOpenAI({ apiKey: "k", baseURL: server.url, apiVersion: "2024-10-21" });

  const { error } = await outcome(openai({ model: "deployment", client }).stream(request()));

  expect(error).toBeUndefined();
  expect(server.requests[0]!.headers["api-key"]).toBe("k");
});

test("half a character goes to no server, wherever it stands", async () => {
  const half = "a\ud83d";
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: half }] },
    {
      role: "user",
      content: [
        { type: "text", text: half },
        { type: "file", mediaType: "application/pdf", data: "", name: half },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: half, provider: "openai", providerData: { field: "reasoning" } },
        { type: "text", text: half },
        { type: "tool-call", id: "a", name: half, arguments: { [half]: half, escaped: "\\ud83d", "\\": "😀" } },
        { type: "tool-call", id: "b", name: "t", arguments: `{"x":"${half}"}` },
      ],
      finishReason: "tool-calls",
      provider: "openai",
      model: "m",
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "a", name: "t", output: half, isError: false },
        { type: "tool-result", toolCallId: "b", name: "t", output: [{ type: "text", text: half }], isError: false },
      ],
    },
  ];

  const body = await bodyOf({ system: [{ id: "s", text: half }], messages });

  expect(JSON.stringify(body)).toContain("a\ufffd");
  expect(textsIn(body).filter((text) => !text.isWellFormed())).toEqual([]);
  const { arguments: given } = (body.messages[3]!.tool_calls as { function: { arguments: string } }[])[0]!.function;
  expect(JSON.parse(given)).toEqual({ "a\ufffd": "a\ufffd", escaped: "\\ud83d", "\\": "😀" });
});

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}

test("windows of known models are known for OpenAI itself only, and the host's win", () => {
  const limits = ({ contextWindow, maxOutputTokens }: { contextWindow?: number; maxOutputTokens?: number }) => [
    contextWindow,
    maxOutputTokens,
  ];

  expect(limits(openai({ model: "gpt-5.1", apiKey: "k" }))).toEqual([400_000, 128_000]);
  expect(limits(openai({ model: "gpt-5.1", apiKey: "k", contextWindow: 9, maxOutputTokens: 5 }))).toEqual([9, 5]);
  expect(limits(openai({ model: "gpt-5.1", apiKey: "k", baseURL: "http://localhost:1/v1" }))).toEqual([
    undefined,
    undefined,
  ]);
  expect(limits(openai({ model: "other", apiKey: "k" }))).toEqual([undefined, undefined]);
});

test("wrong options are refused by name, and keys are not repeated", () => {
  const wrong = [
    {},
    { model: "" },
    { model: "m", baseURL: "nowhere" },
    { model: "m", baseURL: "http://me:secret-key-value@localhost/v1" },
    { model: "m", client: {} },
    { model: "m", apikey: "x" },
    { model: "m", compat: { streamUsage: 1 } },
    { model: "m", contextWindow: -1 },
    { model: "m", headers: { a: 1 } },
  ];
  for (const options of wrong) {
    expect(() => openai({ apiKey: "secret-key-value", ...options } as never)).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", message: expect.not.stringContaining("secret-key-value") }),
    );
  }
});
