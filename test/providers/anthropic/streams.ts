import { onTestFinished } from "vitest";
import type { ProviderAdapter } from "../../../src/contracts/provider.js";
import { type AnthropicOptions, anthropic } from "../../../src/providers/anthropic/index.js";
import { createFaultServer, type FaultScript, type FaultServer } from "../../../src/testing/fault-server/index.js";

/** An adapter whose model is a fault server; closed after the test. */
export async function playAnthropic(
  script: FaultScript,
  options: Partial<AnthropicOptions> = {},
): Promise<{ provider: ProviderAdapter; server: FaultServer }> {
  const server = await createFaultServer(script);
  onTestFinished(() => server.close());
  const provider = anthropic({ model: "claude-opus-5", apiKey: "test-key", baseURL: server.url, ...options });
  return { server, provider };
}
