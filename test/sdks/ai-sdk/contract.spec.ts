// Real providers of the AI SDK, of each version, against a loopback server.
import { test } from "vitest";
import type { ProviderErrorCode } from "../../../src/contracts/errors.js";
import { aiSdk } from "../../../src/providers/ai-sdk/index.js";
import { chatChunks, type FaultReply, httpProviderContract, sse } from "../../../src/testing/fault-server/index.js";
import type { ProviderScenario } from "../../../src/testing/index.js";
import { VERSIONS } from "../../providers/ai-sdk/streams.js";
import { runs } from "../../runs.js";
import { REAL_MODELS } from "./real-models.js";

const REFUSALS: Partial<Record<ProviderErrorCode, FaultReply>> = {
  AUTH: refusal(401, { message: "Incorrect API key provided.", code: "invalid_api_key" }),
  BAD_REQUEST: refusal(400, { message: "Unknown parameter.", type: "invalid_request_error" }),
  RATE_LIMITED: refusal(429, { message: "Rate limit reached.", code: "rate_limit_exceeded" }),
  SERVER: refusal(500, { message: "The server had an error." }),
  CONTEXT_TOO_LONG: refusal(400, { message: "Too long.", code: "context_length_exceeded" }),
};

function replyTo(scenario: ProviderScenario): FaultReply {
  if (scenario.kind === "refuse") return REFUSALS[scenario.code] ?? { status: 500 };
  if (scenario.kind !== "answer") {
    const body = sse(chatChunks({ text: scenario.text, finishReason: null }), { done: false });
    return { body, end: scenario.kind === "break" ? "reset" : "stall" };
  }
  const { reasoning, text, toolCalls, finishReason } = scenario;
  const { inputTokens, outputTokens, cacheReadTokens = 0 } = scenario.usage ?? { inputTokens: 9, outputTokens: 4 };
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  };
  const chunks = chatChunks({
    text,
    toolCalls,
    pieceSize: 900,
    usage,
    ...(reasoning !== undefined && { reasoning }),
    ...(finishReason && { finishReason: finishReason.replace("-", "_") }),
  });
  return { body: sse(chunks) };
}

function refusal(status: number, error: object): FaultReply {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify({ error }) };
}

for (const version of VERSIONS) {
  const cases = httpProviderContract({
    reply: replyTo,
    connect: (url) => aiSdk(REAL_MODELS[version](url)),
    features: ["reasoning", "usage", "finish-reasons"],
    stride: runs(601, 61, 1),
  });
  for (const c of cases) test(`with a real provider of ${version}: ${c.name}`, c.run);
}
