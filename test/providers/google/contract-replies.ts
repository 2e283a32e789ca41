import type { ProviderErrorCode } from "../../../src/contracts/errors.js";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { Usage } from "../../../src/contracts/usage.js";
import type { FaultReply } from "../../../src/testing/fault-server/index.js";
import type { ProviderScenario } from "../../../src/testing/index.js";
import { googleSse } from "./streams.js";

export const FAILURES = ["AUTH", "BAD_REQUEST", "RATE_LIMITED", "OVERLOADED", "SERVER", "CONTEXT_TOO_LONG"] as const;
export const FEATURES = ["reasoning", "usage", "finish-reasons", "documents", "images"] as const;

const REFUSALS: Partial<Record<ProviderErrorCode, FaultReply>> = {
  AUTH: refusal(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
    { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" },
  ]),
  BAD_REQUEST: refusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
  RATE_LIMITED: refusal(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
  OVERLOADED: refusal(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
  SERVER: refusal(500, "INTERNAL", "An internal error has occurred."),
  CONTEXT_TOO_LONG: refusal(
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ),
};

const FINISH_REASONS = { length: "MAX_TOKENS", "content-filter": "SAFETY" } as const;

/** What the vendor's server answers in a case of the contract. */
export function replyTo(scenario: ProviderScenario): FaultReply {
  if (scenario.kind === "refuse") return REFUSALS[scenario.code] ?? { status: 500 };
  if (scenario.kind !== "answer") {
    const body = googleSse({ text: scenario.text, finishReason: null });
    return { body, end: scenario.kind === "break" ? "reset" : "stall" };
  }
  const { reasoning, text, images, toolCalls, usage, finishReason } = scenario;
  const body = googleSse({
    text,
    media: images,
    toolCalls,
    pieceSize: 900,
    ...(reasoning !== undefined && { thoughts: reasoning }),
    ...(usage && { usage: usageMetadata(usage) }),
    ...(finishReason && { finishReason: FINISH_REASONS[finishReason] }),
  });
  return { body };
}

function usageMetadata({ inputTokens, outputTokens, cacheReadTokens = 0 }: Usage): JsonObject {
  return {
    promptTokenCount: inputTokens,
    cachedContentTokenCount: cacheReadTokens,
    candidatesTokenCount: outputTokens,
    totalTokenCount: inputTokens + outputTokens,
  };
}

function refusal(code: number, status: string, message: string, details: object[] = []): FaultReply {
  const body = JSON.stringify({ error: { code, message, status, details } });
  return { status: code, headers: { "content-type": "application/json" }, body };
}
