// What compaction keeps, costs and saves. Prints the tables of docs/concepts/context.md.
// Run: npx tsx bench/compaction/run.ts
import { markdown } from "../row.js";
import { cacheShares } from "./cache-share.js";
import { retention } from "./retention.js";
import { turnCosts } from "./turn-cost.js";

const percent = (share: number) => `${Math.round(share * 100)} %`;
const thousands = (tokens: number) => `${Math.round(tokens / 1_000)}k`;

function print(title: string, header: readonly string[], lines: readonly (readonly string[])[]): void {
  process.stdout.write(`## ${title}\n\n${markdown(header, lines)}\n\n`);
}

for (const set of ["tried", "held-out"] as const) {
  const rows = await retention(set);
  const kinds = [...rows[0]!.kept.keys()];
  const lines = rows.map(({ what, tokens, kept }) => [
    what,
    thousands(tokens),
    ...kinds.map((kind) => percent(kept.get(kind)!)),
  ]);
  print(`Facts in the view, ${set} sessions`, ["after", "tokens", ...kinds], lines);
}

print(
  "Input tokens read from the cache, 500 turns",
  ["how the view is kept small", "input tokens", "from the cache", "epochs", "largest request"],
  (await cacheShares()).map(({ what, inputTokens, share, epochs, largest }) => [
    what,
    `${(inputTokens / 1e6).toFixed(1)}M`,
    percent(share),
    String(epochs),
    thousands(largest),
  ]),
);

for (const isCompacting of [true, false]) {
  const { rows, exponent } = await turnCosts(isCompacting);
  print(
    `Engine time per turn, ${isCompacting ? "with" : "without"} compaction (growth exponent ${exponent.toFixed(3)})`,
    ["turns", "µs per turn", "compactions"],
    rows.map(({ turns, usPerTurn, compactions }) => [String(turns), usPerTurn.toFixed(1), String(compactions)]),
  );
}
