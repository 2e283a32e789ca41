import { expect, test } from "vitest";
import type { Message } from "../../../src/contracts/message.js";
import type { ProviderRequest } from "../../../src/contracts/provider.js";
import type { GoogleOptions } from "../../../src/providers/google/index.js";
import { HISTORY } from "../../../src/testing/provider/sample-request.js";
import { PIXEL, saidBy, user } from "../history-parts.js";
import { outcome, request, textOf } from "../openai/streams.js";
import { googleRefusal } from "../rules/google-rules.js";
import type { WireBody } from "../wire-body.js";
import { googleSse, playGoogle } from "./streams.js";

const HELLO = { body: googleSse({ text: "Hello." }) };

async function sent(
  overrides: Partial<ProviderRequest> = {},
  options: Partial<GoogleOptions> = {},
  ...tools: string[]
): Promise<WireBody> {
  const { provider, server } = await playGoogle(HELLO, options);
  const { error } = await outcome(provider.stream(request(overrides, ...tools)));
  expect(error).toBeUndefined();
  const body = server.requests.at(-1)!.body as WireBody;
  expect(googleRefusal(body, !/2\.5|2\.0/.test(options.model ?? ""))).toBeNull();
  return body;
}

const said = saidBy("google", "gemini-3-pro");
const result = (toolCallId: string, output: string, isError = false): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, name: "look", output, isError }],
});

test("a request holds the system prompt, functions and contents", async () => {
  const { provider, server } = await playGoogle(HELLO);
  const tools = [
    { name: "look", description: "Looks.", inputSchema: { type: "object", properties: { a: { type: "string" } } } },
  ];

  await outcome(provider.stream(request({ tools, maxOutputTokens: 50, temperature: 0.5, toolChoice: "required" })));

  const [asked] = server.requests;
  expect(asked!.path).toBe("/v1/models/gemini-3-pro:streamGenerateContent?alt=sse");
  expect(asked!.headers["x-goog-api-key"]).toBe("test-key");
  expect(asked!.body).toEqual({
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [{ role: "user", parts: [{ text: "Hello?" }] }],
    tools: [
      { functionDeclarations: [{ name: "look", description: "Looks.", parametersJsonSchema: tools[0]!.inputSchema }] },
    ],
    toolConfig: { functionCallingConfig: { mode: "ANY" } },
    generationConfig: { maxOutputTokens: 50, temperature: 0.5 },
  });
});

test("a base URL without a version gets one, and a model may say its own place", async () => {
  const { server } = await playGoogle(HELLO);
  const plain = server.url.replace(/\/v1$/, "");
  const first = await playGoogle(HELLO, { baseURL: plain, model: "tunedModels/my one" });

  await outcome(first.provider.stream(request()));

  expect(server.requests[0]!.path).toBe("/v1beta/tunedModels/my%20one:streamGenerateContent?alt=sse");
});

test("a long and varied history of another provider becomes one that the API takes", async () => {
  const body = await sent({ messages: HISTORY }, {}, "read_file");

  expect(body.contents.map(({ role }: WireBody) => role)).toEqual(["user", "model", "user", "model", "user"]);
  const [first, model, results] = body.contents;
  expect(first.parts[1]).toEqual({ inlineData: { mimeType: "image/png", data: expect.any(String) } });
  expect(model.parts).toEqual([
    { text: "Let me look." },
    {
      functionCall: { name: "read_file", args: { path: "src" } },
      thoughtSignature: "skip_thought_signature_validator",
    },
    { functionCall: { name: "read_file", args: {} } },
  ]);
  expect(results.parts).toEqual([
    { functionResponse: { name: "read_file", response: { output: "a.ts 😀" } } },
    { functionResponse: { name: "read_file", response: { error: "not JSON" } } },
    { text: "Mind the plan." },
  ]);
});

test("each signature goes back on the part it came with, and to no other model", async () => {
  const first = await playGoogle({
    body: [
      { text: "Hm.", thought: true },
      { text: "Let " },
      { text: "me", thoughtSignature: "dGV4dA==" },
      { text: " look." },
      { functionCall: { name: "look", args: { a: 1 }, id: "fc1" }, thoughtSignature: "Y2FsbA==" },
      { functionCall: { name: "look", args: { a: 2 }, id: "fc2" } },
      { executableCode: { language: "PYTHON", code: "1" } },
    ]
      .map((part) => `data: ${JSON.stringify({ candidates: [{ content: { parts: [part] } }] })}\n\n`)
      .concat(`data: ${JSON.stringify({ candidates: [{ finishReason: "STOP" }] })}\n\n`)
      .join(""),
  });
  const { events } = await outcome(first.provider.stream(request({}, "look")));
  expect(textOf(events)).toBe("Let me look.");
  // As the engine puts the message together.
  const content: Extract<Message, { role: "assistant" }>["content"][number][] = [];
  let isOpen = false;
  for (const event of events) {
    const last = content.at(-1);
    if (event.type === "text-delta") {
      if (last?.type === "text") content[content.length - 1] = { type: "text", text: last.text + event.text };
      else content.push({ type: "text", text: event.text });
    } else if (event.type === "reasoning-delta") {
      content.push({ type: "reasoning", text: event.text, provider: "google" });
      isOpen = true;
    } else if (event.type === "reasoning-end") {
      if (!isOpen) content.push({ type: "reasoning", text: "", provider: "google", providerData: event.providerData! });
      isOpen = false;
    } else if (event.type === "tool-call-end") content.push({ type: "tool-call", ...event.call });
  }
  const messages: Message[] = [
    user("go"),
    said(...content),
    {
      role: "tool",
      content: ["fc1", "fc2"].map((toolCallId) => ({
        type: "tool-result",
        toolCallId,
        name: "look",
        output: "x",
        isError: false,
      })),
    },
  ];

  const same = await sent({ messages }, {}, "look");
  const other = await sent({ messages }, { model: "gemini-2.5-pro" }, "look");

  expect(same.contents[1].parts).toEqual([
    { text: "Let " },
    { text: "me", thoughtSignature: "dGV4dA==" },
    { text: " look." },
    { functionCall: { name: "look", args: { a: 1 }, id: "fc1" }, thoughtSignature: "Y2FsbA==" },
    { functionCall: { name: "look", args: { a: 2 }, id: "fc2" } },
    { executableCode: { language: "PYTHON", code: "1" } },
  ]);
  expect(same.contents[2].parts[0].functionResponse.id).toBe("fc1");
  expect(other.contents[1].parts).toEqual([
    { text: "Let me" },
    { text: " look." },
    { functionCall: { name: "look", args: { a: 1 }, id: "fc1" } },
    { functionCall: { name: "look", args: { a: 2 }, id: "fc2" } },
  ]);
});

test("a signature that came on an empty part at the end goes back on one", async () => {
  const first = await playGoogle({ body: googleSse({ text: "Yes.", signature: "ZW5k" }) });
  const { events } = await outcome(first.provider.stream(request()));
  const kept = events.find((event) => event.type === "reasoning-end");
  const reasoning = { type: "reasoning" as const, text: "", provider: "google", providerData: kept!.providerData! };

  const body = await sent({ messages: [user("go"), said({ type: "text", text: "Yes." }, reasoning), user("on")] });

  expect(body.contents[1].parts).toEqual([{ text: "Yes." }, { text: "", thoughtSignature: "ZW5k" }]);
});

test("ids that the adapter made stay at home", async () => {
  const first = await playGoogle({ body: googleSse({ toolCalls: [{ name: "look", arguments: {} }] }) });
  const { events } = await outcome(first.provider.stream(request({}, "look")));
  const id = events.flatMap((event) => (event.type === "tool-call-end" ? [event.call.id] : []))[0]!;

  const body = await sent(
    { messages: [user("go"), said({ type: "tool-call", id, name: "look", arguments: {} }), result(id, "x")] },
    {},
    "look",
  );

  expect(JSON.stringify(body)).not.toContain('"id"');
});

test("empty text is never sent, and a conversation is framed by the user", async () => {
  const body = await sent({
    system: [{ id: "a", text: " " }],
    messages: [
      said({ type: "text", text: "Hello, " }),
      said({ type: "text", text: "" }),
      said({ type: "text", text: "you." }),
    ],
  });

  expect(body.systemInstruction).toBeUndefined();
  expect(body.contents.map(({ role }: WireBody) => role)).toEqual(["user", "model", "user"]);
  expect(body.contents[1].parts).toEqual([{ text: "Hello, " }, { text: "you." }]);
});

test("images and files go inline, text files as text, and the rest is named", async () => {
  const body = await sent({
    messages: [
      {
        role: "user",
        content: [
          { type: "image", mediaType: "image/png", data: PIXEL },
          { type: "file", mediaType: "application/pdf", data: "JVBERi0=", name: "a.pdf" },
          { type: "file", mediaType: "text/csv", data: btoa("a,b"), name: "t.csv" },
          { type: "image", mediaType: "image/gif", data: "R0lG" },
        ],
      },
    ],
  });

  expect(body.contents[0].parts).toEqual([
    { inlineData: { mimeType: "image/png", data: PIXEL } },
    { inlineData: { mimeType: "application/pdf", data: "JVBERi0=" } },
    { text: "t.csv:\na,b" },
    { text: expect.stringContaining("image of type image/gif was left out") },
  ]);
});

test("images of a result follow the responses, and an error without a word still says so", async () => {
  const output = [
    { type: "text", text: "seen" },
    { type: "image", mediaType: "image/png", data: PIXEL },
  ] as const;
  const calls = ["a", "b"].map((id) => ({ type: "tool-call" as const, id, name: "look", arguments: {} }));
  const messages: Message[] = [
    user("go"),
    said(...calls),
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "a", name: "look", output, isError: false },
        { type: "tool-result", toolCallId: "b", name: "look", output: "", isError: true },
      ],
    },
  ];
  const { contents } = await sent({ messages }, {}, "look");

  expect(contents[2].parts).toEqual([
    {
      functionResponse: {
        id: "a",
        name: "look",
        response: { output: expect.stringMatching(/^seen\n\[image of the result of look/) },
      },
    },
    { functionResponse: { id: "b", name: "look", response: { error: "The call failed without a message." } } },
    { text: "[image of the result of look, attachment 1]" },
    { inlineData: { mimeType: "image/png", data: PIXEL } },
  ]);
});

test.each([
  ["gemini-3-pro", "low", { includeThoughts: true, thinkingLevel: "low" }],
  ["gemini-3-flash", "none", { includeThoughts: false, thinkingLevel: "minimal" }],
  ["gemini-3-pro", "none", { includeThoughts: false, thinkingLevel: "low" }],
  ["gemini-2.5-flash", "none", { includeThoughts: false, thinkingBudget: 0 }],
  ["gemini-2.5-pro", "none", { includeThoughts: false, thinkingBudget: 128 }],
  ["gemini-2.5-flash", "high", { includeThoughts: true, thinkingBudget: 24_576 }],
  ["gemini-2.0-flash", "high", undefined],
] as const)("%s thinks with effort %s as it understands it", async (model, reasoning, expected) => {
  const body = await sent({ reasoning }, { model });

  expect(body.generationConfig?.thinkingConfig).toEqual(expected);
});

test("a Flash that refuses to think minimally thinks as little as it can", async () => {
  const message = "Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.";
  const refusal = { status: 400, body: JSON.stringify({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }) };
  const { provider, server } = await playGoogle([refusal, { body: googleSse({ text: "Hi." }) }], {
    model: "gemini-9-flash",
  });

  const { error } = await outcome(provider.stream(request({ reasoning: "none" })));

  expect(error).toBeUndefined();
  expect(server.requests.map(({ body }) => (body as WireBody).generationConfig.thinkingConfig.thinkingLevel)).toEqual([
    "minimal",
    "low",
  ]);
});

test("a structured answer is asked for by its schema, also beside tools where the model can", async () => {
  const output = { type: "object", properties: { age: { type: "integer" } }, required: ["age"] };
  const { generationConfig, toolConfig } = await sent({ output }, {}, "look");

  expect(generationConfig).toEqual({ responseMimeType: "application/json", responseJsonSchema: output });
  expect(toolConfig).toBeUndefined();
});

test("an older model with tools gives its structured answer as a call, which is read as text", async () => {
  const { provider, server } = await playGoogle(
    { body: googleSse({ toolCalls: [{ name: "structured_output", arguments: { age: 3 } }] }) },
    { model: "gemini-2.5-pro" },
  );

  const { events } = await outcome(
    provider.stream(request({ output: { type: "object", properties: { age: {} } } }, "look")),
  );

  const body = server.requests[0]!.body as WireBody;
  expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: "ANY" } });
  expect(textOf(events)).toBe('{"age":3}');
  expect(events.at(-1)).toMatchObject({ type: "message-end", finishReason: "stop" });
});

test("tool choice is worded as the API wants, and names fit its alphabet in both directions", async () => {
  const { provider, server } = await playGoogle({
    body: googleSse({ toolCalls: [{ name: "_1st-tool", arguments: {} }] }),
  });

  const { events } = await outcome(provider.stream(request({ toolChoice: { name: "1st-tool" } }, "1st-tool")));
  const none = await sent({ toolChoice: "none" }, {}, "look");

  const body = server.requests[0]!.body as WireBody;
  expect(body.toolConfig.functionCallingConfig).toEqual({ mode: "ANY", allowedFunctionNames: ["_1st-tool"] });
  expect(events.find((event) => event.type === "tool-call-end")!.call.name).toBe("1st-tool");
  expect(none.toolConfig.functionCallingConfig).toEqual({ mode: "NONE" });
});

test("options of the vendor go along, those of the generation beside ours", async () => {
  const body = await sent({
    temperature: 1,
    providerOptions: { safetySettings: [], generationConfig: { topK: 3 } },
  });

  expect(body).toMatchObject({ safetySettings: [], generationConfig: { temperature: 1, topK: 3 } });
});

test("each request begins with the bytes of the one before", async () => {
  const wire = (body: WireBody) => JSON.stringify(body.contents).slice(0, -1);
  const messages: Message[] = [user("go")];
  let before = wire(await sent({ messages }));

  for (let turn = 0; turn < 5; turn++) {
    messages.push(
      said(
        { type: "text", text: `Step ${turn}` },
        { type: "tool-call", id: `c${turn}`, name: "look", arguments: { turn } },
      ),
    );
    messages.push(result(`c${turn}`, "ok"));
    if (turn % 2 === 0) messages.push(user("Mind the plan."));
    const now = wire(await sent({ messages }, {}, "look"));
    expect(now.startsWith(before)).toBe(true);
    before = now;
  }
});

test("a model without a place for the system prompt gets it before what the user says", async () => {
  const message = "Developer instruction is not enabled for models/gemma-3-27b-it";
  const refusal = { status: 400, body: JSON.stringify({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }) };
  const { provider, server } = await playGoogle([refusal, HELLO], { model: "gemma-3-27b-it" });

  const asked = request({ system: [{ id: "s", text: "Be brief." }], messages: [user("Hi.")] });
  expect((await outcome(provider.stream(asked))).error).toBeUndefined();

  const { systemInstruction, contents } = server.requests.at(-1)!.body as WireBody;
  expect(systemInstruction).toBeUndefined();
  expect(contents).toEqual([{ role: "user", parts: [{ text: "Be brief." }, { text: "Hi." }] }]);
});
