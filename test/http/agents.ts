import { AgentEngine, defineTool, type EngineOptions, type ProviderAdapter, ProviderError } from "../../src/index.js";

export const deploy = defineTool({
  name: "deploy",
  description: "Deploys.",
  permission: "execute",
  execute: async () => "Deployed.",
});
export const look = defineTool({
  name: "look",
  description: "Looks.",
  permission: "read_only",
  execute: async () => "Seen.",
});

export function newEngine(options: Partial<EngineOptions> & Pick<EngineOptions, "provider">): AgentEngine {
  return new AgentEngine({ tools: [deploy, look], ...options });
}

/** A model that writes `words` deltas, each in a turn of the event loop of its own. */
export function talking(words: number, before: (word: number) => Promise<void> | void = () => {}): ProviderAdapter {
  return {
    id: "talking",
    model: "talking",
    async *stream() {
      yield { type: "message-start" };
      for (let word = 0; word < words; word++) {
        await before(word);
        await new Promise((resolve) => setImmediate(resolve));
        yield { type: "text-delta", text: `${word} ` };
      }
      yield { type: "message-end", finishReason: "stop", usage: { inputTokens: 1, outputTokens: words } };
    },
  };
}

/** A model whose first try breaks in the middle of its text. */
export function stumbling(): ProviderAdapter {
  let tries = 0;
  return {
    id: "stumbling",
    model: "stumbling",
    async *stream() {
      const isFirst = tries++ === 0;
      yield { type: "message-start" };
      yield { type: "text-delta", text: isFirst ? "Wrong" : "Right" };
      if (isFirst) throw new ProviderError("OVERLOADED", { message: "Busy.", retryable: true, retryAfterMs: 1 });
      yield { type: "message-end", finishReason: "stop" };
    },
  };
}

/** A model call that begins again while a call's arguments arrive, and then makes the call with the same id. */
export const cutOff = {
  events: [
    { type: "message-start" },
    { type: "tool-call-start", index: 0, id: "c", name: "look" },
    { type: "tool-call-delta", index: 0, json: '{"where":' },
    { type: "restart", attempt: 2, delayMs: 0, error: new ProviderError("OVERLOADED", { message: "Busy." }) },
    { type: "tool-call-start", index: 0, id: "c", name: "look" },
    { type: "tool-call-delta", index: 0, json: '{"where":"here"}' },
    { type: "tool-call-end", index: 0, call: { id: "c", name: "look", arguments: { where: "here" } } },
    { type: "message-end", finishReason: "tool-calls" },
  ],
} as const;

/** A promise and what settles it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
