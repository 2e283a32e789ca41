import { programPath, readProgram } from "../child.js";
import { median } from "../measure.js";
import { isQuick, report } from "../row.js";

const PROCESSES = isQuick ? 1 : 3;
const TURNS = isQuick ? 2_000 : 10_000;

async function slopeOf(contender: string): Promise<number> {
  const slopes: number[] = [];
  for (let i = 0; i < PROCESSES; i++) {
    const args = [contender, String(TURNS)];
    const { slope } = await readProgram<{ slope: number }>(programPath("heap-slope"), args, ["--expose-gc"]);
    slopes.push(slope);
  }
  return median(slopes);
}

report([
  {
    what: `heap a turn adds, ${TURNS.toLocaleString("en")} turns with a tenth of faults, compaction, file store (floor: the transcript alone)`,
    unit: "B",
    floor: await slopeOf("floor"),
    ours: await slopeOf("ours"),
    budgets: [{ max: 1.15, times: "floor" }],
  },
]);
