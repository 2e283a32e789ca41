import type { Message } from "../../../src/contracts/message.js";
import type { ProviderEvent, ProviderRequest } from "../../../src/contracts/provider.js";
import type { ScriptedProvider } from "../../../src/providers/scripted/index.js";

/** A request with one user message unless told otherwise. */
export function makeRequest(overrides: Partial<ProviderRequest> = {}): ProviderRequest {
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "Hello?" }] }];
  return { system: [], tools: [], messages, signal: new AbortController().signal, sessionId: "s", ...overrides };
}

/** Plays one request to its end. */
export async function ask(provider: ScriptedProvider, request = makeRequest()): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.stream(request)) events.push(event);
  return events;
}

/** Plays one request that fails: what it yielded and what it threw. */
export async function askUntilFailure(provider: ScriptedProvider, request = makeRequest()) {
  const events: ProviderEvent[] = [];
  try {
    for await (const event of provider.stream(request)) events.push(event);
  } catch (error) {
    return { types: events.map((event) => event.type), error };
  }
  throw new Error("The stream ended without a failure.");
}
