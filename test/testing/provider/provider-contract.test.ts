import { expect, test } from "vitest";
import { ProviderError } from "../../../src/contracts/errors.js";
import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../../src/contracts/provider.js";
import {
  type ProviderScenario,
  providerContract,
  scripted,
  type Turn,
  text,
  toolCall,
} from "../../../src/testing/index.js";
import { failingCases } from "../failing-cases.js";

const RETRYABLE = ["RATE_LIMITED", "OVERLOADED", "SERVER"];

for (const c of providerContract(play, { features: ["images"] })) test(`scripted: ${c.name}`, c.run);

test("only the failures an API can tell are asked for", () => {
  const names = providerContract(play, { failures: ["OVERLOADED"] }).map((c) => c.name);

  expect(names.filter((name) => name.startsWith("a refusal"))).toEqual(["a refusal is thrown as OVERLOADED"]);
});

/** A correct provider with its stream broken, and a case that must notice. */
const BROKEN: Record<string, [Rewrite, string]> = {
  "has no message-start": [rewrite((e) => (e.type === "message-start" ? [] : [e])), "text arrives whole"],
  "starts twice": [rewrite((e) => (e.type === "message-start" ? [e, e] : [e])), "text arrives whole"],
  "has no message-end": [rewrite((e) => (e.type === "message-end" ? [] : [e])), "text arrives whole"],
  "goes on after message-end": [
    rewrite((e) => (e.type === "message-end" ? [e, { type: "text-delta", text: "!" }] : [e])),
    "text arrives whole",
  ],
  "yields unknown events": [
    rewrite((e) => (e.type === "message-start" ? [e, { type: "ping" } as never] : [e])),
    "text arrives whole",
  ],
  "reads bytes as Latin-1": [
    rewrite((e) => (e.type === "text-delta" ? [{ ...e, text: Buffer.from(e.text).toString("latin1") }] : [e])),
    "long text in many scripts arrives whole",
  ],
  "yields arguments as text": [
    rewrite((e) =>
      e.type === "tool-call-end" ? [{ ...e, call: { ...e.call, arguments: JSON.stringify(e.call.arguments) } }] : [e],
    ),
    "a tool call arrives whole",
  ],
  "yields no arguments for an empty object": [
    rewrite((e) =>
      e.type === "tool-call-end" && JSON.stringify(e.call.arguments) === "{}"
        ? [{ ...e, call: { ...e.call, arguments: null } }]
        : [e],
    ),
    "a tool call without arguments arrives whole",
  ],
  "cuts large arguments": [
    rewrite((e) => {
      if (e.type !== "tool-call-end") return [e];
      const cut = JSON.stringify(e.call.arguments, (_, value) =>
        typeof value === "string" ? value.slice(0, 500) : value,
      );
      return [{ ...e, call: { ...e.call, arguments: JSON.parse(cut) } }];
    }),
    "a tool call with large arguments arrives whole",
  ],
  "gives every call the same index": [
    rewrite((e) => ("index" in e ? [{ ...e, index: 0 }] : [e])),
    "several tool calls arrive whole and in order",
  ],
  "gives every call the same id": [
    rewrite((e) => {
      if (e.type === "tool-call-start") return [{ ...e, id: "call" }];
      return e.type === "tool-call-end" ? [{ ...e, call: { ...e.call, id: "call" } }] : [e];
    }),
    "text followed by tool calls arrives whole",
  ],
  "says stop after tool calls": [
    rewrite((e) => (e.type === "message-end" ? [{ ...e, finishReason: "stop" }] : [e])),
    "text followed by tool calls arrives whole",
  ],
  "counts cached tokens apart": [
    rewrite((e) =>
      e.type === "message-end" ? [{ ...e, usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 9 } }] : [e],
    ),
    "text arrives whole",
  ],
  "ends a refusal as an empty message": [(stream) => swallowing(stream), "a refusal is thrown as AUTH"],
  "throws plain errors": [(stream) => rethrowing(stream, () => new Error("503")), "a refusal is thrown as SERVER"],
  "calls everything retryable": [
    (stream) => rethrowing(stream, (error) => new ProviderError(error.code, { message: "x", retryable: true })),
    "a refusal is thrown as CONTEXT_TOO_LONG",
  ],
  "ends a broken message": [
    (stream) => swallowing(stream),
    "a lost connection is thrown as retryable, and the message does not end",
  ],
  "is deaf to the signal": [
    (stream, scenario) => (scenario.kind === "stall" ? deaf() : stream),
    "a request that is already aborted ends soon",
  ],
  "ends an aborted message": [
    (stream) => swallowing(stream),
    "an abort in the middle ends the stream without an end of the message",
  ],
  "changes the request": [
    (stream, _, request) => {
      (request.messages as unknown[]).push({ role: "user", content: [] });
      return stream;
    },
    "a long and varied history is sent, and the request is left unchanged",
  ],
};

for (const [defect, [rewriteStream, noticing]] of Object.entries(BROKEN)) {
  test(`a provider that ${defect} fails`, async () => {
    const makeProvider = (scenario: ProviderScenario): ProviderAdapter => {
      const provider = play(scenario);
      return { ...provider, stream: (request) => rewriteStream(provider.stream(request), scenario, request) };
    };

    const cases = providerContract(makeProvider).filter((c) => c.name === noticing);

    expect(await failingCases(cases)).toEqual([noticing]);
  });
}

test("a provider that drops, cuts or repeats the images of its model fails", async () => {
  const image = { type: "image", mediaType: "image/png" } as const;
  const asMade = ({ images = [] }: { images?: readonly object[] }) =>
    images as readonly (typeof image & { data: string })[];
  const broken: Readonly<Record<string, (scenario: ProviderScenario) => Turn>> = {
    drops: () => [text("Hello.")] as never,
    cuts: (scenario) => asMade(scenario as never).map((part) => ({ ...part, data: part.data.slice(0, -4) })),
    repeats: (scenario) => asMade(scenario as never).flatMap((part) => [part, part]),
    mislabels: (scenario) => asMade(scenario as never).map((part) => ({ ...part, mediaType: "png" })),
    "sends no base64": (scenario) => asMade(scenario as never).map((part) => ({ ...part, data: "not base64" })),
  };
  const noticing = "an image that the model makes arrives whole";

  for (const [what, turn] of Object.entries(broken)) {
    const makeProvider = (scenario: ProviderScenario) => scripted([turn(scenario)], { loop: true });
    const cases = providerContract(makeProvider, { features: ["images"] }).filter(({ name }) => name === noticing);
    expect(await failingCases(cases), what).toEqual([noticing]);
  }
});

test("a provider without names, or that serves one request only, fails", async () => {
  const makeProvider = (scenario: ProviderScenario) => ({
    ...scripted([turnOf(scenario)]),
    id: "",
    contextWindow: 0.5,
  });

  expect(await failingCases(providerContract(makeProvider))).toEqual([
    "id and model are stable names, and windows are whole numbers",
    "requests at once do not mix",
    "a history with an image that a model has made is sent",
    "leaving a stream early closes it, and the next request works",
  ]);
});

type Rewrite = (
  stream: AsyncIterable<ProviderEvent>,
  scenario: ProviderScenario,
  request: ProviderRequest,
) => AsyncIterable<ProviderEvent>;

function play(scenario: ProviderScenario): ProviderAdapter {
  return scripted([turnOf(scenario)], { loop: true });
}

function turnOf(scenario: ProviderScenario): Turn {
  switch (scenario.kind) {
    case "answer": {
      const calls = scenario.toolCalls.map((call) => toolCall(call.name, call.arguments));
      return [scenario.text, ...(scenario.images ?? []), ...calls, { chunkSize: 7, argumentChunkSize: 5 }];
    }
    case "refuse":
      return new ProviderError(scenario.code, { message: "refused", retryable: RETRYABLE.includes(scenario.code) });
    case "break": {
      const error = new ProviderError("STREAM_BROKEN", { message: "lost", retryable: true });
      return text(scenario.text, { chunkSize: 4, error, errorAfterChunks: 2 });
    }
    case "stall":
      return text(scenario.text, { chunkSize: 4, chunkDelayMs: 10 });
  }
}

function rewrite(change: (event: ProviderEvent) => readonly ProviderEvent[]): Rewrite {
  return async function* (stream) {
    for await (const event of stream) yield* change(event);
  };
}

async function* swallowing(stream: AsyncIterable<ProviderEvent>): AsyncGenerator<ProviderEvent> {
  try {
    yield* stream;
  } catch {
    yield { type: "message-end", finishReason: "error" };
  }
}

async function* rethrowing(stream: AsyncIterable<ProviderEvent>, change: (error: ProviderError) => Error) {
  try {
    yield* stream;
  } catch (error) {
    throw change(error as ProviderError);
  }
}

async function* deaf(): AsyncGenerator<ProviderEvent> {
  await new Promise(() => {});
}

test("a failed claim shows both sides from where they begin to differ", async () => {
  const [first] = providerContract((scenario) =>
    scenario.kind === "answer" ? scripted([text(`${scenario.text.slice(0, -1)}X`)]) : play(scenario),
  ).filter(({ name }) => name === "long text in many scripts arrives whole");

  await expect(first!.run()).rejects.toThrow(/expected "?….{50,}, got "?….{50,}X"/s);
});
