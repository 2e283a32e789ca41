import { GoogleGenAI } from "@google/genai";
import { test } from "vitest";
import type { ProviderErrorCode } from "../../../src/contracts/errors.js";
import { google } from "../../../src/providers/google/index.js";
import type { FaultReply } from "../../../src/testing/fault-server/index.js";
import { type ProviderScenario, providerContract } from "../../../src/testing/index.js";
import { googleSse, playGoogle } from "./streams.js";

const FAILURES = ["AUTH", "BAD_REQUEST", "RATE_LIMITED", "OVERLOADED", "SERVER", "CONTEXT_TOO_LONG"] as const;

for (const c of providerContract(async (scenario) => (await playGoogle(replyTo(scenario))).provider, {
  failures: FAILURES,
})) {
  test(c.name, c.run);
}

for (const c of providerContract(
  async (scenario) => (await playGoogle({ ...replyTo(scenario), splitEvery: 41 })).provider,
  { failures: FAILURES },
)) {
  test(`in small packets, ${c.name}`, c.run);
}

for (const c of providerContract(
  async (scenario) => {
    const { server } = await playGoogle(replyTo(scenario));
    const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: server.url.replace(/\/v1$/, "") } });
    return google({ model: "gemini-3-pro", client });
  },
  { failures: FAILURES },
)) {
  test(`through the official client, ${c.name}`, c.run);
}

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

function replyTo(scenario: ProviderScenario): FaultReply {
  switch (scenario.kind) {
    case "answer":
      return { body: googleSse({ text: scenario.text, toolCalls: scenario.toolCalls, pieceSize: 900 }) };
    case "refuse":
      return REFUSALS[scenario.code] ?? { status: 500 };
    case "break":
      return { body: googleSse({ text: scenario.text, finishReason: null }), end: "reset" };
    case "stall":
      return { body: googleSse({ text: scenario.text, finishReason: null }), end: "stall" };
  }
}

function refusal(code: number, status: string, message: string, details: object[] = []): FaultReply {
  const body = JSON.stringify({ error: { code, message, status, details } });
  return { status: code, headers: { "content-type": "application/json" }, body };
}
