// The adapter for the AI SDK beside the engine alone, which reads the same events: long turns with a call in every step, and short ones.
import { AgentEngine } from "loopwright";
import { type HarnessSession, loopwrightHarness } from "loopwright/ai-sdk";
import { noop, repeatingModel } from "../floors.js";
import { interleave } from "../measure.js";
import { isQuick, report } from "../row.js";

const STEPS = 200;
const SHORT_TURNS = 100;
const newEngine = (steps: number) =>
  new AgentEngine({ provider: repeatingModel(steps), tools: [noop], limits: { maxTurns: STEPS + 1 }, runaway: false });

async function alone(steps: number, turns: number): Promise<void> {
  const engine = newEngine(steps);
  for (let turn = 0; turn < turns; turn++) {
    const run = engine.stream("go", { sessionId: "s" });
    for await (const _ of run);
    if ((await run.result).status !== "completed") throw new Error("The run has not come to its end.");
  }
}

async function adapted(steps: number, turns: number): Promise<void> {
  const harness = loopwrightHarness({ engine: newEngine(steps) });
  const session: HarnessSession = await harness.doStart({ sessionId: "s", permissionMode: "allow-all" });
  for (let turn = 0; turn < turns; turn++) {
    let isFinished = false;
    const { done } = await session.doPromptTurn({
      prompt: "go",
      emit: ({ type }) => {
        isFinished ||= type === "finish";
      },
    });
    await done;
    if (!isFinished) throw new Error("The turn has not come to its end.");
  }
}

const times = await interleave(
  {
    steps: () => alone(STEPS, 1),
    adaptedSteps: () => adapted(STEPS, 1),
    turns: () => alone(0, SHORT_TURNS),
    adaptedTurns: () => adapted(0, SHORT_TURNS),
  },
  { rounds: isQuick ? 9 : 40, warmups: 10 },
);
report([
  {
    what: "a step with one call behind HarnessAgent's adapter, 200 steps (floor: the engine's events alone)",
    unit: "µs",
    floor: (times.steps * 1_000) / STEPS,
    ours: (times.adaptedSteps * 1_000) / STEPS,
    budgets: [],
  },
  {
    what: "a turn of one step behind that adapter, 100 turns of a session (floor: the engine's events alone)",
    unit: "µs",
    floor: (times.turns * 1_000) / SHORT_TURNS,
    ours: (times.adaptedTurns * 1_000) / SHORT_TURNS,
    budgets: [],
  },
]);
