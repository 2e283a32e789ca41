import type { ProviderErrorCode } from "../../../src/contracts/errors.js";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { Usage } from "../../../src/contracts/usage.js";
import { anthropicEvents, type FaultReply, namedSse } from "../../../src/testing/fault-server/index.js";
import type { ProviderScenario } from "../../../src/testing/index.js";

export const FAILURES = ["AUTH", "BAD_REQUEST", "RATE_LIMITED", "OVERLOADED", "SERVER", "CONTEXT_TOO_LONG"] as const;
export const FEATURES = ["reasoning", "usage", "finish-reasons", "documents"] as const;

const REFUSALS: Partial<Record<ProviderErrorCode, FaultReply>> = {
  AUTH: refusal(401, "authentication_error", "invalid x-api-key"),
  BAD_REQUEST: refusal(400, "invalid_request_error", "messages.0.content.0.type: Field required"),
  RATE_LIMITED: refusal(429, "rate_limit_error", "This request would exceed your organization's rate limit."),
  OVERLOADED: refusal(529, "overloaded_error", "Overloaded"),
  SERVER: refusal(500, "api_error", "Internal server error"),
  CONTEXT_TOO_LONG: refusal(400, "invalid_request_error", "prompt is too long: 210342 tokens > 200000 maximum"),
};
const STOP_REASONS = { length: "max_tokens", "content-filter": "refusal" } as const;

/** What the vendor's server answers in a case of the contract. */
export function replyTo(scenario: ProviderScenario): FaultReply {
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
