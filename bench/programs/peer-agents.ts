// 500 agents of one library at once, five calls each, alone in its process: `node peer-agents.js <library>`.
import { setTimeout as delay } from "node:timers/promises";
import { now } from "../measure.js";

const AGENTS = 500;
const CALLS = 5;

const { agents } = (await import(new URL(`../peers/${process.argv[2]}.mjs`, import.meta.url).href)) as {
  readonly agents: (turns: number, pause: () => Promise<void>) => () => Promise<number>;
};
const start = agents(CALLS, () => delay(5));
const before = now("cpu");
const counts = await Promise.all(Array.from({ length: AGENTS }, start));
const cpuUsPerTurn = ((now("cpu") - before) * 1000) / (AGENTS * (CALLS + 1));
const wrong = counts.find((count) => count !== CALLS + 1);
if (wrong !== undefined) throw new Error(`${process.argv[2]} took ${wrong} turns instead of ${CALLS + 1}.`);
process.stdout.write(JSON.stringify({ cpuUsPerTurn, peakMb: process.resourceUsage().maxRSS / 1024 }));
