// 500 agents at once, five calls each, in a fresh process: `node many-agents.js <contender>`.
import { setTimeout as delay } from "node:timers/promises";
import type { BaseTool } from "loopwright";
import { bareLoop, contractLoop, noop, repeatingModel } from "../floors.js";
import { now } from "../measure.js";
import { engineFor, mustComplete } from "../ours.js";

const AGENTS = 500;
const CALLS = 5;

const think = () => delay(5);
const execute = async () => {
  await delay(5);
  return "ok";
};
const tool: BaseTool = { ...noop, execute };

/** Each starts one agent; a user has one engine for all of them. */
const STARTERS: { readonly [name: string]: () => () => Promise<unknown> } = {
  floor: () => () => bareLoop(CALLS, execute, think),
  contract: () => () => contractLoop(repeatingModel(CALLS, think), execute),
  ours: () => {
    const engine = engineFor(repeatingModel(CALLS), tool);
    return async () => mustComplete(await engine.run("go", { provider: repeatingModel(CALLS, think) }));
  },
};

const start = STARTERS[process.argv[2]!]!();
const before = now("cpu");
await Promise.all(Array.from({ length: AGENTS }, start));
const cpuUsPerTurn = ((now("cpu") - before) * 1000) / (AGENTS * (CALLS + 1));
process.stdout.write(JSON.stringify({ cpuUsPerTurn, peakMb: process.resourceUsage().maxRSS / 1024 }));
