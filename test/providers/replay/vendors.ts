// Every adapter as one that writes a history and one that is given it.
import type { ProviderAdapter } from "../../../src/contracts/provider.js";
import { type AiSdkLanguageModel, aiSdk } from "../../../src/providers/ai-sdk/index.js";
import { anthropic } from "../../../src/providers/anthropic/index.js";
import { google } from "../../../src/providers/google/index.js";
import { openai } from "../../../src/providers/openai/index.js";
import { scripted } from "../../../src/providers/scripted/index.js";
import {
  anthropicEvents,
  chatChunks,
  createFaultServer,
  type FaultReply,
  googleChunks,
  namedSse,
  responseEvents,
  sse,
} from "../../../src/testing/fault-server/index.js";
import { anthropicRefusal } from "../rules/anthropic-rules.js";
import { chatRefusal, promptRefusal, responsesRefusal } from "../rules/chat-rules.js";
import { googleRefusal } from "../rules/google-rules.js";

/** What the model says first, in every vendor's words. */
export const REASONING = "I should look at both.";
export const TEXT = "Let me look.";
export const CALLS = [
  { id: "functions.look:0", name: "look", arguments: { path: "ä 😀" } },
  { id: "call|with:odd/signs", name: "fail", arguments: {} },
] as const;
/** What the model draws before it calls. */
export const DRAWN = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkaPhfDwAEAQIAlLx1rAAAAABJRU5ErkJggg==";
const IMAGE = { mediaType: "image/png", data: DRAWN };
/** What each vendor signs its reasoning with. */
const SIGNATURE = "c2lnbmF0dXJlLW9m";

/** One adapter, its server, and what was sent to it. */
export interface Peer {
  readonly provider: ProviderAdapter;
  /** The bodies of the requests so far, as JSON text. */
  readonly sent: () => string[];
  close(): Promise<void>;
}

/** A kind of adapter. */
export interface Vendor {
  readonly name: string;
  /** What is opaque in its reasoning; `null` when it has nothing of the kind. */
  readonly signature: string | null;
  /** Whether its models draw. */
  readonly draws: boolean;
  /** The first rule of its API that a request breaks. */
  readonly refusal: (body: unknown) => string | null;
  /** An adapter whose model looks first and then says "Done.", or says so at once. */
  connect(looksFirst: boolean, model?: string): Promise<Peer>;
}

async function overHttp(script: readonly FaultReply[], connect: (url: string) => ProviderAdapter): Promise<Peer> {
  const server = await createFaultServer(script);
  const sent = () => server.requests.map(({ text }) => text);
  return { provider: connect(server.url), sent, close: () => server.close() };
}

const from = (looksFirst: boolean, replies: readonly [string, string]): FaultReply[] =>
  replies.slice(looksFirst ? 0 : 1).map((body) => ({ body }));

export const VENDORS: readonly Vendor[] = [
  {
    name: "openai chat",
    draws: true,
    signature: SIGNATURE,
    refusal: chatRefusal,
    connect: (looksFirst, model = "gpt-5.1") => {
      const first = chatChunks({ text: TEXT, images: [IMAGE], toolCalls: CALLS });
      const details = [{ type: "reasoning.encrypted", data: SIGNATURE, index: 0 }];
      const delta = { reasoning: REASONING, reasoning_details: details };
      first.splice(1, 0, { choices: [{ index: 0, delta, finish_reason: null }] });
      return overHttp(from(looksFirst, [sse(first), sse(chatChunks({ text: "Done." }))]), (baseURL) =>
        openai({ model, apiKey: "k", baseURL }),
      );
    },
  },
  {
    name: "openai responses",
    draws: true,
    signature: "ZW5jcnlwdGVk",
    refusal: responsesRefusal,
    connect: (looksFirst, model = "gpt-5.1") => {
      const first = responseEvents({ reasoning: REASONING, text: TEXT, images: [IMAGE], toolCalls: CALLS });
      const bodies = [namedSse(first), namedSse(responseEvents({ text: "Done." }))] as const;
      return overHttp(from(looksFirst, bodies), (baseURL) =>
        openai({ id: "openai-responses", model, api: "responses", apiKey: "k", baseURL }),
      );
    },
  },
  {
    name: "anthropic",
    draws: false,
    signature: SIGNATURE,
    refusal: anthropicRefusal,
    connect: (looksFirst, model = "claude-opus-5") => {
      const first = anthropicEvents({ thinking: REASONING, signature: SIGNATURE, text: TEXT, toolCalls: CALLS });
      const bodies = [namedSse(first), namedSse(anthropicEvents({ text: "Done." }))] as const;
      return overHttp(from(looksFirst, bodies), (baseURL) => anthropic({ model, apiKey: "k", baseURL }));
    },
  },
  {
    name: "google",
    draws: true,
    signature: SIGNATURE,
    refusal: (body) => googleRefusal(body, true),
    connect: (looksFirst, model = "gemini-3-pro") => {
      const first = googleChunks({
        thoughts: REASONING,
        signature: SIGNATURE,
        text: TEXT,
        media: [IMAGE],
        toolCalls: CALLS,
      });
      const write = (chunks: typeof first) => sse(chunks, { done: false });
      const bodies = [write(first), write(googleChunks({ text: "Done." }))] as const;
      return overHttp(from(looksFirst, bodies), (baseURL) => google({ model, apiKey: "k", baseURL }));
    },
  },
  {
    name: "ai-sdk",
    draws: true,
    signature: SIGNATURE,
    refusal: promptRefusal,
    connect: async (looksFirst, model = "model-1") => {
      const sent: string[] = [];
      const provider = aiSdk(handMadeModel(model, looksFirst, sent) as unknown as AiSdkLanguageModel);
      return { provider, sent: () => sent, close: async () => {} };
    },
  },
  {
    name: "scripted",
    draws: true,
    signature: null,
    refusal: () => null,
    connect: async (looksFirst, model = "scripted-model") => {
      const reasoning = { type: "reasoning", text: REASONING } as const;
      const look = [reasoning, TEXT, { type: "image", ...IMAGE } as const, ...CALLS];
      const provider = scripted([...(looksFirst ? [look] : []), "Done."], { model });
      const sent = () => provider.requests.map(({ messages }) => JSON.stringify({ messages }));
      return { provider, sent, close: async () => {} };
    },
  },
];

function handMadeModel(modelId: string, looksFirst: boolean, sent: string[]): object {
  const usage = { inputTokens: { total: 9 }, outputTokens: { total: 4 } };
  const metadata = { vendor: { signature: SIGNATURE } };
  return {
    specificationVersion: "v4",
    provider: "vendor.chat",
    modelId,
    async doStream({ prompt }: { prompt: unknown }) {
      const isFirst = looksFirst && sent.length === 0;
      sent.push(JSON.stringify({ prompt }));
      const parts = isFirst
        ? [
            { type: "reasoning-delta", id: "0", delta: REASONING },
            { type: "reasoning-end", id: "0", providerMetadata: metadata },
            { type: "text-delta", id: "1", delta: TEXT },
            { type: "file", mediaType: IMAGE.mediaType, data: { type: "data", data: DRAWN } },
            ...CALLS.map(({ id, name, arguments: input }) => ({
              type: "tool-call",
              toolCallId: id,
              toolName: name,
              input: JSON.stringify(input),
            })),
          ]
        : [{ type: "text-delta", id: "1", delta: "Done." }];
      const unified = isFirst ? "tool-calls" : "stop";
      const all = [...parts, { type: "finish", finishReason: { unified, raw: unified }, usage }];
      const stream = new ReadableStream({
        start(controller) {
          for (const part of all) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
  };
}
