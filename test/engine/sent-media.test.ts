// Images and files on their way to the model: the host hears what a request was sent without, and may make it fit.
import { expect, test, vi } from "vitest";
import { AgentEngine, type ContentPart, type FitMedia, type ProviderEvent } from "../../src/index.js";
import { anthropic } from "../../src/providers/anthropic/index.js";
import { withFallback, withRateLimit } from "../../src/providers/index.js";
import { anthropicEvents, namedSse } from "../../src/testing/fault-server/index.js";
import { PIXEL } from "../providers/history-parts.js";
import { png } from "../providers/media/images.js";
import { ofType, played, tool } from "./kit.js";

const MIB = 1024 * 1024;

/** Claude at Anthropic's own address, whose network is this process, and what it is sent. */
function claude(...answers: Parameters<typeof anthropicEvents>[0][]) {
  const bodies: string[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    bodies.push(String(init?.body));
    const body = namedSse(anthropicEvents(answers[bodies.length - 1] ?? { text: "Done." }));
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const provider = anthropic({ model: "claude-opus-5", apiKey: "k", fetch: fetch as typeof globalThis.fetch });
  return { provider, bodies };
}

const image = (data: string): ContentPart => ({ type: "image", mediaType: "image/png", data });

test("the host hears of an image that the request was sent without, through retries, limits and fallbacks", async () => {
  const { provider } = claude();
  const engine = new AgentEngine({ provider: withFallback([withRateLimit(provider, {})]) });
  const data = png({ width: 9_000, height: 1 });

  const { events, result } = await played(engine.stream([{ type: "text", text: "Look." }, image(data)]));

  expect(result.status).toBe("completed");
  expect(ofType(events, "notice")).toMatchObject([
    {
      code: "MEDIA_LEFT_OUT",
      message: expect.stringMatching(/^The image of type image\/png was left out: it has 9,000 by 1 pixels/),
      details: { mediaType: "image/png" },
    },
  ]);
  expect(JSON.stringify(result.messages())).toContain(data);
});

test("the engine's fitMedia gets an image of a tool that would be too large for the transcript otherwise", async () => {
  const data = png({ width: 12, height: 12, bytes: 9 * MIB });
  const photo = tool("photo", async () => ({ output: [image(data)] }), { permission: "read_only" });
  const fitMedia = vi.fn<FitMedia>(() => ({ type: "image", mediaType: "image/png", data: PIXEL }));
  const call = { toolCalls: [{ name: "photo", arguments: {} }] };
  const [fitting, plain] = [claude(call), claude(call)];

  const result = await new AgentEngine({ provider: fitting.provider, tools: [photo], fitMedia }).run("Look.");
  await new AgentEngine({ provider: plain.provider, tools: [photo] }).run("Look.");

  expect(result.status).toBe("completed");
  expect(fitMedia).toHaveBeenCalledTimes(1);
  expect(fitting.bodies[1]).toContain(PIXEL);
  expect(plain.bodies[1]).toContain("it is too large for the conversation");
});

test("a notice is no sign that the model has begun to reply", async () => {
  const notice: ProviderEvent = { type: "notice", code: "MEDIA_LEFT_OUT", message: "An image was left out." };
  const stream = async function* (): AsyncGenerator<ProviderEvent> {
    yield notice;
    await new Promise(() => {});
  };
  const limits = { firstTokenTimeoutMs: 20, idleTimeoutMs: 60_000 };
  const engine = new AgentEngine({ provider: { id: "slow", model: "m", stream }, limits, retry: { maxRetries: 0 } });

  const { error } = await engine.run("go");

  expect(error).toMatchObject({
    code: "TIMEOUT",
    message: expect.stringContaining("did not start to reply for 20 ms"),
  });
});

test("a notice with another code, or without a message, is nonsense, and no notice of ours", async () => {
  const stream = async function* (): AsyncGenerator<ProviderEvent> {
    yield { type: "message-start" };
    yield { type: "notice", code: "TOOL_ABANDONED", message: "Nothing." } as never;
    yield { type: "text-delta", text: "Hi." };
    yield { type: "message-end", finishReason: "stop" };
  };
  const { events } = await played(new AgentEngine({ provider: { id: "odd", model: "m", stream } }).stream("go"));

  expect(ofType(events, "notice").map(({ code }) => code)).toEqual(["PROVIDER_NONSENSE"]);
});
