// 100 calls of 10 ms in one turn: all at once, results in call order.
import { setTimeout as delay } from "node:timers/promises";
import { AgentEngine, type BaseTool, type ProviderEvent } from "loopwright";
import { noop, streamingModel } from "../floors.js";
import { interleave } from "../measure.js";
import { mustComplete } from "../ours.js";
import { isQuick, report } from "../row.js";

const CALLS = 100;
const CALL_MS = 10;
const ids = Array.from({ length: CALLS }, (_, index) => `call_${index}`);

const slow: BaseTool = {
  ...noop,
  async execute(_input, { toolCallId }) {
    await delay(CALL_MS);
    return toolCallId;
  },
};

function* calls(): Generator<ProviderEvent> {
  for (const [index, id] of ids.entries()) {
    yield { type: "tool-call-end", index, call: { id, name: "noop", arguments: { index } } };
  }
}

async function ours(): Promise<void> {
  const engine = new AgentEngine({
    provider: streamingModel(calls),
    tools: [slow],
    limits: { maxConcurrentTools: 0 },
  });
  const messages = mustComplete(await engine.run("go")).messages();
  const outputs = messages.flatMap(({ role, content }) => (role === "tool" ? content.map(({ output }) => output) : []));
  if (outputs.join() !== ids.join()) throw new Error("The results are not in call order.");
}

const times = await interleave(
  { floor: () => Promise.all(ids.map(() => delay(CALL_MS))), ours },
  { rounds: isQuick ? 15 : 60, warmups: 10, clock: "wall" },
);
report([
  {
    what: `${CALLS} parallel calls of ${CALL_MS} ms in one turn`,
    unit: "ms",
    floor: times.floor,
    ours: times.ours,
    budgets: [{ max: 1.15, times: "floor" }],
  },
]);
