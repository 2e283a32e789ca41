// The notice when a run has ended: none when all went well and quickly.
import type { RunResult } from "../../contracts/run.js";
import { failureText } from "../exit-codes.js";
import { safeText } from "./screen/safe-text.js";
import type { Theme } from "./screen/theme.js";
import { inSeconds } from "./transcript/quantities.js";

/** Runs longer than this say how long they took. Unit: milliseconds. */
const WORTH_TIMING_MS = 10_000;

export interface RunOutcome {
  /** Absent when the run has failed without one. */
  readonly result: RunResult | undefined;
  readonly error: unknown;
  readonly elapsedMs: number;
}

/** `undefined`: there is nothing to say. */
export function describeOutcome(
  { red, yellow, dim }: Theme,
  { result, error, elapsedMs }: RunOutcome,
): string | undefined {
  if (!result) return red(safeText(messageOf(error)));
  if (result.status === "aborted") return yellow("Interrupted. Say what to do instead, or leave it.");
  if (result.status !== "completed") return red(safeText(reasonOf(result)));
  return elapsedMs >= WORTH_TIMING_MS ? dim(`Done in ${inSeconds(elapsedMs)}.`) : undefined;
}

function reasonOf({ status, error }: RunResult): string {
  const reasons: Partial<Record<RunResult["status"], string>> = {
    "max-turns": "It took more steps than one run may take. Send another prompt to go on.",
    "budget-exceeded": "The budget of this run is used up.",
    deadline: "The time for this run is used up.",
    "hook-stopped": "A hook stopped the run.",
  };
  return error ? messageOf(error) : (reasons[status] ?? `The run ended as "${status}".`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? failureText(error) : String(error);
}
