import { AgentEngine } from "loopwright";

const tool = {
  name: "noop",
  permission: "read_only",
  definition: () => DEFINITION,
  execute: async () => "ok",
};
const DEFINITION = { name: "noop", description: "Does nothing.", inputSchema: { type: "object" } };
const usage = { inputTokens: 10, outputTokens: 5 };

function model(turns) {
  let turn = 0;
  return {
    id: "bench",
    model: "bench",
    async *stream() {
      turn++;
      yield { type: "message-start" };
      if (turn <= turns) {
        yield { type: "tool-call-end", index: 0, call: { id: `call_${turn}`, name: "noop", arguments: { turn } } };
        yield { type: "message-end", finishReason: "tool-calls", usage };
        return;
      }
      yield { type: "text-delta", text: "done" };
      yield { type: "message-end", finishReason: "stop", usage };
    },
  };
}

const engineFor = (turns) =>
  new AgentEngine({ provider: model(turns), tools: [tool], limits: { maxTurns: turns + 1 } });

export async function run(turns) {
  return (await engineFor(turns).run("go")).turns;
}

export async function stream(turns) {
  const agentRun = engineFor(turns).stream("go");
  for await (const _event of agentRun);
  return (await agentRun.result).turns;
}
