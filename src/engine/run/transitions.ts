import type { RunStatus, Transition } from "../../contracts/run.js";

const CONTINUING: ReadonlySet<Transition> = new Set<Transition>([
  "next-turn",
  "stop-hook",
  "output-retry",
  "overflow-recovery",
  "output-limit-continuation",
  "token-budget-continuation",
  "empty-response-retry",
  "steering",
  "follow-up",
]);

/** Whether a run ends with this transition. */
export function isStatus(transition: Transition): transition is RunStatus {
  return !CONTINUING.has(transition);
}
