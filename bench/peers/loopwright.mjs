import { AgentEngine } from "loopwright";
import { openai } from "loopwright/providers/openai";

const toolWith = (pause) => ({
  name: "noop",
  permission: "read_only",
  definition: () => DEFINITION,
  execute: async () => {
    if (pause) await pause();
    return "ok";
  },
});
const DEFINITION = { name: "noop", description: "Does nothing.", inputSchema: { type: "object" } };
const usage = { inputTokens: 10, outputTokens: 5 };

function model(turns, pause) {
  let turn = 0;
  return {
    id: "bench",
    model: "bench",
    async *stream() {
      turn++;
      if (pause) await pause();
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

const engineFor = (turns, pause) =>
  new AgentEngine({ provider: model(turns), tools: [toolWith(pause)], limits: { maxTurns: turns + 1 } });

/** Starts one agent after another. `pause` is awaited in each answer of the model and in each call. */
export function agents(turns, pause) {
  const engine = engineFor(turns, pause);
  return async () => (await engine.run("go", { provider: model(turns, pause) })).turns;
}

/** A host keeps the id of the session, the engine its entries. */
export function conversations(turns) {
  const engine = engineFor(turns);
  const say = async (sessionId) => {
    let sent = 0;
    const answering = model(turns);
    const provider = {
      ...answering,
      stream: (request, options) => {
        sent = request.messages.length;
        return answering.stream(request, options);
      },
    };
    await engine.run("go", { sessionId, provider });
    return sent;
  };
  return {
    start: async (index) => {
      const sessionId = `conversation-${index}`;
      await say(sessionId);
      return sessionId;
    },
    goOn: say,
  };
}

export async function run(turns) {
  return (await engineFor(turns).run("go")).turns;
}

export async function stream(turns) {
  const agentRun = engineFor(turns).stream("go");
  for await (const _event of agentRun);
  return (await agentRun.result).turns;
}

/** Agents over HTTP: one engine for all of them. */
export function httpAgents(url) {
  const provider = openai({ model: "bench", apiKey: "k", baseURL: url });
  const engine = new AgentEngine({ provider, tools: [toolWith()] });
  return async () => {
    let deltas = 0;
    const run = engine.stream("go");
    for await (const event of run) if (event.type === "text-delta") deltas++;
    const { status, turns } = await run.result;
    if (status !== "completed" || deltas !== 40 * turns) throw new Error(`${status} after ${deltas} deltas`);
    return turns;
  };
}
