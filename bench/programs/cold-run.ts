// One loop in a fresh process: `node cold-run.js <contender> <turns>`. Prints milliseconds on both clocks.
import { bareLoop, consume, contractLoop, contractStream, repeatingModel } from "../floors.js";
import { now } from "../measure.js";
import { engineFor, mustComplete } from "../ours.js";

const [contender, count] = process.argv.slice(2) as [string, string];
const turns = Number(count);

const CONTENDERS: { readonly [name: string]: () => Promise<unknown> } = {
  floor: () => bareLoop(turns),
  contract: () => contractLoop(repeatingModel(turns)),
  contractStream: () => consume(contractStream(repeatingModel(turns))),
  run: async () => mustComplete(await engineFor(repeatingModel(turns)).run("go")),
  stream: () => consume(engineFor(repeatingModel(turns)).stream("go")),
};

const before = { wall: now("wall"), cpu: now("cpu") };
await CONTENDERS[contender]!();
process.stdout.write(JSON.stringify({ wall: now("wall") - before.wall, cpu: now("cpu") - before.cpu }));
