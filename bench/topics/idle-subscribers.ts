// Ten thousand clients of one server that wait for events, over real sockets. Needs some 10,100 open files for each of two
// processes (`ulimit -n`).
import { programPath, readProgram } from "../child.js";
import { median } from "../measure.js";
import { isQuick, report } from "../row.js";

const PROCESSES = isQuick ? 1 : 3;
const CLIENTS = isQuick ? 1_000 : 10_000;

interface Cost {
  readonly heap: number;
  readonly resident: number;
  readonly reachedMs: number;
}

const costs = { floor: [] as Cost[], ours: [] as Cost[] };
for (let n = 0; n < PROCESSES; n++) {
  for (const name of ["floor", "ours"] as const) {
    costs[name].push(
      await readProgram<Cost>(programPath("idle-subscribers"), [name, String(CLIENTS)], ["--expose-gc"]),
    );
  }
}
const valuesOf = (key: keyof Cost, unit: number) => ({
  floor: median(costs.floor.map((cost) => cost[key])) / unit,
  ours: median(costs.ours.map((cost) => cost[key])) / unit,
});
const clients = CLIENTS.toLocaleString("en");
report([
  {
    what: `resident memory of an idle subscriber, ${clients} at once (floor: a bare response that is kept)`,
    unit: "KB",
    ...valuesOf("resident", 1024),
  },
  {
    what: `heap of an idle subscriber, ${clients} at once (floor: a bare response that is kept)`,
    unit: "KB",
    ...valuesOf("heap", 1024),
  },
  {
    what: `an event to all of ${clients} subscribers (floor: written by hand)`,
    unit: "ms",
    ...valuesOf("reachedMs", 1),
  },
]);
