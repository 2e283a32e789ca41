// What each adapter makes of an image that its model sends, and how it goes back.
import { expect, test } from "vitest";
import type { AssistantMediaPart, Message } from "../../../src/contracts/message.js";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { withShownMedia } from "../../../src/providers/shared/request/shown-media.js";
import { chatChunks, googleChunks, namedSse, responseEvents, sse } from "../../../src/testing/fault-server/index.js";
import { finishPart, playParts, VERSIONS } from "../ai-sdk/streams.js";
import { playGoogle } from "../google/streams.js";
import { PIXEL, user } from "../history-parts.js";
import { outcome, play, request } from "../openai/streams.js";

const IMAGE = { mediaType: "image/png", data: PIXEL };
const OTHER = { mediaType: "image/jpeg", data: "/9j/AAAA" };
const QUESTION = user("Draw.");
const NEXT = user("Make it blue.");

const partsIn = (events: readonly ProviderEvent[]): AssistantMediaPart[] =>
  events.flatMap((event) => (event.type === "media" ? event.part : []));

function madeBy(
  provider: string,
  model: string,
  ...content: Extract<Message, { role: "assistant" }>["content"][number][]
) {
  return [QUESTION, { role: "assistant", content, finishReason: "stop", provider, model } as const, NEXT];
}

test("google: an image between two texts keeps its place and its signature, and goes back with both", async () => {
  const chunk = (...parts: object[]) => ({ candidates: [{ content: { role: "model", parts }, index: 0 }] });
  const body = sse(
    [
      chunk(
        { text: "Draft.", thought: true },
        { inlineData: { mimeType: "image/png", data: OTHER.data }, thought: true },
      ),
      chunk({ text: "One" }, { inlineData: { mimeType: "image/png", data: PIXEL }, thoughtSignature: "c2ln" }),
      chunk({ inline_data: { mime_type: "image/jpeg", data: OTHER.data } }, { text: "two" }),
      { candidates: [{ finishReason: "STOP", index: 0 }] },
    ] as never,
    { done: false },
  );
  const { provider, server } = await playGoogle({ body });

  const { events } = await outcome(provider.stream(request()));
  const [signed, plain] = partsIn(events);
  await outcome(
    provider.stream(
      request({
        messages: madeBy("google", "gemini-3-pro", { type: "text", text: "One" }, signed!, plain!, {
          type: "text",
          text: "two",
        }),
      }),
    ),
  );

  expect(events.map(({ type }) => type)).toEqual([
    ...[
      "message-start",
      "reasoning-delta",
      "reasoning-end",
      "text-delta",
      "media",
      "media",
      "text-delta",
      "message-end",
    ],
  ]);
  expect(signed).toEqual({
    type: "image",
    ...IMAGE,
    providerData: { by: "google/gemini-3-pro", thoughtSignature: "c2ln" },
  });
  expect(plain).toEqual({ type: "image", ...OTHER });
  const { contents } = server.requests[1]!.body as { contents: { role: string; parts: object[] }[] };
  expect(contents[1]).toEqual({
    role: "model",
    parts: [
      { text: "One" },
      { inlineData: { mimeType: "image/png", data: PIXEL }, thoughtSignature: "c2ln" },
      { inlineData: { mimeType: "image/jpeg", data: OTHER.data } },
      { text: "two" },
    ],
  });
});

test("google: an image of another model is shown by the user", async () => {
  const { provider, server } = await playGoogle({ body: sse(googleChunks({ text: "Yes." }), { done: false }) });

  await outcome(
    provider.stream(request({ messages: madeBy("google", "gemini-2.5-flash-image", { type: "image", ...IMAGE }) })),
  );

  const { contents } = server.requests[0]!.body as { contents: { role: string; parts: object[] }[] };
  expect(contents).toEqual([
    {
      role: "user",
      parts: [
        { text: "Draw." },
        { text: "[In your last message you made an image of type image/png:]" },
        { inlineData: { mimeType: "image/png", data: PIXEL } },
        { text: "Make it blue." },
      ],
    },
  ]);
});

test("responses: of drafts and the final image only the final one counts, once, and it goes back as it came", async () => {
  const body = namedSse(responseEvents({ text: "Here.", images: [IMAGE, OTHER] }));
  const { provider, server } = await play({ body }, { api: "responses" });

  const { events } = await outcome(provider.stream(request()));
  const parts = partsIn(events);
  await outcome(
    provider.stream(request({ messages: madeBy("openai", provider.model, { type: "text", text: "Here." }, ...parts) })),
  );

  expect(parts.map(({ providerData: _, ...part }) => part)).toEqual([
    { type: "image", ...IMAGE },
    { type: "image", ...OTHER },
  ]);
  expect(JSON.stringify(parts[0]!.providerData)).not.toContain(PIXEL);
  const { input } = server.requests[1]!.body as { input: object[] };
  expect(input.slice(2, -1)).toEqual([
    {
      type: "image_generation_call",
      id: "ig_1",
      output_format: "png",
      status: "completed",
      result: PIXEL,
    },
    {
      type: "image_generation_call",
      id: "ig_2",
      output_format: "jpeg",
      status: "completed",
      result: OTHER.data,
    },
  ]);
});

test("responses: an image without an id that the end repeats comes once, and one that failed is none", async () => {
  const item = { type: "image_generation_call", status: "completed", result: PIXEL };
  const failed = { type: "image_generation_call", id: "ig_9", status: "failed", result: null };
  const body = namedSse([
    { type: "response.created", response: { id: "r", status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.output_item.done", output_index: 1, item: failed },
    { type: "response.completed", response: { id: "r", status: "completed", output: [item, failed] } },
  ]);
  const { provider } = await play({ body }, { api: "responses" });

  const { events } = await outcome(provider.stream(request()));

  expect(partsIn(events)).toHaveLength(1);
  expect(events.filter(({ type }) => type === "reasoning-end")).toHaveLength(1);
});

test("responses: an image of another model is shown by the user", async () => {
  const { provider, server } = await play({ body: namedSse(responseEvents({ text: "Yes." })) }, { api: "responses" });

  await outcome(provider.stream(request({ messages: madeBy("google", "gemini", { type: "image", ...IMAGE }) })));

  const { input } = server.requests[0]!.body as { input: { role: string; content: object[] }[] };
  expect(input[1]).toEqual({
    role: "user",
    content: [
      { type: "input_text", text: "[In your last message you made an image of type image/png:]" },
      { type: "input_image", image_url: `data:image/png;base64,${PIXEL}`, detail: "auto" },
    ],
  });
});

test("chat: images come in a field of their own or in the content, once each, and go back the way they came", async () => {
  const chunks = chatChunks({ text: "Here.", images: [IMAGE] });
  const inContent = [{ type: "image_url", image_url: { url: `data:image/jpeg;base64,${OTHER.data}` } }];
  const repeated = [{ type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } }];
  const linked = [{ type: "image_url", image_url: { url: "https://a.example/cat.png" } }];
  for (const delta of [{ content: inContent }, { images: repeated }, { images: linked }]) {
    chunks.splice(-1, 0, { choices: [{ index: 0, delta, finish_reason: null }] } as never);
  }
  const { provider, server } = await play({ body: sse(chunks) });

  const { events } = await outcome(provider.stream(request()));
  const parts = partsIn(events);
  await outcome(provider.stream(request({ messages: madeBy("openai", provider.model, ...parts) })));

  expect(parts).toEqual([
    { type: "image", ...IMAGE, providerData: { field: "images" } },
    { type: "image", ...OTHER },
  ]);
  expect(events.flatMap((event) => (event.type === "text-delta" ? event.text : []))).toEqual([
    "Here.",
    "![image](https://a.example/cat.png)",
  ]);
  const { messages } = server.requests[1]!.body as { messages: object[] };
  expect(messages.slice(1)).toEqual([
    { role: "user", content: "Draw." },
    {
      role: "assistant",
      content: "",
      images: [{ type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } }],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "[In your last message you made an image of type image/jpeg:]" },
        { type: "image_url", image_url: { url: `data:image/jpeg;base64,${OTHER.data}` } },
      ],
    },
    { role: "user", content: "Make it blue." },
  ]);
});

for (const version of VERSIONS) {
  test(`ai-sdk ${version}: a file goes back with its metadata to the model that made it, and as the user's to others`, async () => {
    const bytes = Uint8Array.from(Buffer.from(PIXEL, "base64"));
    const wrapped = (data: unknown) => (version === "v4" ? { type: "data", data } : data);
    const parts = [
      {
        type: "file",
        mediaType: "image/png",
        data: wrapped(PIXEL),
        providerMetadata: { vendor: { signature: "c2ln" } },
      },
      { type: "file", mediaType: "audio/wav", data: wrapped(bytes) },
      ...(version === "v4"
        ? [{ type: "file", mediaType: "image/png", data: { type: "url", url: new URL("https://a.b/c") } }]
        : []),
      finishPart(version, "stop"),
    ];
    const { provider, calls } = playParts(version, parts);

    const { events } = await outcome(provider.stream(request()));
    const made = partsIn(events);
    await outcome(provider.stream(request({ messages: madeBy(provider.id, provider.model, ...made) })));
    const { provider: another, calls: others } = playParts(version, parts, { modelId: "model-2" });
    await outcome(another.stream(request({ messages: madeBy(provider.id, provider.model, ...made) })));

    const by = "ai-sdk:vendor.chat/model-1";
    expect(made).toEqual([
      { type: "image", ...IMAGE, providerData: { by, metadata: { vendor: { signature: "c2ln" } } } },
      { type: "file", mediaType: "audio/wav", data: PIXEL, providerData: { by } },
    ]);
    const text = events.flatMap((event) => (event.type === "text-delta" ? event.text : []));
    expect(text).toEqual(version === "v4" ? ["![image](https://a.b/c)"] : []);
    const prompt = calls[1]!.prompt as { role: string; content: object[] }[];
    expect(prompt.find(({ role }) => role === "assistant")?.content).toEqual([
      {
        type: "file",
        mediaType: "image/png",
        data: wrapped(PIXEL),
        providerOptions: { vendor: { signature: "c2ln" } },
      },
      { type: "file", mediaType: "audio/wav", data: wrapped(PIXEL) },
    ]);
    const shown = others[0]!.prompt as { role: string; content: object[] }[];
    expect(shown.map(({ role }) => role)).not.toContain("assistant");
    expect(shown.at(-2)?.content).toEqual([
      { type: "text", text: "[In your last message you made an image of type image/png:]" },
      { type: "file", mediaType: "image/png", data: wrapped(PIXEL) },
      { type: "text", text: "[In your last message you made a file of type audio/wav:]" },
      { type: "file", mediaType: "audio/wav", data: wrapped(PIXEL) },
    ]);
  });
}

const image = { type: "image", ...IMAGE } as const;
const call = { type: "tool-call", id: "1", name: "look", arguments: {} } as const;
const result: Message = {
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "1", name: "look", output: "x", isError: false }],
};

test("what the user shows follows the results of the message's calls", () => {
  const [question, said, next] = madeBy("a", "m", image, call, image);

  const shown = withShownMedia([question!, said!, result, next!], () => false);

  expect(shown.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "user"]);
  expect(shown[3]!.content).toHaveLength(4);
});

test("a longer history begins with a shorter one, whatever is shown", () => {
  const [question, said, next] = madeBy("a", "m", image, call);
  const short = withShownMedia([question!, said!, result], () => false);

  expect(withShownMedia([question!, said!, result, next!, said!, result], () => false).slice(0, short.length)).toEqual(
    short,
  );
});

test("messages without images are the same array", () => {
  const messages = [QUESTION, NEXT];

  expect(withShownMedia(messages, () => false)).toBe(messages);
});

test("an image that is too large for a user's message is described in words", () => {
  const large = { ...image, data: "A".repeat(5 * 1024 * 1024 + 4) };

  const shown = withShownMedia(madeBy("a", "m", large), () => false);

  expect(shown[2]!.content).toEqual([
    {
      type: "text",
      text: "[In your last message you made an image of type image/png. It is too large to be shown here.]",
    },
  ]);
});

test("an image of 20 MB arrives whole over every wire", async () => {
  const large = { mediaType: "image/png", data: Buffer.alloc(20 * 1024 * 1024, 0x55).toString("base64") };
  const streams = [
    (await play({ body: sse(chatChunks({ images: [large] })) })).provider,
    (await playGoogle({ body: sse(googleChunks({ media: [large] }), { done: false }) })).provider,
    (
      await play(
        { body: namedSse(responseEvents({ images: [large] }).filter(({ type }) => !String(type).includes("partial"))) },
        { api: "responses" },
      )
    ).provider,
  ];
  for (const provider of streams) {
    const { events, error } = await outcome(provider.stream(request()));
    expect(error).toBeUndefined();
    expect(partsIn(events)[0]!.data === large.data).toBe(true);
  }
});
