// What an image is, and how large, is seen before it is sent: whoever has given it, and whatever its label says.
import { afterEach, expect, test, vi } from "vitest";
import type { ContentPart, FitMedia, MediaPart } from "../../../src/contracts/content.js";
import type { Message } from "../../../src/contracts/message.js";
import type { ProviderAdapter, ProviderEvent } from "../../../src/contracts/provider.js";
import { anthropic } from "../../../src/providers/anthropic/index.js";
import { google } from "../../../src/providers/google/index.js";
import { openai } from "../../../src/providers/openai/index.js";
import { anthropicEvents, chatChunks, namedSse, responseEvents, sse } from "../../../src/testing/fault-server/index.js";
import { finishPart, playParts } from "../ai-sdk/streams.js";
import { googleSse } from "../google/streams.js";
import { PIXEL } from "../history-parts.js";
import { outcome, request } from "../openai/streams.js";
import { gif, jpeg, png, webp } from "./images.js";

const MIB = 1024 * 1024;
const BIG = png({ width: 9_000, height: 12 });

const image = (data: string, mediaType = "image/png"): MediaPart => ({ type: "image", mediaType, data });
const shown = (...parts: ContentPart[]): Message[] => [
  { role: "user", content: [{ type: "text", text: "Look." }, ...parts] },
];

interface Played {
  readonly provider: ProviderAdapter;
  /** What was sent, as text. */
  readonly bodies: string[];
}

/** An adapter at its vendor's own address, whose network is this process. */
function played(make: (fetch: typeof globalThis.fetch) => ProviderAdapter, reply: string): Played {
  const bodies: string[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    bodies.push(String(init?.body));
    return new Response(reply, { headers: { "content-type": "text/event-stream" } });
  };
  return { provider: make(fetch as typeof globalThis.fetch), bodies };
}

const VENDORS = {
  anthropic: (baseURL?: string) =>
    played(
      (fetch) => anthropic({ model: "claude-opus-5", apiKey: "k", fetch, baseURL }),
      namedSse(anthropicEvents({ text: "Yes." })),
    ),
  chat: () => played((fetch) => openai({ model: "gpt-5.1", apiKey: "k", fetch }), sse(chatChunks({ text: "Yes." }))),
  responses: () =>
    played(
      (fetch) => openai({ model: "gpt-5.1", apiKey: "k", api: "responses", fetch }),
      sse(responseEvents({ text: "Yes." })),
    ),
  google: () => played((fetch) => google({ model: "gemini-3-pro", apiKey: "k", fetch }), googleSse({ text: "Yes." })),
  "ai-sdk": () => {
    const bodies: string[] = [];
    const parts = [{ type: "text-delta", id: "1", delta: "Yes." }, finishPart("v4", "stop")];
    const { provider } = playParts("v4", parts, {
      doStream: async (options: unknown) => {
        bodies.push(JSON.stringify(options));
        const start = (controller: ReadableStreamDefaultController) => {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        };
        return { stream: new ReadableStream({ start }) };
      },
    });
    return { provider, bodies };
  },
} satisfies Readonly<Record<string, () => Played>>;

type Vendor = keyof typeof VENDORS;
const NAMES = Object.keys(VENDORS) as Vendor[];

const notices = (events: readonly ProviderEvent[]) => events.filter((event) => event.type === "notice");

afterEach(() => {
  vi.useRealTimers();
});

test.each(NAMES)("%s: an image is sent under the type that its bytes name", async (vendor) => {
  const { provider, bodies } = VENDORS[vendor]();

  const { events, error } = await outcome(
    provider.stream(request({ messages: shown(image(PIXEL, "image/webp"), image(jpeg({ width: 9, height: 9 }))) })),
  );

  expect(error).toBeUndefined();
  expect(bodies[0]).toContain(PIXEL);
  expect(bodies[0]).toContain("image/png");
  expect(bodies[0]).toContain("image/jpeg");
  expect(bodies[0]).not.toContain("image/webp");
  expect(notices(events)).toEqual([]);
});

test.each(NAMES)(
  "%s: bytes that are no image are left out, with a line for the model and a notice for the host",
  async (vendor) => {
    const { provider, bodies } = VENDORS[vendor]();
    const data = btoa("<html>Not found</html>");

    const { events } = await outcome(provider.stream(request({ messages: shown(image(data)) })));

    expect(bodies[0]).not.toContain(data);
    expect(bodies[0]).toContain("[The image of type image/png was left out: its bytes are not those of an image.]");
    expect(notices(events)).toEqual([
      {
        type: "notice",
        code: "MEDIA_LEFT_OUT",
        message: "The image of type image/png was left out: its bytes are not those of an image.",
        details: { mediaType: "image/png", reason: "its bytes are not those of an image" },
      },
    ]);
  },
);

test("a wrong label is put right wherever the image comes from: a tool, or the model itself", async () => {
  const { provider, bodies } = VENDORS.anthropic();
  const call = { type: "tool-call", id: "a", name: "look", arguments: {} } as const;
  const author = { provider: "openai", model: "m" };
  const output = [image(gif({ width: 7, height: 7 }))];
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "Look." }] },
    { role: "assistant", content: [image(PIXEL, "image/jpeg")], finishReason: "stop", ...author },
    { role: "user", content: [{ type: "text", text: "And now?" }] },
    { role: "assistant", content: [call], finishReason: "tool-calls", ...author },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "a", name: "look", output, isError: false }] },
  ];

  await outcome(provider.stream(request({ messages }, "look")));

  const types = [...bodies[0]!.matchAll(/"media_type":"([^"]+)"/g)].map(([, type]) => type);
  expect(types).toEqual(["image/png", "image/gif"]);
  expect(messages[1]).toMatchObject({ content: [{ mediaType: "image/jpeg" }] });
});

test("base64 that begins with a line break is looked at behind it", async () => {
  const { provider, bodies } = VENDORS.chat();

  await outcome(provider.stream(request({ messages: shown(image(`\n${PIXEL}`)) })));

  expect(bodies[0]).toContain(PIXEL);
});

test("a PDF that is called an image is sent as the document that it is", async () => {
  const { provider, bodies } = VENDORS.anthropic();

  await outcome(provider.stream(request({ messages: shown(image(btoa("%PDF-1.7 …".slice(0, 8)))) })));

  expect(JSON.parse(bodies[0]!).messages[0].content[1]).toMatchObject({
    type: "document",
    source: { media_type: "application/pdf" },
  });
});

test("a photo of a phone that is called a JPEG goes to Google as HEIC, and is named in words for others", async () => {
  const heic = btoa("\0\0\0\x18ftypheic\0\0\0\0");
  const [toGoogle, toOpenAI] = [VENDORS.google(), VENDORS.chat()];

  for (const { provider } of [toGoogle, toOpenAI]) {
    await outcome(provider.stream(request({ messages: shown(image(heic, "image/jpeg")) })));
  }

  expect(toGoogle.bodies[0]).toContain('"mimeType":"image/heic"');
  expect(toOpenAI.bodies[0]).toContain("The image of type image/heic was left out");
});

test.each([
  ["PNG", BIG, "image/png", "9,000 by 12"],
  ["JPEG", jpeg({ width: 12, height: 8_001 }), "image/jpeg", "12 by 8,001"],
  ["GIF", gif({ width: 60_000, height: 12 }), "image/gif", "60,000 by 12"],
  ["WebP", webp("extended", { width: 16_000, height: 12 }), "image/webp", "16,000 by 12"],
])(
  "a %s with more pixels than the vendor takes is left out, and the line states size and limit",
  async (_what, data, type, size) => {
    const { provider, bodies } = VENDORS.anthropic();

    const { events } = await outcome(provider.stream(request({ messages: shown(image(data, type), image(PIXEL)) })));

    expect(bodies[0]).not.toContain(data);
    expect(bodies[0]).toContain(PIXEL);
    const line = `The image of type ${type} was left out: it has ${size} pixels, and the model's vendor takes at most 8,000 on each side.`;
    expect(bodies[0]).toContain(`[${line}]`);
    expect(notices(events)).toMatchObject([{ message: line }]);
  },
);

test.each([
  ["api.anthropic.com", undefined, 7.5 * MIB, "7,864,320"],
  ["Bedrock", "https://bedrock-runtime.eu-west-1.amazonaws.com", 3.75 * MIB, "3,932,160"],
  ["Google Cloud", "https://europe-west1-aiplatform.googleapis.com/v1", 3.75 * MIB, "3,932,160"],
])(
  "an image with more bytes than %s takes is left out, one with as many is not",
  async (_what, baseURL, most, limit) => {
    const { provider, bodies } = VENDORS.anthropic(baseURL);
    const [fits, over] = [most, most + 1].map((bytes) => png({ width: 12, height: 12, bytes }));

    await outcome(provider.stream(request({ messages: shown(image(fits!), image(over!)) })));

    const content = JSON.parse(bodies[0]!).messages[0].content as { type: string; text?: string }[];
    expect(content.map(({ type }) => type)).toEqual(["text", "image", "text"]);
    expect(content[2]!.text).toContain(
      `it has ${(most + 1).toLocaleString("en-US")} bytes, and the model's vendor takes at most ${limit}`,
    );
  },
);

test("a server that is nobody's has no limit that is known, and is sent everything", async () => {
  const { provider, bodies } = VENDORS.anthropic("https://models.example.com");

  await outcome(provider.stream(request({ messages: shown(image(BIG)) })));

  expect(bodies[0]).toContain(BIG);
});

test("fitMedia is asked once for each part, with the limits, and what it makes is sent; the transcript keeps the original", async () => {
  const { provider, bodies } = VENDORS.anthropic();
  const small = jpeg({ width: 800, height: 1 });
  const fitMedia = vi.fn<FitMedia>(async () => image(small, "image/jpeg"));
  const messages = shown(image(BIG), image(PIXEL));
  const signal = new AbortController().signal;

  const first = await outcome(provider.stream(request({ messages, fitMedia, signal })));
  await outcome(provider.stream(request({ messages: [...messages], fitMedia, signal })));

  expect(fitMedia.mock.calls).toEqual([
    [image(BIG), { maxBytes: 7.5 * MIB, maxSide: 8_000 }, { signal: expect.any(AbortSignal) }],
  ]);
  for (const body of bodies) {
    expect(body).toContain(small);
    expect(body).not.toContain(BIG);
  }
  expect(bodies).toHaveLength(2);
  expect(messages).toEqual(shown(image(BIG), image(PIXEL)));
  expect(notices(first.events)).toEqual([]);
});

test.each<[string, FitMedia, RegExp]>([
  ["returns null", () => null, /fitMedia returned null\.$/],
  ["throws", () => Promise.reject(new Error("no memory")), /fitMedia failed: no memory\.$/],
  ["returns what is no image", () => "small" as never, /fitMedia returned no image or file\.$/],
  [
    "returns what is over the limits as well",
    (part) => part,
    /fitMedia returned an image that cannot be sent: it has 9,000/,
  ],
  [
    "returns bytes that are no image",
    () => image(btoa("oh")),
    /fitMedia returned an image that cannot be sent: its bytes/,
  ],
])("an image is left out when fitMedia %s, and the notice says so", async (_what, fitMedia, said) => {
  const { provider, bodies } = VENDORS.anthropic();

  const { events, error } = await outcome(provider.stream(request({ messages: shown(image(BIG)), fitMedia })));

  expect(error).toBeUndefined();
  expect(bodies[0]).toContain("was left out: it has 9,000 by 12 pixels");
  expect(bodies[0]).not.toContain("fitMedia");
  expect(notices(events)).toMatchObject([{ message: expect.stringMatching(said) }]);
});

test("what fitMedia makes is sent under the type that its bytes name", async () => {
  const { provider, bodies } = VENDORS.anthropic();
  const small = jpeg({ width: 800, height: 1 });

  await outcome(provider.stream(request({ messages: shown(image(BIG)), fitMedia: () => image(small) })));

  expect(bodies[0]).toContain(`"media_type":"image/jpeg","data":"${small}"`);
});

test("a fitMedia that does not answer within 60 seconds is given up, and its signal aborts", async () => {
  vi.useFakeTimers();
  const { provider, bodies } = VENDORS.anthropic();
  const signals: AbortSignal[] = [];
  const fitMedia: FitMedia = (_part, _limits, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  };

  const reading = outcome(provider.stream(request({ messages: shown(image(BIG)), fitMedia })));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(bodies).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1_000);
  const { events } = await reading;

  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(notices(events)).toMatchObject([{ message: expect.stringContaining("did not finish within 60000 ms") }]);
});

test("an abort ends the stream at once while fitMedia works, and fitMedia is asked again by the next request", async () => {
  const { provider, bodies } = VENDORS.anthropic();
  const controller = new AbortController();
  const reason = new Error("enough");
  const signals: AbortSignal[] = [];
  const hanging: FitMedia = (_part, _limits, { signal }) => {
    signals.push(signal);
    controller.abort(reason);
    return new Promise(() => {});
  };
  const messages = shown(image(BIG));

  const { error } = await outcome(provider.stream(request({ messages, fitMedia: hanging, signal: controller.signal })));
  await outcome(provider.stream(request({ messages, fitMedia: () => image(PIXEL) })));

  expect(error).toBe(reason);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(bodies).toEqual([expect.stringContaining(PIXEL)]);
});

test("an image that was left out fits once there is a fitMedia", async () => {
  const { provider, bodies } = VENDORS.anthropic();
  const messages = shown(image(BIG));

  await outcome(provider.stream(request({ messages })));
  await outcome(provider.stream(request({ messages, fitMedia: () => image(PIXEL) })));

  expect(bodies.map((body) => body.includes(PIXEL))).toEqual([false, true]);
});

test("the host gets one notice for each image and session", async () => {
  const { provider } = VENDORS.chat();
  const messages = shown(image("AAAA"), image("AAAB"));
  const counts: number[] = [];

  for (const sessionId of ["a", "a", "b"]) {
    counts.push(notices((await outcome(provider.stream(request({ messages, sessionId })))).events).length);
  }

  expect(counts).toEqual([2, 0, 2]);
});

test("limits apply to documents as well, by their name", async () => {
  const { provider, bodies } = VENDORS.anthropic();
  const data = btoa("%PDF-1.7") + "A".repeat(32 * MIB);
  const pdf = { type: "file", mediaType: "application/pdf", name: "all.pdf", data } as const;

  const { events } = await outcome(provider.stream(request({ messages: shown(pdf) })));

  expect(bodies[0]).toContain('The file \\"all.pdf\\" of type application/pdf was left out: it has 25,1');
  expect(notices(events)).toMatchObject([{ details: { name: "all.pdf", mediaType: "application/pdf" } }]);
});

test("through the AI SDK, the limits are those of the vendor that its name says", async () => {
  const parts = [{ type: "text-delta", id: "1", delta: "Yes." }, finishPart("v4", "stop")];
  const sent: boolean[] = [];

  for (const vendor of ["amazon-bedrock", "anthropic.messages", "mistral.chat"]) {
    const { provider, calls } = playParts("v4", parts, { provider: vendor });
    await outcome(provider.stream(request({ messages: shown(image(BIG)) })));
    sent.push(JSON.stringify(calls[0]).includes(BIG));
  }

  expect(sent).toEqual([false, false, true]);
});
