// What loading costs in a fresh process, and what the first run adds, whose code is loaded with it.
import { pathToFileURL } from "node:url";
import { programPath, readProgram } from "../child.js";
import { median } from "../measure.js";
import { isQuick, report } from "../row.js";

const PROCESSES = isQuick ? 7 : 31;

interface Cost {
  readonly ms: number;
  readonly mb: number;
}

const floor: Cost[] = [];
const ours: Cost[] = [];
const codingAgent: Cost[] = [];
const firstRun = { floor: [] as number[], ours: [] as number[] };
const CODING_AGENT = ["", "/tools", "/workspace", "/permissions", "/sessions"].map((entry) => `loopwright${entry}`);
const measure = (...specifiers: string[]) => readProgram<Cost>(programPath("import-entry"), specifiers);
for (let i = 0; i < PROCESSES; i++) {
  floor.push(await measure(pathToFileURL(programPath("empty")).href));
  ours.push(await measure("loopwright"));
  codingAgent.push(await measure(...CODING_AGENT));
  for (const name of ["floor", "ours"] as const) {
    firstRun[name].push((await readProgram<{ ms: number }>(programPath("first-run"), [name])).ms);
  }
}
const medians = (key: keyof Cost) => ({
  floor: median(floor.map((cost) => cost[key])),
  ours: median(ours.map((cost) => cost[key])),
});
report([
  { what: "import of the root entry (floor: an empty module)", unit: "ms", ...medians("ms"), budgets: [{ max: 7 }] },
  {
    what: "processor time of an import and a first run of one turn (floor: an empty module and a bare loop)",
    unit: "ms",
    floor: median(firstRun.floor),
    ours: median(firstRun.ours),
  },
  { what: "RSS the root entry adds", unit: "MB", ...medians("mb"), budgets: [{ max: 3 }] },
  {
    what: "import of what a coding agent needs: core, tools, workspace, permissions, sessions",
    unit: "ms",
    ours: median(codingAgent.map(({ ms }) => ms)),
    budgets: [{ max: 80 }],
  },
]);
