// The adapter over the vendor's own client in place of its own requests.
import { GoogleGenAI } from "@google/genai";
import { test } from "vitest";
import { google } from "../../../src/providers/google/index.js";
import { providerContract } from "../../../src/testing/index.js";
import { FAILURES, FEATURES, replyTo } from "../../providers/google/contract-replies.js";
import { playGoogle } from "../../providers/google/streams.js";

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
