// Recorded streams are read alike whole, in packets and as one array. What the official SDK reads of them: test/sdks/google.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { sse } from "../../../src/testing/fault-server/index.js";
import { callsOf, outcome, request, textOf } from "../openai/streams.js";
import { args, COUNTED, chunk, last, RECORDINGS } from "./recordings.js";
import { playGoogle } from "./streams.js";

function read(events: readonly ProviderEvent[]) {
  const { finishReason } = events.at(-1) as Extract<ProviderEvent, { type: "message-end" }>;
  const kept = events.flatMap((event) => (event.type === "reasoning-end" ? [event.providerData as JsonObject] : []));
  return {
    text: textOf(events),
    calls: callsOf(events),
    finishReason,
    signed: kept.flatMap((data) => (data ? [data.on] : [])),
  };
}

for (const [name, { chunks, unlikeSdk, usage = COUNTED, ...expected }] of Object.entries(RECORDINGS)) {
  test(`${name}: read alike, whole, in packets and as one array`, async () => {
    const body = sse(chunks, { done: false, newline: "\r\n" });
    const array = { body: JSON.stringify(chunks), headers: { "content-type": "application/json" } };
    const servers = [await playGoogle({ body }), await playGoogle({ body, splitEvery: 61 }), await playGoogle(array)];

    const results = await Promise.all(servers.map(({ provider }) => outcome(provider.stream(request({}, "look")))));

    expect(results[0]!.error).toBeUndefined();
    expect(read(results[0]!.events)).toEqual({ text: "", calls: [], signed: [], ...expected });
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
    const { usage: counted } = results[0]!.events.at(-1) as { usage?: object };
    expect(counted).toEqual(usage);
  });
}

test("a call that nobody can read, after a good one, leaves the good one", async () => {
  const body = sse(
    [
      args({ name: "look", args: { a: 1 } }),
      args({ name: "look", willContinue: true }),
      last("MALFORMED_FUNCTION_CALL"),
    ],
    { done: false },
  );
  const { provider } = await playGoogle({ body });

  const { events } = await outcome(provider.stream(request({}, "look")));

  expect(callsOf(events)).toEqual([
    { id: "google-call-0", name: "look", arguments: { a: 1 } },
    { id: "google-call-1", name: "look", arguments: {}, malformed: "{" },
  ]);
});

test("one array that is cut off is a broken stream, never the end of a message", async () => {
  const whole = JSON.stringify([chunk([{ text: "Yes." }]), last("STOP")]);
  for (const cutAt of [1, 60, whole.length - 1]) {
    const { provider } = await playGoogle({ body: whole, cutAt, headers: { "content-type": "application/json" } });

    const { events, error } = await outcome(provider.stream(request()));

    expect(error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
    expect(events.some(({ type }) => type === "message-end")).toBe(false);
  }
});

test("a gateway's failure with status 200 is understood", async () => {
  const { provider } = await playGoogle({ body: JSON.stringify({ code: 401, message: "bad token" }) });

  expect((await outcome(provider.stream(request()))).error).toMatchObject({ code: "AUTH", retryable: false });
});
