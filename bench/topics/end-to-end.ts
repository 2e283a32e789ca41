// The whole way: 100 agents against a real server on loopback, every delta of text read as an event.
import { programPath, readProgram } from "../child.js";
import { median } from "../measure.js";
import { startModelServer } from "../model-server.js";
import { isQuick, report } from "../row.js";

const PROCESSES = isQuick ? 1 : 5;

interface Cost {
  readonly coldUs: number;
  readonly warmUs: number;
  readonly wallMs: number;
}

const server = await startModelServer(programPath("model-server"));
const costs = { fetch: [] as Cost[], "node-http": [] as Cost[], loopwright: [] as Cost[] };
try {
  for (let i = 0; i < PROCESSES; i++) {
    for (const name of ["fetch", "node-http", "loopwright"] as const) {
      costs[name].push(await readProgram<Cost>(programPath("http-agents"), [name, server.url]));
    }
  }
} finally {
  server.stop();
}
const valuesOf = (key: keyof Cost) => ({
  floor: median(costs.fetch.map((cost) => cost[key])),
  contractFloor: median(costs["node-http"].map((cost) => cost[key])),
  ours: median(costs.loopwright.map((cost) => cost[key])),
});
report([
  {
    what: "100 agents over HTTP, CPU per model call, warm (floor: a bare loop over fetch; contract floor: one over Node's HTTP client)",
    unit: "µs",
    ...valuesOf("warmUs"),
    budgets: [{ max: 1.4, times: "floor" }],
  },
  { what: "100 agents over HTTP, CPU per model call, fresh process", unit: "µs", ...valuesOf("coldUs") },
  { what: "100 agents over HTTP, wall time", unit: "ms", ...valuesOf("wallMs") },
]);
