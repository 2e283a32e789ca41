// Repeats turns until something ends the run. Only this file ends one.
import { ConfigurationError, type HarnessError, isHarnessError, RunError } from "../contracts/errors.js";
import type { RunResult, RunStatus, Transition } from "../contracts/run.js";
import { describeThrown } from "../text/describe-thrown.js";
import type { RunState } from "./run/run-state.js";
import { resultOf } from "./run-result.js";
import { endTurn, runTurn } from "./turn.js";

/** Runs `begin`, then turns until the end. Rejects with a `ConfigurationError` alone. */
export async function runToEnd(run: RunState, begin: () => Promise<Transition>): Promise<RunResult> {
  let transition: Transition;
  try {
    transition = await begin();
  } catch (thrown) {
    // Before the first turn, wrong options and broken tools are the caller's to learn of.
    if (isHarnessError(thrown) && thrown instanceof ConfigurationError) throw thrown;
    transition = failedBy(run, thrown);
  }
  try {
    while (!isStatus(transition)) {
      const ended = run.endedAs() ?? exhaustedLimit(run);
      const next = ended ?? (await runTurn(run));
      // A turn is on record before the next begins.
      if (!isStatus(next)) await run.commit();
      transition = ended ?? endTurn(run, next);
    }
  } catch (thrown) {
    transition = failedBy(run, thrown);
  }
  return endRun(run, transition);
}

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

function isStatus(transition: Transition): transition is RunStatus {
  return !CONTINUING.has(transition);
}

/** A fault inside the loop ends the run like any other failure. */
function failedBy(run: RunState, thrown: unknown): RunStatus {
  run.stop("failed", isHarnessError(thrown) ? thrown : internal(thrown));
  return run.endedAs()!;
}

function internal(cause: unknown): HarnessError {
  return new RunError("INTERNAL", { message: `The engine failed: ${describeThrown(cause)}`, cause });
}

function exhaustedLimit(run: RunState): RunStatus | null {
  if (run.turn >= run.limits.maxTurns) return "max-turns";
  if (run.meter.limitsCost() && run.meter.costUsd === null) {
    const message = `limits.maxCostUsd can no longer be kept: the price of a call of model "${run.provider.model}" is not known.`;
    run.stop("failed", new RunError("COST_UNKNOWN", { message }));
    return "failed";
  }
  const used = run.meter.mostUsed();
  return used && used.share >= 1 ? "budget-exceeded" : null;
}

async function endRun(run: RunState, ended: RunStatus): Promise<RunResult> {
  let status = run.ending?.status ?? ended;
  if (run.ending && run.transcript.open) run.lastBatch?.interrupt();
  if (status === "failed") {
    const error = run.ending?.error;
    const payload = { error: error?.code ?? "INTERNAL", errorDetails: error?.message ?? "" };
    // The run's own signal has aborted by now; these hooks are not given up with it.
    await run.hooks.fire("StopFailure", payload, undefined, new AbortController().signal);
  }
  status = await recordEnd(run, status);
  tellUndelivered(run);
  run.transition = status;
  run.ended = status;
  const result = resultOf(run, status);
  run.emit("run-end", { status, ...(result.error && { error: result.error }) });
  return result;
}

/** Called when no further message is taken: whatever was taken is delivered or told. */
function tellUndelivered(run: RunState): void {
  for (const { content } of [...run.steering, ...run.followUps]) {
    const text = content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("");
    run.notice("MESSAGE_UNDELIVERED", "A message came too late for this run; send it with the next one.", { text });
  }
}

async function recordEnd(run: RunState, status: RunStatus): Promise<RunStatus> {
  run.recorder.record({ type: "run-end", status, usage: run.meter.usage });
  if (await run.recorder.commit()) return status;
  if (!run.ending?.error) run.ending = { status: "failed", error: run.recorder.failure! };
  return "failed";
}
