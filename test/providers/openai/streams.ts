import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../../src/contracts/provider.js";
import type { ToolCall } from "../../../src/contracts/tool-call.js";
import { type OpenAIOptions, openai } from "../../../src/providers/openai/index.js";
import type { FaultScript, FaultServer } from "../../../src/testing/fault-server/index.js";
import { closingServer } from "../closing-server.js";

/** An adapter whose model is a fault server; closed after the test. */
export async function play(
  script: FaultScript,
  options: Partial<OpenAIOptions> = {},
): Promise<{ provider: ProviderAdapter; server: FaultServer }> {
  const server = await closingServer(script);
  return { server, provider: openai({ model: "fault-model", apiKey: "test-key", baseURL: server.url, ...options }) };
}

/** A request for a provider; the tools have these names. */
export function request(overrides: Partial<ProviderRequest> = {}, ...names: string[]): ProviderRequest {
  return {
    system: [{ id: "system", text: "Be brief." }],
    tools: names.map((name) => ({ name, description: `Does ${name}.`, inputSchema: { type: "object" } })),
    messages: [{ role: "user", content: [{ type: "text", text: "Hello?" }] }],
    signal: new AbortController().signal,
    sessionId: "session-1",
    ...overrides,
  };
}

export interface Outcome {
  readonly events: ProviderEvent[];
  /** What the stream threw, if anything. */
  readonly error: unknown;
}

/** Reads a stream to its end, whatever that is. */
export async function outcome(stream: AsyncIterable<ProviderEvent>): Promise<Outcome> {
  const events: ProviderEvent[] = [];
  try {
    for await (const event of stream) if (event.type !== "waiting") events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

/** The tool calls that ended. */
export function callsOf(events: readonly ProviderEvent[]): ToolCall[] {
  return events.flatMap((event) => (event.type === "tool-call-end" ? [event.call] : []));
}

/** All text since the last restart. */
export function textOf(events: readonly ProviderEvent[]): string {
  const valid = events.slice(events.findLastIndex((event) => event.type === "restart") + 1);
  return valid.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}
