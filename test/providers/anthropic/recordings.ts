// Streams as Anthropic, the clouds that host it and the servers that speak its protocol send them.
import type { JsonObject } from "../../../src/contracts/json.js";

export const start = (usage: unknown, more: JsonObject = {}): JsonObject => ({
  type: "message_start",
  message: {
    id: "msg_01XFDUDYJgAACzvnptvVoYEL",
    type: "message",
    role: "assistant",
    model: "claude-opus-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usage as JsonObject,
    ...more,
  },
});
export const block = (index: number, content_block: JsonObject, ...deltas: JsonObject[]): JsonObject[] => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
export const text = (index: number, said: string) =>
  block(index, { type: "text", text: "" }, { type: "text_delta", text: said });
export const json = (partial_json: string): JsonObject => ({ type: "input_json_delta", partial_json });
export const end = (stop_reason: string | null, usage: unknown, more: JsonObject = {}): JsonObject[] => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null, ...more }, usage: usage as JsonObject },
  { type: "message_stop" },
];
export const USAGE = {
  input_tokens: 40,
  cache_creation_input_tokens: 100,
  cache_read_input_tokens: 900,
  cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
  output_tokens: 3,
  service_tier: "standard",
  inference_geo: "not_available",
};
export const COUNTED = { inputTokens: 1_040, cacheReadTokens: 900, cacheWriteTokens: 100 };
export const SEARCH = [
  ...block(
    0,
    { type: "server_tool_use", id: "srvtoolu_01", name: "web_search", input: {} },
    json(""),
    json('{"que'),
    json('ry":"tides"}'),
  ),
  { type: "ping" },
  ...block(1, {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_01",
    content: [{ type: "web_search_result", title: "Tides", url: "https://a.example", encrypted_content: "RW5j" }],
  }),
];

export interface Recording {
  readonly events: readonly JsonObject[];
  readonly text: string;
  readonly calls?: readonly unknown[];
  readonly finishReason: string;
  readonly usage?: object;
  /** Why the official SDK reads it otherwise. */
  readonly unlikeSdk?: string;
}

export const RECORDINGS: Readonly<Record<string, Recording>> = {
  "a web search with citations": {
    events: [
      start(USAGE),
      ...SEARCH,
      ...block(
        2,
        { type: "text", text: "", citations: [] },
        {
          type: "citations_delta",
          citation: { type: "web_search_result_location", url: "https://a.example", cited_text: "High" },
        },
        { type: "text_delta", text: "High at six." },
      ),
      ...end("end_turn", {
        ...USAGE,
        input_tokens: 2_040,
        output_tokens: 88,
        server_tool_use: { web_search_requests: 1 },
      }),
    ],
    text: "High at six.",
    finishReason: "stop",
    usage: { ...COUNTED, inputTokens: 3_040, outputTokens: 88 },
  },
  "a turn that pauses inside a search": {
    events: [
      start(USAGE),
      ...text(0, "Let me look."),
      ...block(1, { type: "server_tool_use", id: "srvtoolu_02", name: "web_search", input: {} }, json('{"query":"x"}')),
      ...end("pause_turn", { output_tokens: 20 }),
    ],
    text: "Let me look.",
    finishReason: "pause",
    usage: { ...COUNTED, outputTokens: 20 },
  },
  "parallel calls with eager input": {
    events: [
      start(USAGE),
      ...block(
        0,
        { type: "tool_use", id: "toolu_01", name: "look", input: {}, caller: { type: "direct" } },
        json(""),
        json('{"p'),
        json('ath":"ä"}'),
      ),
      ...block(1, { type: "tool_use", id: "toolu_02", name: "look", input: {} }, json("")),
      ...end("tool_use", { output_tokens: 31, output_tokens_details: { thinking_tokens: 0 } }),
    ],
    text: "",
    calls: [
      { id: "toolu_01", name: "look", arguments: { path: "ä" } },
      { id: "toolu_02", name: "look", arguments: {} },
    ],
    finishReason: "tool-calls",
    usage: { ...COUNTED, outputTokens: 31, reasoningTokens: 0 },
  },
  "a refusal in the middle of a call": {
    events: [
      start(USAGE),
      ...text(0, "I"),
      ...block(1, { type: "tool_use", id: "toolu_01", name: "look", input: {} }, json("")),
      ...end("refusal", { output_tokens: 2 }, { stop_details: { type: "refusal", category: "cyber" } }),
    ],
    text: "I",
    calls: [{ id: "toolu_01", name: "look", arguments: {}, malformed: "" }],
    finishReason: "content-filter",
    usage: { ...COUNTED, outputTokens: 2 },
    unlikeSdk: "a call that was cut off is not one without arguments",
  },
  "the server's own compaction": {
    events: [
      start(USAGE),
      ...block(
        0,
        { type: "compaction", content: null },
        { type: "compaction_delta", content: "So far: tides.", encrypted_content: "RW5j" },
      ),
      ...text(1, "Go on."),
      ...end("end_turn", {
        ...{ input_tokens: 18, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 },
        iterations: [
          { ...USAGE, type: "compaction", output_tokens: 70 },
          { type: "message", input_tokens: 18, output_tokens: 9 },
        ],
      }),
    ],
    text: "Go on.",
    finishReason: "stop",
    usage: { ...COUNTED, inputTokens: 1_058, outputTokens: 79 },
    unlikeSdk: "it leaves out what the compaction took",
  },
  "a cloud that counts in the last event, too": {
    events: [
      start({ input_tokens: 12, output_tokens: 1 }),
      ...text(0, "Yes."),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } },
      { type: "message_stop", "amazon-bedrock-invocationMetrics": { inputTokenCount: 12, outputTokenCount: 4 } },
    ],
    text: "Yes.",
    finishReason: "stop",
    usage: { inputTokens: 12, outputTokens: 4 },
  },
  "a server that counts the input at the end": {
    events: [
      start(null),
      ...text(0, "Yes."),
      ...end("end_turn", { input_tokens: 30, output_tokens: 5, cache_read_input_tokens: 20 }),
    ],
    text: "Yes.",
    finishReason: "stop",
    usage: { inputTokens: 50, outputTokens: 5, cacheReadTokens: 20 },
    unlikeSdk: "it needs usage at the start",
  },
  "a server whose end counts nothing": {
    events: [
      start({ input_tokens: 30, output_tokens: 7, cache_creation: { ephemeral_1h_input_tokens: 10 } }),
      ...text(0, "Yes."),
      ...end("end_turn", { input_tokens: 0, output_tokens: 0 }),
    ],
    text: "Yes.",
    finishReason: "stop",
    usage: { inputTokens: 40, outputTokens: 7, cacheWriteTokens: 10 },
    unlikeSdk: "it takes the zeros",
  },
  "a server that writes arguments as a string, at the start": {
    events: [
      start(USAGE),
      ...block(0, { type: "tool_use", id: "call_1", name: "look", input: '{"a":1}' }),
      ...block(1, { type: "tool_use", id: "call_2", name: "look", input: {} }, json("{}"), json('{"a":2}')),
      ...end("tool_calls", { output_tokens: 8 }),
    ],
    text: "",
    calls: [
      { id: "call_1", name: "look", arguments: { a: 1 } },
      { id: "call_2", name: "look", arguments: { a: 2 } },
    ],
    finishReason: "tool-calls",
    usage: { ...COUNTED, outputTokens: 8 },
    unlikeSdk: "it keeps the string",
  },
  "a server that puts all into the start": {
    events: [start(USAGE, { content: [{ type: "text", text: "Yes." }] }), { type: "message_stop" }],
    text: "Yes.",
    finishReason: "stop",
    usage: { ...COUNTED, outputTokens: 3 },
  },
  "a server that counts in the end without saying why it ended": {
    events: [start(USAGE), ...text(0, "Yes."), end(null, { output_tokens: 9 })[0]!],
    text: "Yes.",
    finishReason: "stop",
    usage: { ...COUNTED, outputTokens: 9 },
    unlikeSdk: "it waits for the end of the message",
  },
  "a server in the words of another API": {
    events: [start(USAGE), ...text(0, "Bad w"), ...end("sensitive", { output_tokens: 8 })],
    text: "Bad w",
    finishReason: "content-filter",
    usage: { ...COUNTED, outputTokens: 8 },
  },
};
