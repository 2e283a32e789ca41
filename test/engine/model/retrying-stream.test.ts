// Silence of a provider, and what is not silence.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../../src/contracts/provider.js";
import { withRetry } from "../../../src/engine/model/with-retry.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const request: ProviderRequest = {
  system: [],
  tools: [],
  messages: [],
  signal: new AbortController().signal,
  sessionId: "s",
};

/** Says `count` times every 30 s that it is at work, in its message or in front of it, and ends the message. */
function atWork(count: number, { isInFront = false } = {}): ProviderAdapter {
  return {
    id: "busy",
    model: "m",
    async *stream() {
      if (!isInFront) yield { type: "message-start" };
      for (let n = 0; n < count; n++) {
        await new Promise((resolve) => setTimeout(resolve, 30_000));
        yield { type: "waiting", isServer: true };
      }
      if (isInFront) yield { type: "message-start" };
      yield { type: "text-delta", text: "found" };
      yield { type: "message-end", finishReason: "stop" };
    },
  };
}

async function heard(provider: ProviderAdapter): Promise<string[]> {
  const types: string[] = [];
  const reading = (async () => {
    for await (const event of withRetry(provider, { maxRetries: 0 }).stream(request)) types.push(nameOf(event));
  })().catch((error) => types.push(error.code));
  await vi.advanceTimersByTimeAsync(3_600_000);
  await reading;
  return types;
}

function nameOf(event: ProviderEvent): string {
  return event.type;
}

test("a server that says it is at work is not silent", async () => {
  expect(await heard(atWork(10))).toEqual(["message-start", "text-delta", "message-end"]);
});

test("a server that says nothing else for ten times the idle limit is given up", async () => {
  expect(await heard(atWork(100))).toEqual(["message-start", "TIMEOUT"]);
});

test("a server that is at work before it begins is believed for ten times the limit for the first event", async () => {
  expect(await heard(atWork(30, { isInFront: true }))).toEqual(["message-start", "text-delta", "message-end"]);
  expect(await heard(atWork(100, { isInFront: true }))).toEqual(["TIMEOUT"]);
});
