import type { RunState } from "./run-state.js";
import type { BudgetShare } from "./usage-meter.js";

/** From here on the model is told that a budget is nearly used up. */
const NEARLY = 0.9;

/** Tells the model, once, that it has to come to an end. `true`: it has just been told. */
export function tellOfBudget(run: RunState): boolean {
  if (run.budgetTold) return false;
  const near = nearest(run);
  if (near.share < NEARLY || near.share >= 1) return false;
  run.budgetTold = true;
  const percent = Math.floor(near.share * 100);
  const message = `${percent} % of the ${near.name} budget of this run is used up.`;
  run.notice("BUDGET_NEAR", message, { budget: near.name, percent });
  run.tell(`${message} Come to an end: finish what is most important and give your answer.`, "reminder");
  return true;
}

function nearest(run: RunState): BudgetShare {
  let most: BudgetShare = { name: "turn", share: run.turn / run.limits.maxTurns };
  const elapsed = run.elapsedShare();
  if (elapsed > most.share) most = { name: "time", share: elapsed };
  const used = run.meter.mostUsed();
  return used && used.share > most.share ? used : most;
}
