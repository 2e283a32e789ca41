// Many requests and commands on one signal of the host's.
import { expect, test } from "vitest";
import type { ProviderAdapter, ProviderEvent } from "../../src/index.js";
import { withRateLimit, withRetry } from "../../src/providers/index.js";

const answering = (stream: ProviderAdapter["stream"]): ProviderAdapter => ({ id: "own", model: "own-1", stream });

async function* waitForAll(): AsyncGenerator<ProviderEvent> {
  yield { type: "message-start" };
  await new Promise((resolve) => setTimeout(resolve, 5));
  yield { type: "message-end", finishReason: "stop" };
}

test("thirty requests at once on one signal warn nobody, and leave nothing on it", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  const { signal } = new AbortController();
  const provider = withRetry(withRateLimit(answering(waitForAll), { concurrent: 40 }));
  const read = async () => {
    const events: string[] = [];
    const request = { system: [], tools: [], messages: [], signal, sessionId: "s" };
    for await (const { type } of provider.stream(request)) events.push(type);
    return events.at(-1);
  };

  const ends = await Promise.all(Array.from({ length: 30 }, read));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);

  expect(new Set(ends)).toEqual(new Set(["message-end"]));
  expect(warnings).toEqual([]);
});
