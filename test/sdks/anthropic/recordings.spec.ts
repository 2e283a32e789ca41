// The official SDK reads the recorded streams as the adapter does.
import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { namedSse } from "../../../src/testing/fault-server/index.js";
import { RECORDINGS } from "../../providers/anthropic/recordings.js";
import { playAnthropic } from "../../providers/anthropic/streams.js";
import { callsOf, outcome, request, textOf } from "../../providers/openai/streams.js";

const alike = Object.entries(RECORDINGS).filter(([, { unlikeSdk }]) => unlikeSdk === undefined);

test.each(alike)("%s: the official SDK reads it alike", async (_, recording) => {
  const { provider, server } = await playAnthropic({ body: namedSse(recording.events) });
  const { events, error } = await outcome(provider.stream(request({}, "look")));

  const client = new Anthropic({ apiKey: "k", baseURL: server.url.replace(/\/v1$/, ""), maxRetries: 0 });
  const stream = client.beta.messages.stream({
    model: "claude-opus-5",
    max_tokens: 9,
    messages: [{ role: "user", content: "?" }],
  });
  const message = await stream.finalMessage();

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe(message.content.map((part) => (part.type === "text" ? part.text : "")).join(""));
  const calls = message.content.flatMap((part) => (part.type === "tool_use" ? [part] : []));
  expect(callsOf(events).map(({ id, arguments: input }) => ({ id, input }))).toEqual(
    calls.map(({ id, input }) => ({ id, input })),
  );
  const { usage } = events.at(-1) as Extract<ProviderEvent, { type: "message-end" }>;
  expect(usage?.outputTokens).toBe(message.usage.output_tokens);
});
