import { expect, onTestFinished, test, vi } from "vitest";
import type { ProviderEvent } from "../../../../src/contracts/provider.js";
import { Failures } from "../../../../src/providers/shared/failures/failures.js";
import { createScrub } from "../../../../src/providers/shared/failures/secrets.js";
import { type EventReader, ResponseStream } from "../../../../src/providers/shared/http/response-stream.js";
import { collect } from "../../../../src/testing/contract-case.js";
import { outcome } from "../../openai/streams.js";

const PING = Symbol("ping");

/** Reads pieces of text; "." ends the answer, and a number that follows is its usage. */
class TextReader implements EventReader {
  readonly events: ProviderEvent[] = [];
  hasStarted = false;
  hasFinished = false;
  #tokens: number | undefined;

  errorIn(): undefined {}

  read(data: unknown): void {
    this.hasStarted = true;
    if (data === PING) return;
    if (typeof data === "number") this.#tokens = data;
    else this.events.push({ type: "text-delta", text: String(data) });
    this.hasFinished ||= data === ".";
  }

  finish(): void {
    const usage = this.#tokens === undefined ? {} : { usage: { inputTokens: this.#tokens, outputTokens: 1 } };
    this.events.push({ type: "message-end", finishReason: "stop", ...usage });
  }
}

const read = (pieces: () => AsyncIterable<unknown>) => outcome(open(pieces));

function open(pieces: () => AsyncIterable<unknown>): ResponseStream {
  return new ResponseStream({
    reader: new TextReader(),
    request: new AbortController(),
    failures: new Failures({ provider: "p", model: "m", scrub: createScrub([]) }),
    open: async () => pieces(),
  });
}

test("a message that is whole ends, although its source ends neither on its own nor when it is aborted", async () => {
  const { events, error } = await read(async function* () {
    yield "Hello.";
    yield ".";
    await new Promise(() => {});
  });

  expect(error).toBeUndefined();
  expect(events.at(-1)).toEqual({ type: "message-end", finishReason: "stop" });
});

test("usage that has come while the process stood still is read", async () => {
  const { events } = await read(async function* () {
    yield ".";
    // It comes with the next turn of the event loop, in which every timer is late.
    await new Promise((resolve) => {
      setTimeout(() => {
        for (const before = performance.now(); performance.now() - before < 400; );
        setImmediate(resolve);
      }, 0);
    });
    yield 7;
  });

  expect(events.at(-1)).toEqual({
    type: "message-end",
    finishReason: "stop",
    usage: { inputTokens: 7, outputTokens: 1 },
  });
});

test("a server that sends nothing of its message for long is reported to be at work", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  async function* pieces() {
    for (let n = 0; n < 3; n++) {
      yield [];
      vi.advanceTimersByTime(120);
    }
    yield "a";
    for (let n = 0; n < 4; n++) {
      yield n % 2 === 0 ? PING : [];
      vi.advanceTimersByTime(120);
    }
    yield "b";
    yield PING;
    yield ".";
  }

  const events = await collect(open(pieces));

  const types = events.map((event) => (event.type === "text-delta" ? event.text : event.type));
  expect(events[0]).toEqual({ type: "waiting", isServer: true });
  expect(types).toEqual(["waiting", "a", "waiting", "b", ".", "message-end"]);
});

test("signs of life do not hold up a message that is whole", async () => {
  const { events } = await read(async function* () {
    yield "Hello.";
    yield ".";
    while (true) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield [];
    }
  });

  expect(events.at(-1)).toMatchObject({ type: "message-end" });
});
