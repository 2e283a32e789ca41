import type { PendingRequest } from "../../contracts/approval.js";
import type { Verification } from "../options.js";
import { NOTHING_SPENT, type Spent } from "../spent.js";

/** The finding of a criterion's check, or the question it waits for. */
export interface Check extends Verification {
  readonly facts: readonly string[];
  readonly spent: Spent;
  readonly requests?: readonly PendingRequest[];
}

/** The criterion holds: `seen` is what was looked at, and is a fact from now on. */
export function holds(reason: string, seen: string): Check {
  return { passed: true, reason, evidence: [seen], facts: [`${seen}.`], spent: NOTHING_SPENT };
}

export function refused(reason: string): Check {
  return { passed: false, reason, evidence: [], facts: [], spent: NOTHING_SPENT };
}

export function waiting(requests: readonly PendingRequest[]): Check {
  return { ...refused(requests.map(({ reason }) => reason).join(" ")), requests };
}
