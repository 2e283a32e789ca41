// The requests of the contract's cases to the model behind an adapter.
import type { MediaPart } from "../../contracts/content.js";
import type { ProviderErrorCode } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { Usage } from "../../contracts/usage.js";
import { PIXEL } from "./sample-request.js";

/** The behaviour of the model behind an adapter, for every request of a case. */
export type ProviderScenario =
  /** Answers with text, then with calls; either may be empty. */
  | {
      readonly kind: "answer";
      readonly text: string;
      readonly toolCalls: readonly { readonly name: string; readonly arguments: JsonValue }[];
      /** Said before the rest. Only with the feature `reasoning`. */
      readonly reasoning?: string;
      /** Images that the model makes, between text and calls. Only with the feature `images`. */
      readonly images?: readonly MediaPart[];
      /** Counted by the API. Only with the feature `usage`. */
      readonly usage?: Usage;
      /** The finish reason, where the message is not simply complete. Only with the feature `finish-reasons`. */
      readonly finishReason?: "length" | "content-filter";
    }
  /** Refuses the request the way its API reports this code, before any content. */
  | { readonly kind: "refuse"; readonly code: ProviderErrorCode }
  /** Sends this text and then loses the connection, in the middle of the message. */
  | { readonly kind: "break"; readonly text: string }
  /** Sends this text and then nothing more, without ending, until the connection is closed. */
  | { readonly kind: "stall"; readonly text: string };

/** Features that not every API has. */
export type ProviderFeature = "reasoning" | "usage" | "finish-reasons" | "documents" | "images";

const AWKWARD_TEXT = `Grüße, 世界! 👩‍👩‍👧 e\u0301\n\n\`\`\`json\n{"a": "\\n"}\n\`\`\`\r\ndata: [DONE]\n\n${"long ".repeat(2_000)}`;

const CALLS: readonly { readonly name: string; readonly arguments: JsonValue }[] = [
  { name: "read_file", arguments: { path: "src/ä b.ts", limit: 10 } },
  {
    name: "todo_write",
    arguments: { todos: [{ content: 'quote " \\ / \u2028 😀', done: false, at: null }], deep: [[[{}]]] },
  },
  { name: "read_file", arguments: {} },
];

const IMAGE: MediaPart = { type: "image", mediaType: "image/png", data: PIXEL };
const LARGE_IMAGE: MediaPart = { type: "image", mediaType: "image/jpeg", data: "/9j/".repeat(20_000) };

export const STRUCTURED: ProviderScenario = { kind: "answer", text: '{"city":"Köln","rains":true}', toolCalls: [] };
export const HELLO: ProviderScenario = { kind: "answer", text: "Hello.", toolCalls: [] };
export const BOTH: ProviderScenario = { kind: "answer", text: "Let me look.", toolCalls: CALLS };
export const BREAK: ProviderScenario = { kind: "break", text: "The answer is" };
export const STALL: ProviderScenario = { kind: "stall", text: "Let me think" };

export const ANSWERS: Readonly<Record<string, ProviderScenario>> = {
  "text arrives whole": HELLO,
  "long text in many scripts arrives whole": { kind: "answer", text: AWKWARD_TEXT, toolCalls: [] },
  "a tool call arrives whole": { kind: "answer", text: "", toolCalls: CALLS.slice(0, 1) },
  "a tool call without arguments arrives whole": { kind: "answer", text: "", toolCalls: CALLS.slice(2) },
  "a tool call with large arguments arrives whole": {
    kind: "answer",
    text: "",
    toolCalls: [{ name: "read_file", arguments: { path: AWKWARD_TEXT } }],
  },
  "several tool calls arrive whole and in order": { kind: "answer", text: "", toolCalls: CALLS },
  "text followed by tool calls arrives whole": BOTH,
};

export const FEATURES: Readonly<Record<ProviderFeature, Readonly<Record<string, ProviderScenario>>>> = {
  reasoning: {
    "reasoning arrives whole, before the text": { ...HELLO, reasoning: "Let me see.\n\nÄh… 😀" },
    "reasoning before calls arrives whole": { ...BOTH, reasoning: "I should look." },
  },
  usage: {
    "usage arrives, with what was cached and what was thought": {
      ...HELLO,
      usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 64 },
    },
  },
  "finish-reasons": {
    "an answer that is cut off by the output limit says so": { ...HELLO, finishReason: "length" },
    "an answer that is filtered says so": { ...HELLO, finishReason: "content-filter" },
  },
  documents: {},
  images: {
    "an image that the model makes arrives whole": { ...HELLO, text: "", images: [IMAGE] },
    "several images between text and calls arrive whole, in order": { ...BOTH, images: [IMAGE, LARGE_IMAGE] },
  },
};
