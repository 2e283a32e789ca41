// A thousand pages that are open on one process, where fifty runs stream: how late a delta is, and what a page costs.
import { programPath, readProgram } from "../child.js";
import { median } from "../measure.js";
import { isQuick, report } from "../row.js";

const PROCESSES = isQuick ? 1 : 5;
const [PAGES, RUNS, DELTAS] = [1_000, 50, isQuick ? 30 : 100];

interface Cost {
  readonly heap: number;
  readonly resident: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

const costs = { floor: [] as Cost[], ours: [] as Cost[] };
for (let n = 0; n < PROCESSES; n++) {
  for (const name of ["floor", "ours"] as const) {
    const args = [name, ...[PAGES, RUNS, DELTAS].map(String)];
    costs[name].push(await readProgram<Cost>(programPath("open-pages"), args, ["--expose-gc"]));
  }
}
const valuesOf = (key: keyof Cost, unit = 1) => ({
  floor: median(costs.floor.map((cost) => cost[key])) / unit,
  ours: median(costs.ours.map((cost) => cost[key])) / unit,
});
const where = `1,000 pages on ${RUNS} runs of 10 deltas a second`;
report([
  {
    what: `a delta from the model to a page: 99 of 100 within, ${where} (floor: bare server-sent events)`,
    unit: "ms",
    ...valuesOf("p99Ms"),
  },
  { what: "the same: half of them within", unit: "ms", ...valuesOf("medianMs") },
  {
    what: "resident memory of such a page (floor: a bare response that is kept)",
    unit: "KB",
    ...valuesOf("resident", 1024),
  },
  { what: "heap of such a page (floor: a bare response that is kept)", unit: "KB", ...valuesOf("heap", 1024) },
]);
