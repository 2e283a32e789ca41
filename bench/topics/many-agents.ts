import { programPath, readProgram } from "../child.js";
import { median } from "../measure.js";
import { isQuick, report } from "../row.js";

const PROCESSES = isQuick ? 3 : 11;
const CONTENDERS = ["floor", "contract", "ours"] as const;

interface Cost {
  readonly cpuUsPerTurn: number;
  readonly peakMb: number;
}

const costs = new Map<string, Cost[]>(CONTENDERS.map((name) => [name, []]));
for (let i = 0; i < PROCESSES; i++) {
  for (const name of CONTENDERS) costs.get(name)!.push(await readProgram<Cost>(programPath("many-agents"), [name]));
}
const medianOf = (name: string, key: keyof Cost) => median(costs.get(name)!.map((cost) => cost[key]));
const valuesOf = (key: keyof Cost) => ({
  floor: medianOf("floor", key),
  contractFloor: medianOf("contract", key),
  ours: medianOf("ours", key),
});
report([
  {
    what: "500 agents × 5 calls, CPU per turn",
    unit: "µs",
    ...valuesOf("cpuUsPerTurn"),
    budgets: [{ max: 1.76, times: "contractFloor" }],
  },
  {
    what: "500 agents × 5 calls, peak RSS",
    unit: "MB",
    ...valuesOf("peakMb"),
    budgets: [{ max: 1.6, times: "floor" }],
  },
]);
