import { test } from "vitest";
import type { ProviderErrorCode } from "../../../src/contracts/errors.js";
import { chatChunks, type FaultReply, sse } from "../../../src/testing/fault-server/index.js";
import { type ProviderScenario, providerContract } from "../../../src/testing/index.js";
import { play } from "./streams.js";

for (const c of providerContract(async (scenario) => (await play(replyTo(scenario))).provider)) test(c.name, c.run);

for (const c of providerContract(async (scenario) => (await play({ ...replyTo(scenario), splitEvery: 41 })).provider)) {
  test(`in small packets, ${c.name}`, c.run);
}

const REFUSALS: Partial<Record<ProviderErrorCode, FaultReply>> = {
  AUTH: refusal(401, { message: "Incorrect API key provided.", code: "invalid_api_key" }),
  BAD_REQUEST: refusal(400, { message: "Unknown parameter.", type: "invalid_request_error" }),
  RATE_LIMITED: refusal(429, { message: "Rate limit reached.", code: "rate_limit_exceeded" }),
  SERVER: refusal(500, { message: "The server had an error." }),
  CONTEXT_TOO_LONG: refusal(400, { message: "Too long.", code: "context_length_exceeded" }),
};

function replyTo(scenario: ProviderScenario): FaultReply {
  switch (scenario.kind) {
    case "answer":
      return { body: sse(chatChunks({ text: scenario.text, toolCalls: scenario.toolCalls, pieceSize: 900 })) };
    case "refuse":
      return REFUSALS[scenario.code] ?? { status: 500 };
    case "break":
      return { body: sse(chatChunks({ text: scenario.text, finishReason: null }), { done: false }), end: "reset" };
    case "stall":
      return { body: sse(chatChunks({ text: scenario.text, finishReason: null }), { done: false }), end: "stall" };
  }
}

function refusal(status: number, error: object): FaultReply {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify({ error }) };
}
