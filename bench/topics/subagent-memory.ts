// The heap of one sub-agent must not depend on how many there are.
import { programPath, readProgram } from "../child.js";
import { median } from "../measure.js";
import { isQuick, report } from "../row.js";

const PROCESSES = isQuick ? 1 : 5;
const FEW = 50;
const MANY = 500;

interface Heap {
  readonly atOnce: number;
  readonly kept: number;
}

async function heapOf(count: number): Promise<Heap> {
  const heaps: Heap[] = [];
  for (let n = 0; n < PROCESSES; n++) {
    heaps.push(await readProgram<Heap>(programPath("subagent-memory"), [String(count)], ["--expose-gc"]));
  }
  return { atOnce: median(heaps.map(({ atOnce }) => atOnce)), kept: median(heaps.map(({ kept }) => kept)) };
}

const [few, many] = [await heapOf(FEW), await heapOf(MANY)];
report([
  {
    what: `heap of a sub-agent at work, ${MANY} at once (floor: ${FEW} at once)`,
    unit: "KB",
    floor: few.atOnce / 1024,
    ours: many.atOnce / 1024,
    budgets: [{ max: 1.1, times: "floor" }],
  },
  {
    what: `heap that stays of a sub-agent and its session after the run, ${MANY} at once (floor: ${FEW} at once)`,
    unit: "KB",
    floor: few.kept / 1024,
    ours: many.kept / 1024,
    budgets: [{ max: 1.1, times: "floor" }],
  },
]);
