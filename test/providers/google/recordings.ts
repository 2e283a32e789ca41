// Streams as Google, Vertex and the gateways in front of them send them.
import type { JsonObject } from "../../../src/contracts/json.js";

export const chunk = (parts: JsonObject[], more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { parts, role: "model" }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 30, totalTokenCount: 30, trafficType: "ON_DEMAND" },
  modelVersion: "gemini-3-pro",
  responseId: "kX8Zaab",
});
export const last = (
  finishReason: string,
  parts: JsonObject[] = [{ text: "" }],
  usage: JsonObject = {},
): JsonObject => ({
  ...chunk(parts, { finishReason }),
  usageMetadata: {
    promptTokenCount: 30,
    candidatesTokenCount: 6,
    totalTokenCount: 36,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: 30 }],
    ...usage,
  },
});
export const args = (functionCall: JsonObject): JsonObject => chunk([{ functionCall }]);
export const COUNTED = { inputTokens: 30, outputTokens: 6 };

export interface Recording {
  readonly chunks: readonly JsonObject[];
  readonly text?: string;
  readonly calls?: readonly unknown[];
  readonly finishReason: string;
  readonly usage?: object;
  /** Signatures, by what they are on. */
  readonly signed?: readonly unknown[];
  /** Why the official SDK reads it otherwise. */
  readonly unlikeSdk?: string;
}

export const RECORDINGS: Readonly<Record<string, Recording>> = {
  "thoughts, then a signed call": {
    chunks: [
      chunk([{ text: "**Looking**\n", thought: true }]),
      chunk([{ functionCall: { name: "look", args: { place: "ä" }, id: "" }, thoughtSignature: "c2ln" }]),
      last("STOP", [{ text: "" }], { thoughtsTokenCount: 12, totalTokenCount: 48 }),
    ],
    calls: [{ id: "google-call-0", name: "look", arguments: { place: "ä" } }],
    finishReason: "tool-calls",
    usage: { inputTokens: 30, outputTokens: 18, reasoningTokens: 12 },
    signed: ["call"],
  },
  "a signature on an empty last text": {
    chunks: [chunk([{ text: "Yes" }]), chunk([{ text: "." }]), last("STOP", [{ text: "", thoughtSignature: "c2ln" }])],
    text: "Yes.",
    finishReason: "stop",
    signed: ["text"],
  },
  "arguments in pieces": {
    chunks: [
      args({ name: "look", willContinue: true }),
      args({ partialArgs: [{ jsonPath: "$.n", numberValue: 50 }], willContinue: true }),
      args({ partialArgs: [{ jsonPath: "$.tags[0]", stringValue: "wa", willContinue: true }], willContinue: true }),
      args({ partialArgs: [{ jsonPath: "$.tags[0]", stringValue: "rm" }], willContinue: true }),
      args({}),
      last("STOP"),
    ],
    calls: [{ id: "google-call-0", name: "look", arguments: { n: 50, tags: ["warm"] } }],
    finishReason: "tool-calls",
    unlikeSdk: "it leaves the pieces to its caller",
  },
  "arguments in pieces that the output limit has cut off": {
    chunks: [
      args({ name: "look", willContinue: true }),
      args({ partialArgs: [{ jsonPath: "$.path", stringValue: "/", willContinue: true }], willContinue: true }),
      last("MAX_TOKENS"),
    ],
    calls: [{ id: "google-call-0", name: "look", arguments: {}, malformed: '{"path":"/"' }],
    finishReason: "length",
    unlikeSdk: "it leaves the pieces to its caller",
  },
  "code that the server has run": {
    chunks: [
      chunk([{ executableCode: { language: "PYTHON", code: "print(6*7)" } }]),
      chunk([{ codeExecutionResult: { outcome: "OUTCOME_OK", output: "42\n" } }]),
      chunk([{ text: "42." }], { groundingMetadata: { webSearchQueries: [] } }),
      last("STOP", [{ text: "" }], { toolUsePromptTokenCount: 14, totalTokenCount: 50 }),
    ],
    text: "42.",
    finishReason: "stop",
    usage: { inputTokens: 44, outputTokens: 6 },
    signed: ["part", "part"],
  },
  "several candidates": {
    chunks: [
      {
        candidates: [
          { index: 1, content: { parts: [{ text: "No." }] }, finishReason: "STOP" },
          { index: 0, content: { parts: [{ text: "Yes." }] } },
        ],
      },
      last("STOP"),
    ],
    text: "Yes.",
    finishReason: "stop",
    unlikeSdk: "it takes whichever comes first",
  },
  "an image in the middle": {
    chunks: [
      chunk([{ text: "Here:" }, { inlineData: { mimeType: "image/png", data: "aGk=" } }]),
      last("STOP", [{ text: " done." }], { cachedContentTokenCount: 10 }),
    ],
    text: "Here: done.",
    finishReason: "stop",
    usage: { ...COUNTED, cacheReadTokens: 10 },
  },
  "a filter that closes the mouth": {
    chunks: [chunk([{ text: "Once" }]), { candidates: [{ finishReason: "RECITATION", index: 0 }] }],
    text: "Once",
    finishReason: "content-filter",
    usage: { inputTokens: 30, outputTokens: 0 },
  },
  "a gateway's words": {
    chunks: [args({ name: "look", args: '{"a":1}' }), last("stop")],
    calls: [{ id: "google-call-0", name: "look", arguments: { a: 1 } }],
    finishReason: "tool-calls",
    unlikeSdk: "it keeps the string",
  },
};
