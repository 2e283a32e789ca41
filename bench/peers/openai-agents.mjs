import { Agent, Runner, setTracingDisabled, tool, Usage } from "@openai/agents";

setTracingDisabled(true);
const noop = tool({
  name: "noop",
  description: "Does nothing.",
  strict: false,
  parameters: { type: "object", properties: { turn: { type: "number" } }, required: [], additionalProperties: true },
  execute: async () => "ok",
});

function model(turns) {
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
    getResponse: async () => ({ ...answer(), usage: new Usage(usage) }),
    async *getStreamedResponse() {
      const { responseId, output } = answer();
      yield { type: "response_started" };
      yield { type: "response_done", response: { id: responseId, output, usage } };
    },
  };
}

const runner = new Runner({ tracingDisabled: true });
const agentFor = (turns) => new Agent({ name: "bench", instructions: "", tools: [noop], model: model(turns) });

export async function run(turns) {
  const result = await runner.run(agentFor(turns), "go", { maxTurns: turns + 1 });
  return result.rawResponses.length;
}

export async function stream(turns) {
  const result = await runner.run(agentFor(turns), "go", { maxTurns: turns + 1, stream: true });
  for await (const _event of result);
  await result.completed;
  return result.rawResponses.length;
}
