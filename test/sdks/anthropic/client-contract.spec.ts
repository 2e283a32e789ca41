// The adapter over the vendor's own client in place of its own requests.
import Anthropic from "@anthropic-ai/sdk";
import { test } from "vitest";
import { anthropic } from "../../../src/providers/anthropic/index.js";
import { providerContract } from "../../../src/testing/index.js";
import { FAILURES, FEATURES, replyTo } from "../../providers/anthropic/contract-replies.js";
import { playAnthropic } from "../../providers/anthropic/streams.js";

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
