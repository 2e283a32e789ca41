import type { PendingRequest } from "../../contracts/approval.js";
import type { Verification } from "../options.js";
import { NOTHING_SPENT, type Spent } from "../spent.js";

/** What the check of a criterion has found, or that it waits for the host. */
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
