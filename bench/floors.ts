// What the engine is measured against: the same work by hand, with nothing of what an engine is for.
import type { ProviderAdapter, ProviderEvent, ToolCall, ToolDefinition } from "loopwright";

const USAGE = { inputTokens: 10, outputTokens: 5 };

const NOOP: ToolDefinition = Object.freeze({
  name: "noop",
  description: "Does nothing.",
  inputSchema: Object.freeze({ type: "object" }),
});

/** A tool that does nothing, as plain as a tool can be. */
export const noop = {
  name: "noop",
  permission: "read_only" as const,
  definition: () => NOOP,
  execute: async (): Promise<string> => "ok",
};

/** A model that streams `events` in the first turn, then answers. */
export function streamingModel(events: () => Iterable<ProviderEvent> | AsyncIterable<ProviderEvent>): ProviderAdapter {
  let turn = 0;
  return {
    id: "bench",
    model: "bench",
    async *stream(): AsyncGenerator<ProviderEvent> {
      turn++;
      yield { type: "message-start" };
      if (turn === 1) yield* events();
      else yield { type: "text-delta", text: "done" };
      yield { type: "message-end", finishReason: "stop", usage: USAGE };
    },
  };
}

/** A model that calls `noop` once in each of `turns` turns, then answers. `think` runs before each answer; `also` is in each call. */
export function repeatingModel(turns: number, think?: () => Promise<void>, also: object = {}): ProviderAdapter {
  let turn = 0;
  return {
    id: "bench",
    model: "bench",
    async *stream(): AsyncGenerator<ProviderEvent> {
      turn++;
      if (think) await think();
      yield { type: "message-start" };
      if (turn <= turns) {
        yield {
          type: "tool-call-end",
          index: 0,
          call: { id: `call_${turn}`, name: "noop", arguments: { turn, ...also } },
        };
        yield { type: "message-end", finishReason: "tool-calls", usage: USAGE };
        return;
      }
      yield { type: "text-delta", text: "done" };
      yield { type: "message-end", finishReason: "stop", usage: USAGE };
    },
  };
}

type Execute = () => Promise<string>;

/** The loop by hand: an async function for the model, a map of tools, an array of messages. */
export async function bareLoop(
  turns: number,
  execute: Execute = noop.execute,
  think?: () => Promise<void>,
): Promise<unknown[]> {
  const tools = new Map([["noop", execute]]);
  const messages: unknown[] = [{ role: "user", content: "go" }];
  let turn = 0;
  const model = async () => {
    turn++;
    if (think) await think();
    return turn <= turns
      ? { text: "", calls: [{ id: `call_${turn}`, name: "noop", arguments: { turn } }], usage: USAGE }
      : { text: "done", calls: [], usage: USAGE };
  };
  for (;;) {
    const message = await model();
    messages.push({ role: "assistant", ...message });
    if (message.calls.length === 0) return messages;
    messages.push({ role: "tool", results: await runCalls(message.calls, tools) });
  }
}

/** The smallest loop over the provider contract: what any engine on it costs at least. */
export async function contractLoop(provider: ProviderAdapter, execute: Execute = noop.execute): Promise<unknown[]> {
  const tools = new Map([["noop", execute]]);
  const messages: unknown[] = [{ role: "user", content: [{ type: "text", text: "go" }] }];
  for (;;) {
    const message = newMessage();
    for await (const event of provider.stream(requestOf(messages))) addTo(message, event);
    messages.push(message);
    if (message.calls.length === 0) return messages;
    messages.push({ role: "tool", results: await runCalls(message.calls, tools) });
  }
}

/** The same loop as an event stream: it yields what the provider yields. */
export async function* contractStream(
  provider: ProviderAdapter,
  execute: Execute = noop.execute,
): AsyncGenerator<ProviderEvent> {
  const tools = new Map([["noop", execute]]);
  const messages: unknown[] = [{ role: "user", content: [{ type: "text", text: "go" }] }];
  for (;;) {
    const message = newMessage();
    for await (const event of provider.stream(requestOf(messages))) {
      addTo(message, event);
      yield event;
    }
    messages.push(message);
    if (message.calls.length === 0) return;
    messages.push({ role: "tool", results: await runCalls(message.calls, tools) });
  }
}

/** Reads a stream to its end, as a consumer does that is interested in text. Answers the length of the text. */
export async function consume(events: AsyncIterable<{ readonly type: string }>): Promise<number> {
  let length = 0;
  for await (const event of events) {
    if (event.type === "text-delta") length += (event as unknown as { text: string }).text.length;
  }
  return length;
}

interface FloorMessage {
  readonly role: "assistant";
  text: string;
  json: string;
  readonly calls: ToolCall[];
}

function newMessage(): FloorMessage {
  return { role: "assistant", text: "", json: "", calls: [] };
}

function addTo(message: FloorMessage, event: ProviderEvent): void {
  if (event.type === "text-delta") message.text += event.text;
  else if (event.type === "tool-call-delta") message.json += event.json;
  else if (event.type === "tool-call-end") message.calls.push(event.call);
}

const { signal } = new AbortController();

function requestOf(messages: unknown[]): Parameters<ProviderAdapter["stream"]>[0] {
  return { system: [], tools: [NOOP], messages: messages as never, signal, sessionId: "floor" };
}

function runCalls(
  calls: readonly { readonly id: string; readonly name: string }[],
  tools: ReadonlyMap<string, Execute>,
): Promise<unknown[]> {
  return Promise.all(calls.map(async ({ id, name }) => ({ id, output: await tools.get(name)!() })));
}
