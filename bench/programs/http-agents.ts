// 100 agents at once over HTTP, five model calls each: `node http-agents.js <library> <url>`, alone in its process.
// Prints the processor time of a model call in microseconds, of the first hundred agents and of later ones, and the
// wall time of a later hundred in milliseconds.
import { median, now } from "../measure.js";

const AGENTS = 100;
const MODEL_CALLS = 5;
const ROUNDS = 9;
const WARMUPS = 6;

const [library, url] = process.argv.slice(2) as [string, string];
const { httpAgents } = (await import(new URL(`../peers/${library}.mjs`, import.meta.url).href)) as {
  readonly httpAgents: (url: string) => () => Promise<number>;
};
const start = httpAgents(url);

async function round() {
  const [cpu, wall] = [now("cpu"), now("wall")];
  const counts = await Promise.all(Array.from({ length: AGENTS }, start));
  const wrong = counts.find((count) => count !== MODEL_CALLS);
  if (wrong !== undefined) throw new Error(`${library} made ${wrong} model calls instead of ${MODEL_CALLS}.`);
  return { cpuUs: ((now("cpu") - cpu) * 1000) / (AGENTS * MODEL_CALLS), wallMs: now("wall") - wall };
}

const cold = await round();
for (let i = 0; i < WARMUPS; i++) await round();
const warm = [];
for (let i = 0; i < ROUNDS; i++) warm.push(await round());
process.stdout.write(
  JSON.stringify({
    coldUs: cold.cpuUs,
    warmUs: median(warm.map(({ cpuUs }) => cpuUs)),
    wallMs: median(warm.map(({ wallMs }) => wallMs)),
  }),
);
