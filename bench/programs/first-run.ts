// Loading and a first answer without a network: `node first-run.js <ours | floor>`. Prints the milliseconds that the
// processor was busy from before anything is imported to the end of a run of one turn, of a model that answers at once. The floor
// imports an empty module and loops by hand.
import { bareLoop, repeatingModel } from "../floors.js";
import { now } from "../measure.js";

/** Not known to the bundler: the package is loaded as an app loads it. */
const load = (specifier: string) => import(specifier);

async function ours(): Promise<void> {
  const { AgentEngine } = (await load("loopwright")) as typeof import("loopwright");
  const { status } = await new AgentEngine({ provider: repeatingModel(0) }).run("go");
  if (status !== "completed") throw new Error(`The run ended as "${status}".`);
}

async function floor(): Promise<void> {
  await load(new URL("./empty.mjs", import.meta.url).href);
  await bareLoop(0);
}

// The first dynamic import loads the loader itself.
await load("data:text/javascript,");
const startedAt = now("cpu");
await (process.argv[2] === "floor" ? floor() : ours());
process.stdout.write(JSON.stringify({ ms: now("cpu") - startedAt }));
