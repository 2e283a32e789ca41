import { onTestFinished } from "vitest";
import type { ProviderAdapter } from "../../../src/contracts/provider.js";
import { type GoogleOptions, google } from "../../../src/providers/google/index.js";
import {
  createFaultServer,
  type FaultScript,
  type FaultServer,
  type GoogleAnswer,
  googleChunks,
  sse,
} from "../../../src/testing/fault-server/index.js";

/** An adapter whose model is a fault server; closed after the test. */
export async function playGoogle(
  script: FaultScript,
  options: Partial<GoogleOptions> = {},
): Promise<{ provider: ProviderAdapter; server: FaultServer }> {
  const server = await createFaultServer(script);
  onTestFinished(() => server.close());
  return { server, provider: google({ model: "gemini-3-pro", apiKey: "test-key", baseURL: server.url, ...options }) };
}

/** The body of a streamed answer, in the line ends that Google uses. */
export function googleSse(answer: GoogleAnswer): string {
  return sse(googleChunks(answer), { done: false, newline: "\r\n" });
}
