// What the engine is measured against: the same work by hand, with nothing of what an engine is for.
import type { ProviderAdapter, ProviderEvent } from "loopwright";

/** A tool that does nothing, as plain as a tool can be. */
export const noop = {
  name: "noop",
  permission: "read_only" as const,
  definition: () => NOOP,
  execute: async () => "ok",
};
const NOOP = Object.freeze({
  name: "noop",
  description: "Does nothing.",
  inputSchema: Object.freeze({ type: "object" }),
});

const USAGE = { inputTokens: 10, outputTokens: 5 };

/** A model that calls `noop` once in each of `turns` turns, then answers. */
export function repeatingModel(turns: number): ProviderAdapter {
  let turn = 0;
  return {
    id: "bench",
    model: "bench",
    async *stream(): AsyncGenerator<ProviderEvent> {
      turn++;
      yield { type: "message-start" };
      if (turn <= turns) {
        yield { type: "tool-call-end", index: 0, call: { id: `call_${turn}`, name: "noop", arguments: { turn } } };
        yield { type: "message-end", finishReason: "tool-calls", usage: USAGE };
        return;
      }
      yield { type: "text-delta", text: "done" };
      yield { type: "message-end", finishReason: "stop", usage: USAGE };
    },
  };
}

/** The loop by hand: an async function for the model, a map of tools, an array of messages. */
export async function bareLoop(turns: number): Promise<number> {
  const tools = new Map([["noop", noop.execute]]);
  const messages: unknown[] = [{ role: "user", content: "go" }];
  let turn = 0;
  const model = async () => {
    turn++;
    return turn <= turns
      ? { text: "", calls: [{ id: `call_${turn}`, name: "noop", arguments: { turn } }], usage: USAGE }
      : { text: "done", calls: [], usage: USAGE };
  };
  for (;;) {
    const message = await model();
    messages.push({ role: "assistant", ...message });
    if (message.calls.length === 0) return messages.length;
    const results = await Promise.all(
      message.calls.map(async (call) => ({ id: call.id, output: await tools.get(call.name)!() })),
    );
    messages.push({ role: "tool", results });
  }
}

/** The smallest loop over the provider contract: what any engine on it costs at least. */
export async function contractLoop(
  provider: ProviderAdapter,
  onEvent?: (event: ProviderEvent) => void,
): Promise<number> {
  const tools = new Map([["noop", noop.execute]]);
  const messages: unknown[] = [{ role: "user", content: [{ type: "text", text: "go" }] }];
  const { signal } = new AbortController();
  for (;;) {
    let text = "";
    let json = "";
    const calls: { id: string; name: string }[] = [];
    const request = { system: [], tools: [NOOP], messages: messages as never, signal, sessionId: "floor" };
    for await (const event of provider.stream(request)) {
      onEvent?.(event);
      if (event.type === "text-delta") text += event.text;
      else if (event.type === "tool-call-delta") json += event.json;
      else if (event.type === "tool-call-end") calls.push(event.call);
    }
    messages.push({ role: "assistant", text, json, calls });
    if (calls.length === 0) return messages.length;
    const results = await Promise.all(
      calls.map(async (call) => ({ id: call.id, output: await tools.get(call.name)?.() })),
    );
    messages.push({ role: "tool", results });
  }
}
