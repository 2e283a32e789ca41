import { GoogleGenAI } from "@google/genai";
import { test } from "vitest";
import type { ProviderErrorCode } from "../../../src/contracts/errors.js";
import type { JsonObject } from "../../../src/contracts/json.js";
import type { Usage } from "../../../src/contracts/usage.js";
import { google } from "../../../src/providers/google/index.js";
import { type FaultReply, httpProviderContract } from "../../../src/testing/fault-server/index.js";
import { type ProviderScenario, providerContract } from "../../../src/testing/index.js";
import { runs } from "../../runs.js";
import { googleSse, playGoogle } from "./streams.js";

const FAILURES = ["AUTH", "BAD_REQUEST", "RATE_LIMITED", "OVERLOADED", "SERVER", "CONTEXT_TOO_LONG"] as const;
const FEATURES = ["reasoning", "usage", "finish-reasons", "documents", "images"] as const;
const STRIDE = runs(301, 31, 1);

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

function replyTo(scenario: ProviderScenario): FaultReply {
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

for (const c of httpProviderContract({
  reply: replyTo,
  connect: (url) => google({ model: "gemini-3-pro", apiKey: "k", baseURL: url }),
  failures: FAILURES,
  features: FEATURES,
  stride: STRIDE,
})) {
  test(c.name, c.run);
}

for (const c of providerContract(
  async (scenario) => {
    const { server } = await playGoogle(replyTo(scenario));
    const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: server.url.replace(/\/v1$/, "") } });
    return google({ model: "gemini-3-pro", client });
  },
  { failures: FAILURES, features: FEATURES },
)) {
  test(`through the official client, ${c.name}`, c.run);
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
