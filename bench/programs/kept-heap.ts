// Heap kept after 1,000 turns of 2 KB results, in bytes: `node --expose-gc kept-heap.js <contender>`.
import type { BaseTool } from "loopwright";
import { bareLoop, noop, repeatingModel } from "../floors.js";
import { engineFor, mustComplete } from "../ours.js";

const TURNS = 1_000;
export const RESULT_BYTES = 2_048;

let results = 0;
/** Flat strings of one byte a character, each different. */
const execute = async () => Buffer.alloc(RESULT_BYTES, `result ${results++} `).toString("latin1");
const tool: BaseTool = { ...noop, execute };

const CONTENDERS: { readonly [name: string]: (turns: number) => Promise<unknown> } = {
  floor: (turns) => bareLoop(turns, execute),
  ours: async (turns) => {
    const engine = engineFor(repeatingModel(turns), tool);
    return { engine, result: mustComplete(await engine.run("go")) };
  },
};

function heapBytes(): number {
  globalThis.gc!();
  globalThis.gc!();
  return process.memoryUsage().heapUsed;
}

const contender = CONTENDERS[process.argv[2]!]!;
await contender(50);
const before = heapBytes();
const kept = await contender(TURNS);
// What is finished in the background is not kept.
await new Promise((resolve) => setTimeout(resolve, 10));
const bytes = heapBytes() - before;
if (!kept) throw new Error("Nothing was kept.");
process.stdout.write(JSON.stringify({ ratio: bytes / (TURNS * RESULT_BYTES) }));
