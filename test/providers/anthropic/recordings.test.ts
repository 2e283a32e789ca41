// Recorded streams are read alike whole and in packets. What the official SDK reads of them: test/sdks/anthropic.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { Message } from "../../../src/contracts/message.js";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { namedSse } from "../../../src/testing/fault-server/index.js";
import { callsOf, outcome, request, textOf } from "../openai/streams.js";
import type { WireBody } from "../wire-body.js";
import { RECORDINGS } from "./recordings.js";
import { playAnthropic } from "./streams.js";

function read(events: readonly ProviderEvent[]) {
  const { finishReason, usage } = events.at(-1) as Extract<ProviderEvent, { type: "message-end" }>;
  return { text: textOf(events), calls: callsOf(events), finishReason, usage };
}

for (const [name, { events, unlikeSdk, ...expected }] of Object.entries(RECORDINGS)) {
  test(`${name} is read alike, whole and in packets`, async () => {
    const body = namedSse(events);
    const whole = await playAnthropic({ body });
    const split = await playAnthropic({ body, splitEvery: 61 });

    const results = await Promise.all(
      [whole, split].map(({ provider }) => outcome(provider.stream(request({}, "look")))),
    );

    expect(results[0]!.error).toBeUndefined();
    expect(read(results[0]!.events)).toEqual({ calls: [], ...expected });
    expect(results[1]).toEqual(results[0]);
  });
}

/** What the second request holds of the message that a recording gave. */
async function replayed(events: readonly JsonObject[]): Promise<WireBody["messages"]> {
  const { provider, server } = await playAnthropic({ body: namedSse(events) });
  const content: unknown[] = [];
  for (const event of (await outcome(provider.stream(request()))).events) {
    if (event.type === "text-delta") content.push({ type: "text", text: event.text });
    if (event.type === "reasoning-end")
      content.push({ type: "reasoning", text: "", provider: "anthropic", providerData: event.providerData });
  }
  const message = { role: "assistant", content, finishReason: "stop", provider: "anthropic", model: "claude-opus-5" };
  const user = { role: "user", content: [{ type: "text", text: "Go on." }] };
  await outcome(provider.stream(request({ messages: [user, message, user] as unknown as Message[] })));
  return (server.requests[1]!.body as WireBody).messages;
}

test("a search goes back with its result, and a compaction with its summary", async () => {
  const search = await replayed(RECORDINGS["a web search with citations"]!.events);
  const compaction = await replayed(RECORDINGS["the server's own compaction"]!.events);

  expect(search[1].content).toEqual([
    { type: "server_tool_use", id: "srvtoolu_01", name: "web_search", input: { query: "tides" } },
    expect.objectContaining({ type: "web_search_tool_result", tool_use_id: "srvtoolu_01" }),
    { type: "text", text: "High at six." },
  ]);
  expect(compaction[1].content[0]).toEqual({
    type: "compaction",
    content: "So far: tides.",
    encrypted_content: "RW5j",
  });
});

test("a search that the turn paused at does not go back without its result", async () => {
  const messages = await replayed(RECORDINGS["a turn that pauses inside a search"]!.events);

  expect(messages[1].content).toEqual([{ type: "text", text: "Let me look." }]);
});

test("a document whose content is a string is read", async () => {
  const body = JSON.stringify({
    type: "message",
    id: "m",
    content: "Yes.",
    stop_reason: "end_turn",
    usage: { input_tokens: 2, output_tokens: 1 },
  });
  const { provider } = await playAnthropic({ body, headers: { "content-type": "application/json" } });

  expect(read((await outcome(provider.stream(request()))).events)).toEqual({
    text: "Yes.",
    calls: [],
    finishReason: "stop",
    usage: { inputTokens: 2, outputTokens: 1 },
  });
});

test.each([
  [
    { code: 401, msg: "token expired or incorrect", success: false },
    { code: "AUTH", retryable: false },
  ],
  [{ detail: "The service is overloaded." }, { code: "SERVER", retryable: true }],
])("a gateway's failure with status 200 is understood (%#)", async (said, expected) => {
  const { provider } = await playAnthropic({
    body: JSON.stringify(said),
    headers: { "content-type": "application/json" },
  });

  expect((await outcome(provider.stream(request()))).error).toMatchObject(expected);
});
