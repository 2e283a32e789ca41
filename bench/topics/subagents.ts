// An empty sub-agent, one model call long, beside an engine run of its own.
import { AgentEngine, type BaseTool, type ProviderEvent } from "loopwright";
import { noop, streamingModel } from "../floors.js";
import { interleave } from "../measure.js";
import { mustComplete } from "../ours.js";
import { isQuick, report } from "../row.js";

const AGENTS = 200;

/** The first turn; every other one is a string. */
function* oneCall(): Generator<ProviderEvent> {
  yield { type: "tool-call-end", index: 0, call: { id: "call_1", name: "noop", arguments: {} } };
}

const child = { name: "child", description: "Does nothing.", systemPrompt: "Do nothing." };
const spawning: BaseTool = {
  ...noop,
  permission: "none",
  timeoutMs: null,
  async execute(_input, { spawn }) {
    for (let n = 0; n < AGENTS; n++) {
      const { status } = await spawn!(child, "go");
      if (status !== "completed") throw new Error(`A sub-agent ended as ${status}.`);
    }
    return "ok";
  },
};

async function runsOfTheirOwn(): Promise<void> {
  const engine = new AgentEngine({
    provider: streamingModel(() => []),
    tools: [spawning],
    systemPrompt: "Do nothing.",
  });
  for (let n = 0; n < AGENTS; n++) mustComplete(await engine.run("go"));
}

async function subagents(): Promise<void> {
  const engine = new AgentEngine({ provider: streamingModel(oneCall), tools: [spawning] });
  mustComplete(await engine.run("go"));
}

const times = await interleave({ floor: runsOfTheirOwn, ours: subagents }, { rounds: isQuick ? 15 : 60, warmups: 20 });
report([
  {
    what: "an empty sub-agent (floor: an engine run of its own)",
    unit: "µs",
    floor: (times.floor / AGENTS) * 1_000,
    ours: (times.ours / AGENTS) * 1_000,
    budgets: [{ max: 1.5, times: "floor" }],
  },
]);
