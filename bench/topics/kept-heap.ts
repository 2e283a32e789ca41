import { programPath, readProgram } from "../child.js";
import { median } from "../measure.js";
import { isQuick, report } from "../row.js";

const PROCESSES = isQuick ? 1 : 5;

async function ratioOf(contender: string): Promise<number> {
  const ratios: number[] = [];
  for (let i = 0; i < PROCESSES; i++) {
    const { ratio } = await readProgram<{ ratio: number }>(programPath("kept-heap"), [contender], ["--expose-gc"]);
    ratios.push(ratio);
  }
  return median(ratios);
}

report([
  {
    what: "heap kept after 1,000 turns of 2 KB results",
    unit: "× payload",
    floor: await ratioOf("floor"),
    ours: await ratioOf("ours"),
    budgets: [{ max: 1.4 }],
  },
]);
