// Engine time per turn once the code is hot, and how it grows with the number of turns.
import { bareLoop, consume, contractLoop, contractStream, repeatingModel } from "../floors.js";
import { growthExponent, interleave } from "../measure.js";
import { engineFor, mustComplete } from "../ours.js";
import { isQuick, type Row, report } from "../row.js";

const ROUNDS = new Map(
  isQuick
    ? [[200, 30]]
    : [
        [20, 300],
        [200, 60],
        [2_000, 15],
        [10_000, 7],
      ],
);

const rows: Row[] = [];
/** Milliseconds of whole runs. */
const totals: { turns: number; floor: number; contract: number; run: number }[] = [];
for (const [turns, rounds] of ROUNDS) {
  const times = await interleave(
    {
      floor: () => bareLoop(turns),
      contract: () => contractLoop(repeatingModel(turns)),
      run: async () => mustComplete(await engineFor(repeatingModel(turns)).run("go")),
      contractStream: () => consume(contractStream(repeatingModel(turns))),
      stream: () => consume(engineFor(repeatingModel(turns)).stream("go")),
    },
    { rounds, warmups: Math.max(2, Math.ceil(4_000 / turns)) },
  );
  const perTurn = (ms: number) => (ms * 1000) / turns;
  rows.push({
    what: `a turn, run(), ${turns} turns, warm`,
    unit: "µs",
    floor: perTurn(times.floor),
    contractFloor: perTurn(times.contract),
    ours: perTurn(times.run),
    ...(turns === 200 && { budgets: [{ max: 3, times: "floor" }] }),
  });
  rows.push({
    what: `a turn, stream(), ${turns} turns, warm`,
    unit: "µs",
    floor: perTurn(times.contract),
    contractFloor: perTurn(times.contractStream),
    ours: perTurn(times.stream),
  });
  if (turns >= 200) totals.push({ turns, ...times });
}
if (totals.length > 1) {
  const growthOf = (name: "floor" | "contract" | "run") =>
    growthExponent(totals.map((total) => ({ x: total.turns, y: total[name] })));
  rows.push({
    what: "growth over 200 … 10,000 turns, exponent",
    unit: "",
    // What the garbage collector makes of a heap that grows is in all three.
    floor: growthOf("floor"),
    contractFloor: growthOf("contract"),
    ours: growthOf("run"),
    budgets: [{ max: 1.02 }],
  });
}
report(rows);
