import type { Message } from "../../contracts/message.js";
import type { ProviderRequest } from "../../contracts/provider.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { deepFrozen } from "../../json/deep-frozen.js";

const TOOLS: readonly ToolDefinition[] = deepFrozen(
  ["read_file", "todo_write"].map((name) => ({
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: "object", properties: {}, additionalProperties: true },
  })),
);

/** A PNG of one pixel, in base64. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Every kind of message and part, some of them written by another provider. */
export const HISTORY = deepFrozen<readonly Message[]>([
  {
    role: "user",
    content: [
      { type: "text", text: "What is in this picture, and in src?" },
      { type: "image", mediaType: "image/png", data: PIXEL },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "I should look.", provider: "another", providerData: { signature: "c2ln" } },
      { type: "text", text: "Let me look." },
      { type: "tool-call", id: "call_1", name: "read_file", arguments: { path: "src" } },
      {
        type: "tool-call",
        id: "another|id with:odd/signs",
        name: "read_file",
        arguments: {},
        malformed: '{"path": "sr',
      },
    ],
    finishReason: "tool-calls",
    usage: { inputTokens: 10, outputTokens: 5 },
    provider: "another",
    model: "another-model",
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "call_1",
        name: "read_file",
        output: [{ type: "text", text: "a.ts 😀" }],
        isError: false,
      },
      {
        type: "tool-result",
        toolCallId: "another|id with:odd/signs",
        name: "read_file",
        output: "not JSON",
        isError: true,
      },
    ],
  },
  { role: "user", content: [{ type: "text", text: "Mind the plan." }], origin: "reminder" },
  {
    role: "assistant",
    content: [{ type: "text", text: "A pixel." }],
    finishReason: "length",
    provider: "another",
    model: "another-model",
  },
  { role: "user", content: [{ type: "text", text: "Go on." }] },
]);

const PDF = "JVBERi0xLjQKMSAwIG9iago8PD4+CmVuZG9iagp0cmFpbGVyCjw8Pj4K";

/** A document beside a question. */
export const DOCUMENTS = deepFrozen<readonly Message[]>([
  {
    role: "user",
    content: [
      { type: "text", text: "Sum it up." },
      { type: "file", mediaType: "application/pdf", data: PDF, name: "bericht ä.pdf" },
    ],
  },
]);

/** Images and text files from the user, and an image from a tool. */
export const MEDIA_HISTORY = deepFrozen<readonly Message[]>([
  {
    role: "user",
    content: [
      { type: "text", text: "Compare these." },
      { type: "image", mediaType: "image/png", data: PIXEL },
      { type: "file", mediaType: "text/plain", data: "aGVsbG8=", name: "notes.txt" },
    ],
  },
  {
    role: "assistant",
    content: [{ type: "tool-call", id: "call_1", name: "read_file", arguments: { path: "a.png" } }],
    finishReason: "tool-calls",
    provider: "another",
    model: "another-model",
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "call_1",
        name: "read_file",
        output: [
          { type: "text", text: "a.png:" },
          { type: "image", mediaType: "image/png", data: PIXEL },
        ],
        isError: false,
      },
    ],
  },
]);

/** Images and a file that the model has made: before a call, and by themselves. */
export const MADE_MEDIA = deepFrozen<readonly Message[]>([
  { role: "user", content: [{ type: "text", text: "Draw a pixel, and read src." }] },
  {
    role: "assistant",
    content: [
      { type: "text", text: "Here:" },
      { type: "image", mediaType: "image/png", data: PIXEL },
      { type: "file", mediaType: "text/plain", data: "aGVsbG8=", name: "notes.txt" },
      { type: "text", text: "Now src." },
      { type: "tool-call", id: "call_1", name: "read_file", arguments: { path: "src" } },
    ],
    finishReason: "tool-calls",
    provider: "another",
    model: "another-model",
  },
  {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "call_1", name: "read_file", output: "a.ts", isError: false }],
  },
  {
    role: "assistant",
    content: [{ type: "image", mediaType: "image/png", data: PIXEL, providerData: { of: "another" } }],
    finishReason: "stop",
    provider: "another",
    model: "another-model",
  },
  { role: "user", content: [{ type: "text", text: "Make it blue." }] },
]);

/** A frozen request with tools and a short question. */
export function makeRequest(overrides: Partial<ProviderRequest> = {}): ProviderRequest {
  return {
    system: Object.freeze([{ id: "system", text: "You are brief." }]),
    tools: TOOLS,
    messages: Object.freeze([{ role: "user", content: [{ type: "text", text: "Hello?" }] }] satisfies Message[]),
    signal: new AbortController().signal,
    sessionId: "contract",
    ...overrides,
  };
}
