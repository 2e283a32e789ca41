import type { RunState } from "./run-state.js";
import type { BudgetShare } from "./usage-meter.js";

/** From here on the model knows that a budget is nearly used up. */
const NEARLY = 0.9;

/** Reminds the model, once, to wrap up because a budget is nearly used up. */
export function remindOfBudget(run: RunState): void {
  if (run.meter.hasReminded) return;
  const near = nearest(run);
  if (near.share < NEARLY || near.share >= 1) return;
  run.meter.hasReminded = true;
  const percent = Math.floor(near.share * 100);
  const message = `${percent}% of the ${near.name} budget of this run is used up.`;
  run.notice("BUDGET_NEAR", message, { budget: near.name, percent });
  run.appendReminder(`${message} Wrap up: finish the most important work and give your final answer.`, "reminder");
}

function nearest(run: RunState): BudgetShare {
  let most: BudgetShare = { name: "turn", share: run.turn / run.limits.maxTurns };
  const elapsed = run.lifetime.elapsedShare();
  if (elapsed > most.share) most = { name: "time", share: elapsed };
  const used = run.meter.mostUsed();
  return used && used.share > most.share ? used : most;
}
