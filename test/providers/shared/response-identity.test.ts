// A proxy that loses its upstream may ask again, and pass both responses on as one stream: their ids show it.
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { sse } from "../../../src/testing/fault-server/index.js";
import { playGoogle } from "../google/streams.js";
import { outcome, request, textOf } from "../openai/streams.js";

const LONG = "The tide comes in twice a day, and goes out as often as that; ";

/** The chunks of a response. `counts` are the tokens of the answer so far. */
function chunks(texts: readonly string[], counts: readonly number[] = [], id?: string | ((at: number) => string)) {
  return texts.map((text, at): JsonObject => {
    const isLast = at === texts.length - 1;
    const candidatesTokenCount = counts[at];
    const usageMetadata = { promptTokenCount: 5, ...(candidatesTokenCount !== undefined && { candidatesTokenCount }) };
    return {
      candidates: [{ content: { parts: [{ text }] }, ...(isLast && { finishReason: "STOP" }) }],
      usageMetadata,
      ...(id !== undefined && { responseId: typeof id === "string" ? id : id(at) }),
    };
  });
}

async function read(...parts: (readonly JsonObject[])[]) {
  const { provider } = await playGoogle({ body: sse(parts.flat(), { done: false }) });
  return outcome(provider.stream(request()));
}

const COUNTED = chunks(["Once", " upon", " a", " time"], [1, 2, 3, 4], "r1");
const UNNAMED = chunks([LONG, LONG, "so it", " is."]);
const TEXTS = ["Once", " upon", " a", " time"];

test.each([
  ["under another id", [COUNTED.slice(0, 2), chunks(["Another", " answer", "."], [1, 2, 3], "r2")]],
  ["under another id, after the first chunk", [COUNTED.slice(0, 1), chunks(TEXTS, [], "r2")]],
] as const)("a response that begins again %s is a broken stream", async (_when, parts) => {
  const { events, error } = await read(...parts);

  expect(error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  expect(events.some(({ type }) => type === "message-end")).toBe(false);
});

test("text that comes twice from a gateway without ids is what the model has said", async () => {
  const { events, error } = await read(UNNAMED.slice(0, 3), UNNAMED);

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe(`${LONG}${LONG}so it${LONG}${LONG}so it is.`);
});

test("another response that begins behind the end is not read", async () => {
  const { events, error } = await read(COUNTED, chunks(TEXTS, [1, 2, 3, 4], "r2"));

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe(TEXTS.join(""));
});

test.each([
  ["counts grow", chunks(["ha", "ha", "ha", "!"], [1, 2, 3, 4], "r1")],
  ["nothing is counted", chunks(["ha", "ha", "ha", "!"], [], "r1")],
  ["counts stand still until the end", chunks(["ha", "ha", "ha", "!"], [1, 1, 1, 4], "r1")],
  ["each chunk has an id of its own", chunks(["ha", "ha", "ha", "!"], [1, 2, 3, 4], (at) => `r${at}`)],
])("a model that repeats itself is read, when %s", async (_when, answer) => {
  const { events, error } = await read(answer);

  expect(error).toBeUndefined();
  expect(textOf(events)).toBe("hahaha!");
});

test("counts that come behind the end count, although the model has repeated itself", async () => {
  const { events } = await read(chunks(["ha", "ha", ""], [], "r1"), [
    { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 }, responseId: "r1" },
  ]);

  expect(events.at(-1)).toMatchObject({ type: "message-end", usage: { outputTokens: 2 } });
});
