// Repeats turns until something ends the run. Only this file ends one.
import { ConfigurationError, type HarnessError, isHarnessError, RunError } from "../contracts/errors.js";
import type { RunResult, RunStatus, Transition } from "../contracts/run.js";
import { resultOf } from "./run-result.js";
import type { RunState } from "./run-state.js";
import { describeThrown } from "./tool-result.js";
import { runTurn } from "./turn.js";

/** Runs `begin`, then turns until the end. Rejects with a `ConfigurationError` alone. */
export async function runToEnd(run: RunState, begin: () => Promise<Transition>): Promise<RunResult> {
  let transition = await guarded(run, begin);
  while (!isStatus(transition)) {
    transition = exhaustedLimit(run) ?? (await guarded(run, () => runTurn(run)));
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
async function guarded(run: RunState, step: () => Promise<Transition>): Promise<Transition> {
  try {
    return await step();
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) throw thrown;
    run.stop("failed", isHarnessError(thrown) ? thrown : internal(thrown));
    return run.endedAs()!;
  }
}

function internal(cause: unknown): HarnessError {
  return new RunError("INTERNAL", { message: `The engine failed: ${describeThrown(cause)}`, cause });
}

function exhaustedLimit(run: RunState): RunStatus | null {
  if (run.turn >= run.limits.maxTurns) return "max-turns";
  const used = run.meter.mostUsed();
  return used && used.share >= 1 ? "budget-exceeded" : null;
}

async function endRun(run: RunState, ended: RunStatus): Promise<RunResult> {
  let status = ended;
  for (const { content } of [...run.steering, ...run.followUps]) {
    const text = content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("");
    run.notice("MESSAGE_UNDELIVERED", "A message came too late for this run; send it with the next one.", { text });
  }
  if (status === "failed") {
    const error = run.ending?.error;
    await run.fire("StopFailure", { error: error?.code ?? "INTERNAL", errorDetails: error?.message ?? "" });
  }
  status = await recordEnd(run, status);
  run.transition = status;
  run.ended = status;
  const result = resultOf(run, status);
  run.emit("run-end", { status, ...(result.error && { error: result.error }) });
  return result;
}

async function recordEnd(run: RunState, status: RunStatus): Promise<RunStatus> {
  run.recorder.record({ type: "run-end", status, usage: run.meter.usage });
  if (await run.recorder.commit()) return status;
  if (!run.ending?.error) run.ending = { status: "failed", error: run.recorder.failure! };
  return "failed";
}
