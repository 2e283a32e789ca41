import { OpenAI } from "openai";
import { test } from "vitest";
import type { ProviderErrorCode } from "../../../src/contracts/errors.js";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { Usage } from "../../../src/contracts/usage.js";
import { openai } from "../../../src/providers/openai/index.js";
import {
  type ChatAnswer,
  chatChunks,
  type FaultReply,
  httpProviderContract,
  responseEvents,
  sse,
} from "../../../src/testing/fault-server/index.js";
import { type ProviderScenario, providerContract } from "../../../src/testing/index.js";
import { runs } from "../../runs.js";
import { play } from "./streams.js";

const FEATURES = ["reasoning", "usage", "finish-reasons", "documents", "images"] as const;
const STRIDE = runs(301, 17, 1);

const REFUSALS: Partial<Record<ProviderErrorCode, FaultReply>> = {
  AUTH: refusal(401, { message: "Incorrect API key provided.", code: "invalid_api_key" }),
  BAD_REQUEST: refusal(400, { message: "Unknown parameter.", type: "invalid_request_error" }),
  RATE_LIMITED: refusal(429, { message: "Rate limit reached.", code: "rate_limit_exceeded" }),
  SERVER: refusal(500, { message: "The server had an error." }),
  CONTEXT_TOO_LONG: refusal(400, { message: "Too long.", code: "context_length_exceeded" }),
};

/** How each API says what it says. */
const APIS: Readonly<Record<"chat" | "responses", (answer: ChatAnswer, usage: Usage | undefined) => string>> = {
  chat: (answer, usage) =>
    sse(chatChunks({ ...answer, ...(usage && { usage: chatUsage(usage) }) }), { done: answer.finishReason !== null }),
  responses: (answer, usage) =>
    sse(responseEvents({ ...answer, ...(usage && { usage: responseUsage(usage) }) }), { named: true, done: false }),
};

/** One of them also over what other platforms have. */
const TRANSPORTS = {
  chat: { "over Node's client": {}, "over fetch": { fetch: (url: string, init: RequestInit) => fetch(url, init) } },
  responses: { "over Node's client": {}, "with the server's state": { state: "server" as const } },
};

for (const api of ["chat", "responses"] as const) {
  const replyTo = (scenario: ProviderScenario): FaultReply => {
    if (scenario.kind === "refuse") return REFUSALS[scenario.code] ?? { status: 500 };
    const body = (answer: ChatAnswer, usage?: Usage) => APIS[api](answer, usage);
    if (scenario.kind === "break") return { body: body({ text: scenario.text, finishReason: null }), end: "reset" };
    if (scenario.kind === "stall") return { body: body({ text: scenario.text, finishReason: null }), end: "stall" };
    const { reasoning, text, images, toolCalls, usage, finishReason } = scenario;
    const answer = {
      text,
      images,
      toolCalls,
      pieceSize: 900,
      ...(reasoning !== undefined && { reasoning }),
      ...(finishReason && { finishReason: finishReason.replace("-", "_") }),
    };
    return { body: body(answer, usage) };
  };

  for (const [transport, options] of Object.entries(TRANSPORTS[api])) {
    const cases = httpProviderContract({
      reply: replyTo,
      connect: (url) => openai({ model: "m", apiKey: "k", api, baseURL: url, ...options }),
      features: FEATURES,
      stride: STRIDE,
    });
    for (const c of cases) test(`${api}, ${transport}: ${c.name}`, c.run);
  }

  const withClient = providerContract(
    async (scenario) => {
      const { server } = await play(replyTo(scenario));
      const client = new OpenAI({ apiKey: "k", baseURL: server.url, logLevel: "off" });
      return openai({ model: "m", api, client });
    },
    { features: FEATURES },
  );
  for (const c of withClient) test(`${api}, through the official client: ${c.name}`, c.run);
}

function chatUsage({ inputTokens, outputTokens, cacheReadTokens = 0 }: Usage): JsonObject {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  };
}

function responseUsage({ inputTokens, outputTokens, cacheReadTokens = 0 }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens },
  };
}

function refusal(status: number, error: object): FaultReply {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify({ error }) };
}
