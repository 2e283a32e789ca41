// Both loops of pi's core: the one with an emit function, and the one that is an event stream.
import { agentLoop, runAgentLoop } from "@earendil-works/pi-agent-core";
import { AssistantMessageEventStream, Type } from "@earendil-works/pi-ai";

const tool = {
  name: "noop",
  label: "noop",
  description: "Does nothing.",
  parameters: Type.Object({ turn: Type.Number() }),
  execute: async () => ({ content: [{ type: "text", text: "ok" }], details: {} }),
};
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost };
const model = { id: "bench", name: "bench", api: "bench", provider: "bench", baseUrl: "", input: ["text"], cost };
const prompt = () => [{ role: "user", content: "go", timestamp: Date.now() }];
const config = { model, convertToLlm: (messages) => messages };

function streamFunction(turns) {
  let turn = 0;
  return () => {
    turn++;
    const isLast = turn > turns;
    const content = isLast
      ? [{ type: "text", text: "done" }]
      : [{ type: "toolCall", id: `call_${turn}`, name: "noop", arguments: { turn } }];
    const stopReason = isLast ? "stop" : "toolUse";
    const base = { role: "assistant", api: "bench", provider: "bench", model: "bench", usage, stopReason };
    const message = { ...base, content, timestamp: Date.now() };
    const events = new AssistantMessageEventStream();
    events.push({ type: "start", partial: { ...message, content: [] } });
    if (isLast) events.push({ type: "text_delta", contentIndex: 0, delta: "done", partial: message });
    else events.push({ type: "toolcall_end", contentIndex: 0, toolCall: content[0], partial: message });
    events.push({ type: "done", reason: stopReason, message });
    return events;
  };
}

const contextOf = () => ({ systemPrompt: "", messages: [], tools: [tool] });

export async function run(turns) {
  const messages = await runAgentLoop(prompt(), contextOf(), config, () => {}, undefined, streamFunction(turns));
  return countTurns(messages);
}

export async function stream(turns) {
  const events = agentLoop(prompt(), contextOf(), config, undefined, streamFunction(turns));
  for await (const _event of events);
  return countTurns(await events.result());
}

const countTurns = (messages) => messages.filter(({ role }) => role === "assistant").length;
