// Real providers of the AI SDK, of each version, against a loopback server.
import { describe, onTestFinished, test } from "vitest";
import type { ProviderErrorCode } from "../../../src/contracts/errors.js";
import { aiSdk } from "../../../src/providers/ai-sdk/index.js";
import { chatChunks, createFaultServer, type FaultReply, sse } from "../../../src/testing/fault-server/index.js";
import { type ProviderScenario, providerContract } from "../../../src/testing/index.js";
import { REAL_MODELS, VERSIONS } from "./streams.js";

const REFUSALS: Partial<Record<ProviderErrorCode, FaultReply>> = {
  AUTH: refusal(401, { message: "Incorrect API key provided.", code: "invalid_api_key" }),
  BAD_REQUEST: refusal(400, { message: "Unknown parameter.", type: "invalid_request_error" }),
  RATE_LIMITED: refusal(429, { message: "Rate limit reached.", code: "rate_limit_exceeded" }),
  SERVER: refusal(500, { message: "The server had an error." }),
  CONTEXT_TOO_LONG: refusal(400, { message: "Too long.", code: "context_length_exceeded" }),
};

function replyTo(scenario: ProviderScenario): FaultReply {
  const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
  switch (scenario.kind) {
    case "answer":
      return { body: sse(chatChunks({ text: scenario.text, toolCalls: scenario.toolCalls, pieceSize: 900, usage })) };
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

for (const version of VERSIONS) {
  describe(`with a real provider of ${version}`, () => {
    for (const splitEvery of [undefined, 41]) {
      const cases = providerContract(async (scenario) => {
        const server = await createFaultServer({ ...replyTo(scenario), ...(splitEvery && { splitEvery }) });
        onTestFinished(() => server.close());
        return aiSdk(REAL_MODELS[version](server.url));
      });
      for (const c of cases) test(splitEvery ? `in small packets, ${c.name}` : c.name, c.run);
    }
  });
}
