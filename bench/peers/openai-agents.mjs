import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool, Usage } from "@openai/agents";
import { OpenAI } from "openai";

setTracingDisabled(true);
const parameters = {
  type: "object",
  properties: { turn: { type: "number" } },
  required: [],
  additionalProperties: true,
};
const toolWith = (pause) =>
  tool({
    name: "noop",
    description: "Does nothing.",
    strict: false,
    parameters,
    execute: async () => {
      if (pause) await pause();
      return "ok";
    },
  });

function model(turns, pause) {
  let turn = 0;
  const answer = () => {
    turn++;
    const call = { type: "function_call", callId: `call_${turn}`, name: "noop", arguments: JSON.stringify({ turn }) };
    const text = { type: "message", role: "assistant", content: [{ type: "output_text", text: "done" }] };
    const item = turn <= turns ? call : text;
    return { responseId: `response_${turn}`, output: [{ id: `item_${turn}`, status: "completed", ...item }] };
  };
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  return {
    getResponse: async () => {
      if (pause) await pause();
      return { ...answer(), usage: new Usage(usage) };
    },
    async *getStreamedResponse() {
      const { responseId, output } = answer();
      yield { type: "response_started" };
      yield { type: "response_done", response: { id: responseId, output, usage } };
    },
  };
}

const runner = new Runner({ tracingDisabled: true });
const agentFor = (turns, noop, pause) =>
  new Agent({ name: "bench", instructions: "", tools: [noop], model: model(turns, pause) });

/** Starts one agent after another. `pause` is awaited in each answer of the model and in each call. */
export function agents(turns, pause) {
  const noop = toolWith(pause);
  return async () => {
    const result = await runner.run(agentFor(turns, noop, pause), "go", { maxTurns: turns + 1 });
    return result.rawResponses.length;
  };
}

/** A host keeps the history that a run returns. */
export function conversations(turns) {
  const noop = toolWith();
  const say = async (history) => {
    const agent = agentFor(turns, noop);
    const result = await runner.run(agent, [...history, { role: "user", content: "go" }], { maxTurns: turns + 1 });
    return result.history;
  };
  return {
    start: () => say([]),
    goOn: async (history) => (await say(history)).length - 1,
  };
}

export const run = (turns) => agents(turns)();

export async function stream(turns) {
  const result = await runner.run(agentFor(turns, toolWith()), "go", { maxTurns: turns + 1, stream: true });
  for await (const _event of result);
  await result.completed;
  return result.rawResponses.length;
}

/** Agents over HTTP. */
export function httpAgents(url) {
  const remote = new OpenAIChatCompletionsModel(new OpenAI({ apiKey: "k", baseURL: url }), "bench");
  const tools = [toolWith()];
  return async () => {
    const agent = new Agent({ name: "bench", instructions: "", tools, model: remote });
    const result = await runner.run(agent, "go", { maxTurns: 10, stream: true });
    let deltas = 0;
    for await (const { data } of result) if (data?.type === "output_text_delta") deltas++;
    await result.completed;
    const { length } = result.rawResponses;
    if (deltas !== 40 * length) throw new Error(`${deltas} deltas in ${length} responses`);
    return length;
  };
}
