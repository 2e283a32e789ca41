// Responses as OpenAI, Azure, xAI and local servers send them.
import type { JsonObject } from "../../../../src/contracts/json.js";

export const HEAD = { id: "resp_68af", object: "response", created_at: 1, model: "gpt-5.1", service_tier: "default" };
export const created = (status = "in_progress"): JsonObject[] => [
  { type: "response.created", response: { ...HEAD, status, output: [], usage: null, error: null } },
  { type: "response.in_progress", response: { ...HEAD, status: "in_progress", output: [], usage: null } },
];
export const added = (output_index: number, item: JsonObject): JsonObject => ({
  type: "response.output_item.added",
  output_index,
  item: { status: "in_progress", ...item },
});
export const done = (output_index: number, item: JsonObject): JsonObject => ({
  type: "response.output_item.done",
  output_index,
  item: { status: "completed", ...item },
});
export const USAGE = {
  input_tokens: 50,
  input_tokens_details: { cached_tokens: 20 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 59,
};
export const COUNTED = { inputTokens: 50, outputTokens: 9, cacheReadTokens: 20, reasoningTokens: 4 };
export const end = (output: JsonObject[], more: JsonObject = {}, type = "response.completed"): JsonObject => ({
  type,
  response: { ...HEAD, status: "completed", output, incomplete_details: null, error: null, usage: USAGE, ...more },
});
export const said = (text: string, id = "msg_1"): JsonObject => ({
  id,
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});
export const streamed = (output_index: number, text: string): JsonObject[] => {
  const place = { output_index, item_id: "msg_1", content_index: 0 };
  return [
    added(output_index, { id: "msg_1", type: "message", role: "assistant", content: [] }),
    { type: "response.content_part.added", ...place, part: { type: "output_text", text: "", annotations: [] } },
    { type: "response.output_text.delta", ...place, delta: text, logprobs: [], obfuscation: "x8Kq" },
    {
      type: "response.output_text.annotation.added",
      ...place,
      annotation_index: 0,
      annotation: { type: "url_citation" },
    },
    { type: "response.output_text.done", ...place, text },
    done(output_index, said(text)),
  ];
};
export const SEARCH = { id: "ws_1", type: "web_search_call", action: { type: "search", query: "tides" } };
export const REASONING = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "ZW5j" };
export const CALL = { id: "fc_1", type: "function_call", call_id: "call_1", name: "look", arguments: '{"a":1}' };
export const SEARCHED = [
  ...created("queued"),
  added(0, REASONING),
  done(0, REASONING),
  added(1, SEARCH),
  { type: "response.web_search_call.searching", output_index: 1, item_id: "ws_1" },
  { type: "response.web_search_call.completed", output_index: 1, item_id: "ws_1" },
  done(1, SEARCH),
  ...streamed(2, "High at six."),
  end([REASONING, { ...SEARCH, status: "completed" }, said("High at six.")]),
];

export interface Recording {
  readonly events: readonly JsonObject[];
  readonly text?: string;
  readonly calls?: readonly unknown[];
  readonly finishReason: string;
  readonly usage?: object;
  /** Why the official SDK reads it otherwise. */
  readonly unlikeSdk?: string;
}

export const RECORDINGS: Readonly<Record<string, Recording>> = {
  "a search between reasoning and text": { events: SEARCHED, text: "High at six.", finishReason: "stop" },
  "a call whose arguments come with its beginning alone": {
    events: [...created(), added(0, CALL), end([CALL])],
    calls: [{ id: "call_1", name: "look", arguments: { a: 1 } }],
    finishReason: "tool-calls",
    unlikeSdk: "it takes the end only",
  },
  "a call whose end comes with the response alone": {
    events: [...created(), added(0, { ...CALL, arguments: "" }), end([CALL])],
    calls: [{ id: "call_1", name: "look", arguments: { a: 1 } }],
    finishReason: "tool-calls",
  },
  "a call that nothing announced": {
    events: [
      ...created(),
      { type: "response.function_call_arguments.done", output_index: 0, item_id: "fc_1", arguments: '{"a":1}' },
      done(0, CALL),
      end([CALL]),
    ],
    calls: [{ id: "call_1", name: "look", arguments: { a: 1 } }],
    finishReason: "tool-calls",
    unlikeSdk: "it refuses the events",
  },
  "a response that is incomplete without a reason": {
    events: [
      ...created(),
      added(0, { ...CALL, arguments: "" }),
      end([], { status: "incomplete", usage: null }, "response.incomplete"),
    ],
    calls: [{ id: "call_1", name: "look", arguments: {}, malformed: "" }],
    finishReason: "other",
    usage: undefined as never,
    unlikeSdk: "it takes the end only",
  },
  "a filter that ends the response": {
    events: [
      ...created(),
      ...streamed(0, "Once"),
      end(
        [said("Once")],
        { status: "incomplete", incomplete_details: { reason: "content_filter" } },
        "response.incomplete",
      ),
    ],
    text: "Once",
    finishReason: "content-filter",
  },
  "details of usage that are null": {
    events: [
      ...created(),
      ...streamed(0, "Yes."),
      end([said("Yes.")], {
        usage: {
          input_tokens: 5,
          input_tokens_details: null,
          output_tokens: 2,
          output_tokens_details: null,
          total_tokens: 7,
        },
      }),
    ],
    text: "Yes.",
    finishReason: "stop",
    usage: { inputTokens: 5, outputTokens: 2 },
  },
  "a call of a kind that is not ours": {
    events: [
      ...created(),
      added(0, { id: "ctc_1", type: "custom_tool_call", call_id: "c", name: "x", input: "" }),
      { type: "response.custom_tool_call_input.delta", output_index: 0, item_id: "ctc_1", delta: "ls" },
      done(0, { id: "ctc_1", type: "custom_tool_call", call_id: "c", name: "x", input: "ls" }),
      ...streamed(1, "Yes."),
      end([said("Yes.")]),
    ],
    text: "Yes.",
    finishReason: "stop",
    unlikeSdk: "the end leaves the call out",
  },
};
