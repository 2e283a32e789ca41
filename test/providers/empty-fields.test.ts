// Gateways whose types are written in Go or Java send every field of a message, most of them empty. On every wire, for every
// recording, a field that is present but empty means nothing.
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/contracts/json.js";
import type { ProviderAdapter } from "../../src/contracts/provider.js";
import { anthropic } from "../../src/providers/anthropic/index.js";
import { google } from "../../src/providers/google/index.js";
import { openai } from "../../src/providers/openai/index.js";
import { chatChunks, namedSse, sse } from "../../src/testing/fault-server/index.js";
import { RECORDINGS as ANTHROPIC } from "./anthropic/recordings.js";
import { RECORDINGS as GOOGLE } from "./google/recordings.js";
import { RECORDINGS as RESPONSES } from "./openai/responses/recordings.js";
import { outcome, request } from "./openai/streams.js";

type Fetch = () => Promise<Response>;
type Places = Readonly<Record<string, readonly (readonly [string, JsonValue])[]>>;

interface Wire {
  readonly recordings: Readonly<Record<string, readonly JsonObject[]>>;
  readonly write: (events: readonly JsonObject[]) => string;
  readonly connect: (fetch: Fetch) => ProviderAdapter;
  /** The objects of an event that may hold a kind of fields. */
  readonly placesIn: (event: JsonObject) => Readonly<Record<string, readonly unknown[]>>;
  /** Empty fields, by the kind of object that may hold them. */
  readonly fields: Places;
}

const variants = (name: string, ...values: JsonValue[]) => values.map((value) => [name, value] as const);
const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value : []);

const NO_FUNCTION = { name: "", arguments: "" };
const CALLS = {
  toolCalls: [
    { name: "look", arguments: { a: 1 } },
    { name: "look", arguments: {} },
  ],
} as const;
const CHAT = {
  text: chatChunks({ text: "Hello there.", pieceSize: 3 }),
  "reasoning, text and calls": chatChunks({ reasoning: "Hm, so.", text: "Let me look.", pieceSize: 4, ...CALLS }),
  "text that was cut off": chatChunks({ text: "Half", finishReason: "length" }),
  "a document with text": documentOf({ content: "Hello.", reasoning_content: "Hm." }, "stop"),
  "a document with calls": documentOf(
    { content: null, tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: '{"a":1}' } }] },
    "tool_calls",
  ),
  "a function of the time before tools": [
    chatChunks({ text: "" })[0]!,
    chatDelta({ function_call: { name: "look", arguments: "" } }),
    chatDelta({ function_call: { arguments: '{"a":1}' } }),
    chatDelta({}, "function_call"),
  ],
};

function chatDelta(delta: JsonObject, finish_reason: string | null = null): JsonObject {
  return { id: "chatcmpl-1", model: "m", choices: [{ index: 0, delta, finish_reason }] };
}

function documentOf(message: JsonObject, finish_reason: string): JsonObject[] {
  return [{ id: "c", model: "m", choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }] }];
}

const eventsOf = <Recording extends object>(all: Readonly<Record<string, Recording>>, field: keyof Recording) =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one[field] as readonly JsonObject[]]));

const WIRES: Readonly<Record<string, Wire>> = {
  "chat completions": {
    recordings: CHAT,
    write: (events) => sse(events),
    connect: (fetch) => openai({ model: "m", apiKey: "k", fetch }),
    placesIn: (event) => {
      const said = list(event.choices).flatMap(
        ({ delta, message }) => [delta, message].filter(Boolean) as JsonObject[],
      );
      return { said, call: said.flatMap(({ tool_calls }) => list(tool_calls)), choice: list(event.choices) };
    },
    fields: {
      said: [
        ...variants("function_call", null, {}, NO_FUNCTION, { name: null, arguments: null }),
        ...variants("tool_calls", null, [], [{}], [{ index: 0, id: "", type: "function", function: NO_FUNCTION }]),
        ...variants("content", null, "", []),
        ...variants("reasoning", null, ""),
        ...variants("reasoning_content", null, ""),
        ...variants("reasoning_details", null, []),
        ...variants("thinking_blocks", null, []),
        ...variants("refusal", null, ""),
        ...variants("audio", null, {}, { id: "", data: "", transcript: "" }),
        ...variants("images", null, []),
        ...variants("annotations", null, []),
      ],
      call: [
        ...variants("custom", null, {}, { name: "", input: "" }, { name: null, input: null }),
        ...variants("id", null, ""),
        ...variants("extra_content", null),
        ...variants("name", null, ""),
        ...variants("arguments", null, ""),
      ],
      choice: [
        ...variants("usage", null),
        ...variants("native_finish_reason", null, ""),
        ...variants("message", null, {}),
      ],
    },
  },
  responses: {
    recordings: eventsOf(RESPONSES, "events"),
    write: (events) => sse(events, { named: true, done: false }),
    connect: (fetch) => openai({ model: "m", apiKey: "k", api: "responses", fetch }),
    placesIn: ({ item, response }) => {
      const items = [item, ...list((response as JsonObject | undefined)?.output)].filter(Boolean) as JsonObject[];
      return { response: [response].filter(Boolean), item: items };
    },
    fields: {
      response: [
        ...variants("error", null),
        ...variants("incomplete_details", null, {}),
        ...variants("reasoning", null, {}),
      ],
      item: [
        ...variants("summary", null, []),
        ...variants("encrypted_content", null),
        ...variants("arguments", null, ""),
        ...variants("name", null, ""),
        ...variants("caller", null),
        ...variants("namespace", null),
        ...variants("phase", null),
      ],
    },
  },
  anthropic: {
    recordings: eventsOf(ANTHROPIC, "events"),
    write: (events) => namedSse(events),
    connect: (fetch) => anthropic({ model: "claude-opus-5", apiKey: "k", fetch }),
    placesIn: ({ content_block, delta, message }) => ({
      block: [content_block].filter(Boolean),
      delta: [delta].filter(Boolean),
      message: [message].filter(Boolean),
    }),
    fields: {
      block: [...variants("citations", null, []), ...variants("signature", null, ""), ...variants("caller", null)],
      delta: [
        ...variants("stop_sequence", null, ""),
        ...variants("stop_reason", null, ""),
        ...variants("container", null),
        ...variants("text", null, ""),
        ...variants("thinking", null, ""),
        ...variants("signature", null, ""),
        ...variants("partial_json", null, ""),
      ],
      message: [...variants("container", null)],
    },
  },
  google: {
    recordings: eventsOf(GOOGLE, "chunks"),
    write: (events) => sse(events, { done: false }),
    connect: (fetch) => google({ model: "gemini-3-pro", apiKey: "k", fetch }),
    placesIn: (event) => {
      const candidates = list(event.candidates);
      const parts = candidates.flatMap(({ content }) => list((content as JsonObject | null)?.parts));
      return { chunk: [event], candidate: candidates, part: parts };
    },
    fields: {
      chunk: [...variants("promptFeedback", null, {}), ...variants("error", null)],
      candidate: [
        ...variants("finishReason", null, ""),
        ...variants("finishMessage", null, ""),
        ...variants("citationMetadata", null, {}),
      ],
      part: [
        ...variants("functionCall", null, {}),
        ...variants("functionResponse", null),
        ...variants("inlineData", null, {}),
        ...variants("fileData", null, {}),
        ...variants("executableCode", null, {}),
        ...variants("codeExecutionResult", null, {}),
        ...variants("thought", null, false),
        ...variants("thoughtSignature", null, ""),
        ...variants("text", null, ""),
      ],
    },
  },
};

async function read({ write, connect }: Wire, events: readonly JsonObject[]) {
  const headers = { "content-type": "text/event-stream" };
  const { events: read, error } = await outcome(
    connect(async () => new Response(write(events), { headers })).stream(request({}, "look")),
  );
  // What only the vendor understands is kept as it came, with the fields that it came with.
  return { error, events: read.map((event) => ("providerData" in event ? { ...event, providerData: "kept" } : event)) };
}

const CASES = Object.entries(WIRES).flatMap(([wire, { fields }]) =>
  Object.entries(fields).flatMap(([place, all]) =>
    all.map(([field, value]) => [wire, place, field, JSON.stringify(value)] as const),
  ),
);

test.each(CASES)(
  "%s: in a %s, a field that is present but empty means nothing: %s %s",
  async (wire, place, field, json) => {
    const { recordings, placesIn } = WIRES[wire]!;
    let added = 0;
    for (const [name, events] of Object.entries(recordings)) {
      const changed = structuredClone(events) as JsonObject[];
      for (const event of changed) {
        for (const holder of placesIn(event)[place] as Record<string, JsonValue>[]) {
          if (field in holder) continue;
          holder[field] = JSON.parse(json);
          added++;
        }
      }

      expect([name, await read(WIRES[wire]!, changed)]).toEqual([name, await read(WIRES[wire]!, events)]);
    }

    expect(added).toBeGreaterThan(0);
  },
);
