// How long the first answer takes in a process that has just started.
import { programPath, readProgram } from "../child.js";
import { median } from "../measure.js";
import { startModelServer } from "../model-server.js";
import { isQuick, report } from "../row.js";

const PROCESSES = isQuick ? 5 : 21;

const server = await startModelServer(programPath("model-server"));
const times = { fetch: [] as number[], ours: [] as number[] };
try {
  for (let i = 0; i < PROCESSES; i++) {
    for (const name of ["fetch", "ours"] as const) {
      times[name].push((await readProgram<{ ms: number }>(programPath("cold-answer"), [name, server.url])).ms);
    }
  }
} finally {
  server.stop();
}
report([
  {
    what: "first text of a model in a fresh process, import included (floor: bare fetch)",
    unit: "ms",
    floor: median(times.fetch),
    ours: median(times.ours),
    budgets: [{ max: 60 }],
  },
]);
