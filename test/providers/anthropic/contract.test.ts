import Anthropic from "@anthropic-ai/sdk";
import { test } from "vitest";
import type { ProviderErrorCode } from "../../../src/contracts/errors.js";
import { anthropic } from "../../../src/providers/anthropic/index.js";
import type { FaultReply } from "../../../src/testing/fault-server/index.js";
import { anthropicEvents, namedSse } from "../../../src/testing/fault-server/index.js";
import { type ProviderScenario, providerContract } from "../../../src/testing/index.js";
import { playAnthropic } from "./streams.js";

const FAILURES = ["AUTH", "BAD_REQUEST", "RATE_LIMITED", "OVERLOADED", "SERVER", "CONTEXT_TOO_LONG"] as const;

for (const c of providerContract(async (scenario) => (await playAnthropic(replyTo(scenario))).provider, {
  failures: FAILURES,
})) {
  test(c.name, c.run);
}

for (const c of providerContract(
  async (scenario) => (await playAnthropic({ ...replyTo(scenario), splitEvery: 41 })).provider,
  { failures: FAILURES },
)) {
  test(`in small packets, ${c.name}`, c.run);
}

const REFUSALS: Partial<Record<ProviderErrorCode, FaultReply>> = {
  AUTH: refusal(401, "authentication_error", "invalid x-api-key"),
  BAD_REQUEST: refusal(400, "invalid_request_error", "messages.0.content.0.type: Field required"),
  RATE_LIMITED: refusal(429, "rate_limit_error", "This request would exceed your organization's rate limit."),
  OVERLOADED: refusal(529, "overloaded_error", "Overloaded"),
  SERVER: refusal(500, "api_error", "Internal server error"),
  CONTEXT_TOO_LONG: refusal(400, "invalid_request_error", "prompt is too long: 210342 tokens > 200000 maximum"),
};

function replyTo(scenario: ProviderScenario): FaultReply {
  switch (scenario.kind) {
    case "answer":
      return {
        body: namedSse(anthropicEvents({ text: scenario.text, toolCalls: scenario.toolCalls, pieceSize: 900 })),
      };
    case "refuse":
      return REFUSALS[scenario.code] ?? { status: 500 };
    case "break":
      return { body: namedSse(anthropicEvents({ text: scenario.text, stopReason: null })), end: "reset" };
    case "stall":
      return { body: namedSse(anthropicEvents({ text: scenario.text, stopReason: null })), end: "stall" };
  }
}

function refusal(status: number, type: string, message: string): FaultReply {
  const body = JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" });
  return { status, headers: { "content-type": "application/json" }, body };
}

for (const c of providerContract(
  async (scenario) => {
    const { server } = await playAnthropic(replyTo(scenario));
    const client = new Anthropic({ apiKey: "k", baseURL: server.url.replace(/\/v1$/, ""), logLevel: "off" });
    return anthropic({ model: "claude-opus-5", client });
  },
  { failures: FAILURES },
)) {
  test(`through the official client, ${c.name}`, c.run);
}
