// Engine time per turn in a fresh process: what a command-line program pays.
import { programPath, readProgram } from "../child.js";
import { median } from "../measure.js";
import { isQuick, type Row, report } from "../row.js";

const PROCESSES = new Map(
  isQuick
    ? [[200, 5]]
    : [
        [20, 15],
        [200, 25],
        [2_000, 9],
        [10_000, 5],
      ],
);
const CONTENDERS = ["floor", "contract", "run", "contractStream", "stream"] as const;

type Contender = (typeof CONTENDERS)[number];

async function perTurn(turns: number, processes: number): Promise<Record<Contender, number>> {
  const times = Object.fromEntries(CONTENDERS.map((name) => [name, [] as number[]])) as Record<Contender, number[]>;
  for (let i = 0; i < processes; i++) {
    for (const name of CONTENDERS) {
      const { cpu } = await readProgram<{ cpu: number }>(programPath("cold-run"), [name, String(turns)]);
      times[name].push((cpu * 1000) / turns);
    }
  }
  return Object.fromEntries(CONTENDERS.map((name) => [name, median(times[name])])) as Record<Contender, number>;
}

const rows: Row[] = [];
for (const [turns, processes] of PROCESSES) {
  const times = await perTurn(turns, processes);
  rows.push({
    what: `a turn, run(), ${turns} turns, fresh process`,
    unit: "µs",
    floor: times.floor,
    contractFloor: times.contract,
    ours: times.run,
  });
  rows.push({
    what: `a turn, stream(), ${turns} turns, fresh process`,
    unit: "µs",
    floor: times.contract,
    contractFloor: times.contractStream,
    ours: times.stream,
  });
}
report(rows);
