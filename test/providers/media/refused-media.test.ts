// An image that a server refuses must not make every later request of its session fail.
import { expect, test } from "vitest";
import type { ContentPart } from "../../../src/contracts/content.js";
import type { Message } from "../../../src/contracts/message.js";
import { anthropicEvents, chatChunks, namedSse, sse } from "../../../src/testing/fault-server/index.js";
import { playAnthropic } from "../anthropic/streams.js";
import { googleSse, playGoogle } from "../google/streams.js";
import { PIXEL } from "../history-parts.js";
import { outcome, play, request } from "../openai/streams.js";

const image = (data: string): ContentPart => ({ type: "image", mediaType: "image/png", data });
const shown = (...parts: ContentPart[]): Message[] => [
  { role: "user", content: [{ type: "text", text: "Look." }, ...parts] },
];
const OTHER = `${PIXEL.slice(0, -4)}AAA=`;

function refusal(message: string, status = 400) {
  return { status, body: JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }) };
}

const said = (body: unknown) => JSON.stringify(body);

test.each([
  ["Failed to deserialize the JSON body: messages[1]: unknown variant `image_url`, expected `text`", 400],
  ["Request entity too large", 413],
  ["Unsupported payload", 415],
  ["Something about this request is wrong.", 422],
  ["", 400],
  ["image input is not supported - hint: you may need to provide the mmproj", 500],
  ["The image data you provided does not represent a valid image.", 400],
  ["m is not a multimodal model", 400],
  ["'messages[1].content' must be a string", 400],
  // OpenRouter, when none of a model's servers takes images.
  ["No endpoints found that support image input", 404],
])("it is left out, with a line in its place, for good: %s", async (message, status) => {
  const { provider, server } = await play([refusal(message, status), { body: sse(chatChunks({ text: "Yes." })) }]);

  const { error, events } = await outcome(provider.stream(request({ messages: shown(image(PIXEL)) })));
  await outcome(provider.stream(request({ messages: shown(image(PIXEL)) })));

  expect(error).toBeUndefined();
  expect(events[0]).toEqual({
    type: "notice",
    code: "MEDIA_LEFT_OUT",
    message: "The image of type image/png was left out: the model's server refused it.",
    details: { mediaType: "image/png", reason: "the model's server refused it" },
  });
  expect(server.requests.map(({ body }) => said(body).includes(PIXEL))).toEqual([true, false, false]);
  expect(said(server.requests[2]!.body)).toContain("The image of type image/png was left out");
});

test("only the image that the refusal names is left out, also inside a tool's result", async () => {
  const { provider, server } = await playAnthropic([
    refusal("messages.2.content.0.tool_result.content.0.image.source.base64.data: Could not process image"),
    { body: namedSse(anthropicEvents({ text: "Yes." })) },
  ]);
  const call = { type: "tool-call", id: "a", name: "look", arguments: {} } as const;
  const messages: Message[] = [
    ...shown(image(OTHER)),
    { role: "assistant", content: [call], finishReason: "tool-calls", provider: "anthropic", model: "m" },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "a", name: "look", output: [image(PIXEL)], isError: false }],
    },
  ];

  const { error } = await outcome(provider.stream(request({ messages }, "look")));

  expect(error).toBeUndefined();
  expect(server.requests.map(({ body }) => [OTHER, PIXEL].map((data) => said(body).includes(data)))).toEqual([
    [true, true],
    [true, false],
  ]);
});

test("Google names no image: all of the request are left out", async () => {
  const { provider, server } = await playGoogle([
    refusal("Unable to process input image. Please retry or report in the troubleshooting guide."),
    { body: googleSse({ text: "Yes." }) },
  ]);

  expect((await outcome(provider.stream(request({ messages: shown(image(PIXEL)) })))).error).toBeUndefined();
  expect(said(server.requests[1]!.body)).not.toContain(PIXEL);
});

test.each([
  ["The model m-vision is not supported.", 400],
  ["No endpoints found for m-vision.", 404],
])("what is refused without the image as well was not about it: %s", async (message, status) => {
  const { provider, server } = await play(refusal(message, status));
  const asked = request({ messages: shown(image(PIXEL)) });

  expect((await outcome(provider.stream(asked))).error).toMatchObject({ code: "BAD_REQUEST" });
  await outcome(provider.stream(asked));

  expect(server.requests.map(({ body }) => said(body).includes(PIXEL))).toEqual([true, false, true, false]);
});

test.each([
  ["a context overflow", refusal("prompt is too long: 210000 tokens > 200000 maximum")],
  ["a quota", { status: 429, body: JSON.stringify({ error: { message: "You exceeded your current quota." } }) }],
  ["a wrong key", refusal("Invalid API key", 401)],
])("%s is not tried without the image", async (_what, refused) => {
  const { provider, server } = await play(refused);

  expect((await outcome(provider.stream(request({ messages: shown(image(PIXEL)) })))).error).toBeDefined();

  expect(server.requests).toHaveLength(1);
});

test("the first refusal is reported when the request is refused without the image as well, in other words", async () => {
  const { provider, server } = await play([refusal("The first reason."), refusal("The second reason.")]);

  const { error } = await outcome(provider.stream(request({ messages: shown(image(PIXEL)) })));

  expect(error).toMatchObject({ message: expect.stringContaining("The first reason.") });
  expect(server.requests).toHaveLength(2);
});

test("an image that a successful request has held is not suspected", async () => {
  const yes = { body: sse(chatChunks({ text: "Yes." })) };
  const { provider, server } = await play([yes, refusal("Something is wrong."), yes]);
  const [taken, fresh] = [shown(image(PIXEL)), shown(image(PIXEL), image(OTHER))];

  for (const messages of [taken, taken, fresh]) await outcome(provider.stream(request({ messages })));

  expect(server.requests.map(({ body }) => said(body).includes(PIXEL))).toEqual([true, true, true]);
});
