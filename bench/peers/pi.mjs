// What pi's manual begins with, the agent that keeps its own state; for streams its loop that is an event stream.
import { Agent, agentLoop } from "@earendil-works/pi-agent-core";
import { AssistantMessageEventStream, Type } from "@earendil-works/pi-ai";

export const toolWith = (pause) => ({
  name: "noop",
  label: "noop",
  description: "Does nothing.",
  parameters: Type.Object({ turn: Type.Number() }),
  execute: async () => {
    if (pause) await pause();
    return { content: [{ type: "text", text: "ok" }], details: {} };
  },
});
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost };
const model = { id: "bench", name: "bench", api: "bench", provider: "bench", baseUrl: "", input: ["text"], cost };
export const prompt = () => [{ role: "user", content: "go", timestamp: Date.now() }];
export const config = { model, convertToLlm: (messages) => messages };

export function streamFunction(turns, pause) {
  let turn = 0;
  const answer = () => {
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
  return pause ? () => pause().then(answer) : answer;
}

export const contextOf = (tool) => ({ systemPrompt: "", messages: [], tools: [tool] });

/** Starts one agent after another. `pause` is awaited in each answer of the model and in each call. */
export function agents(turns, pause) {
  const initialState = { systemPrompt: "", model, tools: [toolWith(pause)] };
  return async () => {
    const agent = new Agent({ initialState, streamFn: streamFunction(turns, pause) });
    await agent.prompt("go");
    return countTurns(agent.state.messages);
  };
}

/** A host keeps the agent, which keeps its messages. */
export function conversations(turns) {
  const initialState = { systemPrompt: "", model, tools: [toolWith()] };
  return {
    start: async () => {
      const agent = new Agent({ initialState, streamFn: streamFunction(turns) });
      await agent.prompt("go");
      return agent;
    },
    goOn: async (agent) => {
      agent.streamFn = streamFunction(turns);
      await agent.prompt("go");
      return agent.state.messages.length - 1;
    },
  };
}

export const run = (turns) => agents(turns)();

export async function stream(turns) {
  const events = agentLoop(prompt(), contextOf(toolWith()), config, undefined, streamFunction(turns));
  for await (const _event of events);
  return countTurns(await events.result());
}

export const countTurns = (messages) => messages.filter(({ role }) => role === "assistant").length;

/** Agents over HTTP. */
export function httpAgents(url) {
  const limits = { contextWindow: 100_000, maxTokens: 10_000, reasoning: false };
  const remote = { ...model, ...limits, api: "openai-completions", provider: "openai", baseUrl: url };
  const initialState = { systemPrompt: "", model: remote, tools: [toolWith()] };
  return async () => {
    const agent = new Agent({ initialState, getApiKey: () => "k" });
    let deltas = 0;
    agent.subscribe((event) => {
      if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") deltas++;
    });
    await agent.prompt("go");
    const turns = countTurns(agent.state.messages);
    if (deltas !== 40 * turns) throw new Error(`${deltas} deltas in ${turns} turns`);
    return turns;
  };
}
