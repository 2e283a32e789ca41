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
const measure = (specifier: string) => readProgram<Cost>(programPath("import-entry"), [specifier]);
for (let i = 0; i < PROCESSES; i++) {
  floor.push(await measure(pathToFileURL(programPath("empty")).href));
  ours.push(await measure("loopwright"));
}
const medians = (key: keyof Cost) => ({
  floor: median(floor.map((cost) => cost[key])),
  ours: median(ours.map((cost) => cost[key])),
});
report([
  { what: "import of the root entry (floor: an empty module)", unit: "ms", ...medians("ms"), budgets: [{ max: 12 }] },
  { what: "RSS the root entry adds", unit: "MB", ...medians("mb"), budgets: [{ max: 4 }] },
]);
