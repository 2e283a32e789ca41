import Anthropic from "@anthropic-ai/sdk";
import { test } from "vitest";
import type { ProviderErrorCode } from "../../../src/contracts/errors.js";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { Usage } from "../../../src/contracts/usage.js";
import { anthropic } from "../../../src/providers/anthropic/index.js";
import {
  anthropicEvents,
  type FaultReply,
  httpProviderContract,
  namedSse,
} from "../../../src/testing/fault-server/index.js";
import { type ProviderScenario, providerContract } from "../../../src/testing/index.js";
import { runs } from "../../runs.js";
import { playAnthropic } from "./streams.js";

const FAILURES = ["AUTH", "BAD_REQUEST", "RATE_LIMITED", "OVERLOADED", "SERVER", "CONTEXT_TOO_LONG"] as const;
const FEATURES = ["reasoning", "usage", "finish-reasons", "documents"] as const;
const STRIDE = runs(301, 31, 1);

const REFUSALS: Partial<Record<ProviderErrorCode, FaultReply>> = {
  AUTH: refusal(401, "authentication_error", "invalid x-api-key"),
  BAD_REQUEST: refusal(400, "invalid_request_error", "messages.0.content.0.type: Field required"),
  RATE_LIMITED: refusal(429, "rate_limit_error", "This request would exceed your organization's rate limit."),
  OVERLOADED: refusal(529, "overloaded_error", "Overloaded"),
  SERVER: refusal(500, "api_error", "Internal server error"),
  CONTEXT_TOO_LONG: refusal(400, "invalid_request_error", "prompt is too long: 210342 tokens > 200000 maximum"),
};
const STOP_REASONS = { length: "max_tokens", "content-filter": "refusal" } as const;

function replyTo(scenario: ProviderScenario): FaultReply {
  if (scenario.kind === "refuse") return REFUSALS[scenario.code] ?? { status: 500 };
  if (scenario.kind !== "answer") {
    const body = namedSse(anthropicEvents({ text: scenario.text, stopReason: null }));
    return { body, end: scenario.kind === "break" ? "reset" : "stall" };
  }
  const { reasoning, text, toolCalls, usage, finishReason } = scenario;
  const events = anthropicEvents({
    text,
    toolCalls,
    pieceSize: 900,
    ...(reasoning !== undefined && { thinking: reasoning, signature: "c2lnbmVk" }),
    ...(usage && { usage: wireUsage(usage) }),
    ...(finishReason && { stopReason: STOP_REASONS[finishReason] }),
  });
  return { body: namedSse(events) };
}

for (const c of httpProviderContract({
  reply: replyTo,
  connect: (url) => anthropic({ model: "claude-opus-5", apiKey: "k", baseURL: url }),
  failures: FAILURES,
  features: FEATURES,
  stride: STRIDE,
})) {
  test(c.name, c.run);
}

for (const c of providerContract(
  async (scenario) => {
    const { server } = await playAnthropic(replyTo(scenario));
    const client = new Anthropic({ apiKey: "k", baseURL: server.url.replace(/\/v1$/, ""), logLevel: "off" });
    return anthropic({ model: "claude-opus-5", client });
  },
  { failures: FAILURES, features: FEATURES },
)) {
  test(`through the official client, ${c.name}`, c.run);
}

/** What was read from the cache is not among Anthropic's input tokens. */
function wireUsage({ inputTokens, outputTokens, cacheReadTokens = 0 }: Usage): JsonObject {
  return {
    input_tokens: inputTokens - cacheReadTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  };
}

function refusal(status: number, type: string, message: string): FaultReply {
  const body = JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" });
  return { status, headers: { "content-type": "application/json" }, body };
}
