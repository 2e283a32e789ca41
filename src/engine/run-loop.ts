// open → begin → turns → end. Only this file ends a run.

import type { Answer } from "../contracts/approval.js";
import { type HarnessError, isHarnessError, RunError } from "../contracts/errors.js";
import type { RunResult, RunStatus, Transition } from "../contracts/run.js";
import { describeThrown } from "../text/describe-thrown.js";
import { compactNow } from "./context/compaction.js";
import { toolsReady } from "./context/model-input.js";
import { callTool, type DirectCall } from "./direct-call.js";
import { HOW_INCOMPLETE, hookStopped, resultOfRun } from "./final-answer.js";
import { compactorOf } from "./model/model-call.js";
import { abortLeftOpen, beginChild, type ChildStart, resumeRun } from "./resume.js";
import type { RunState } from "./run/run-state.js";
import { beginWithPrompt, keepPrompts, type PromptStart } from "./session/begin-run.js";
import { openSession } from "./session/open-session.js";
import { isMisuse, requireEntries } from "./session/session-misuse.js";
import { heldRecord } from "./transcript/transcript.js";
import { endTurn, runTurn } from "./turn.js";

/** The beginning of a run. */
export type RunStart =
  | ({ readonly kind: "prompt" } & PromptStart)
  | { readonly kind: "resume"; readonly answers: readonly Answer[] }
  | ({ readonly kind: "child" } & ChildStart)
  | { readonly kind: "compact"; readonly focus: string | undefined }
  | ({ readonly kind: "call" } & DirectCall);

/** Runs from its start to its end. Rejects for misuse only; whatever else happens is in the result. */
export async function runToEnd(run: RunState, start: RunStart): Promise<RunResult> {
  const session = await openSession(run, start.kind === "prompt" ? start : undefined);
  if (!session) return endUnopened(run, start);
  try {
    const begun = await begin(run, start);
    if (typeof begun !== "string") return begun;
    let next: Transition = isStatus(begun) ? begun : (run.endedAs() ?? limitReached(run) ?? begun);
    while (!isStatus(next)) next = await takeTurn(run);
    return await endRun(run, next);
  } finally {
    await session.close();
  }
}

/** The run was ended while its session was being opened: nothing is on record. */
async function endUnopened(run: RunState, { kind }: RunStart): Promise<RunResult> {
  if (kind === "call" || kind === "compact") return withoutTurns(run, async () => {});
  const { status } = run.lifetime.ending!;
  run.transition = status;
  run.lifetime.ended = status;
  reportUndelivered(run);
  return resultOfRun(run, status);
}

/** Before the first turn, wrong options and broken tools are reported to the caller. */
async function begin(run: RunState, start: RunStart): Promise<Transition | RunResult> {
  try {
    if (run.lifetime.ending && start.kind !== "call" && start.kind !== "compact") {
      if (start.kind === "prompt") run.inbox.prompts.push(start.prompt);
      return run.lifetime.ending.status;
    }
    if (run.recorder.failure) return await withoutTurns(run, async () => {});
    switch (start.kind) {
      case "prompt":
        return await beginWithPrompt(run, start);
      case "resume":
        return await resumeRun(run, start.answers);
      case "child":
        return await beginChild(run, start);
      case "compact":
        requireEntries(run);
        return await withoutTurns(run, () => compactNow(run, start.focus, compactorOf(run)));
      case "call":
        return await withoutTurns(run, async () => {
          await run.lifetime.unlessStopped(toolsReady(run.registry), "A tool's ready()");
          await callTool(run, start);
        });
    }
  } catch (thrown) {
    if (isMisuse(thrown)) throw thrown;
    return failedBy(run, thrown);
  }
}

/** Does one thing in a session. There is no turn, and no end to record. */
async function withoutTurns(run: RunState, work: () => Promise<void>): Promise<RunResult> {
  let status: RunStatus;
  try {
    await work();
    const isKept = await run.commit();
    status = run.endedAs() ?? (isKept ? "completed" : "failed");
  } catch (thrown) {
    if (isMisuse(thrown)) throw thrown;
    status = failedBy(run, thrown);
  }
  // Work that is not on record has not been done, whatever else ended the run.
  const { failure } = run.recorder;
  if (failure) {
    status = "failed";
    run.lifetime.ending = { status, error: failure };
  }
  run.lifetime.ended = status;
  return resultOfRun(run, status);
}

/** One turn, unless a limit has been reached. What ends the run is reported with the turn's end, by `endRun`. */
async function takeTurn(run: RunState): Promise<Transition> {
  try {
    const next = await runTurn(run);
    const last = run.endedAs() ?? (isStatus(next) ? next : limitReached(run));
    if (last) return last;
    // A turn is on record before the next begins.
    await run.commit();
    return endTurn(run, next);
  } catch (thrown) {
    return failedBy(run, thrown);
  }
}

/** A fault inside the loop ends the run like any other failure. */
function failedBy(run: RunState, thrown: unknown): RunStatus {
  run.stop("failed", isHarnessError(thrown) ? thrown : internal(thrown));
  return run.endedAs()!;
}

function internal(cause: unknown): HarnessError {
  return new RunError("INTERNAL", { message: `The engine failed: ${describeThrown(cause)}`, cause });
}

function limitReached(run: RunState): RunStatus | null {
  const { problem } = run.config.runtime;
  if (problem) {
    run.stop("failed", problem);
    return "failed";
  }
  if (run.turn >= run.limits.maxTurns) return "max-turns";
  if (run.meter.limitsCost() && run.meter.costUsd === null) {
    const { id: provider, model } = run.provider;
    const message = `limits.maxCostUsd can no longer be enforced: the price of a call of model "${model}" is not known.`;
    run.stop("failed", new RunError("COST_UNKNOWN", { message, details: { provider, model } }));
    return "failed";
  }
  const used = run.meter.mostUsed();
  return used && used.share >= 1 ? "budget-exceeded" : null;
}

async function endRun(run: RunState, last: RunStatus): Promise<RunResult> {
  const { lifetime } = run;
  if (lifetime.ending && run.transcript.open) run.lastCalls?.interrupt();
  if (run.transcript.open) abortLeftOpen(run);
  keepFirstEnding(run);
  let status = lifetime.ending?.status ?? last;
  if (status === "failed") await fireStopFailure(run);
  await run.backgroundOrNull?.leave();
  keepPrompts(run);
  keepDeliveries(run);
  status = await recordEnd(run, status);
  run.transition = status;
  lifetime.ended = status;
  if (run.isTurnOpen) run.emit("turn-end", { transition: status });
  reportUndelivered(run);
  const result = resultOfRun(run, status);
  if (status === "completed") reportIncomplete(run, result);
  return result;
}

/** The first decision is stored: an abort or a deadline does not overtake a hook that had stopped the run. */
function keepFirstEnding({ lifetime, stopAfterTurn, transcript }: RunState): void {
  const status = lifetime.ending?.status;
  if (!stopAfterTurn || transcript.open || (status !== "aborted" && status !== "deadline")) return;
  lifetime.ending = { status: "hook-stopped", error: hookStopped(stopAfterTurn) };
}

/** Notifies observers that a run has ended: the last event, once the session is free for the next run. */
export function announceEnd(run: RunState, { status, error }: RunResult): void {
  if (isStatus(run.transition)) run.emit("run-end", { status, ...(error && { error }) });
}

/** The tools' results are on record even if the run ends before the model sees it. */
function keepDeliveries(run: RunState): void {
  for (const message of run.inbox.takeDeliveries()) {
    if (run.transcript.open) run.recorder.record(heldRecord(message));
    else run.appendReminder(message.text, message.origin, message.label);
  }
}

async function fireStopFailure(run: RunState): Promise<void> {
  const error = run.lifetime.ending?.error;
  const payload = {
    error: error?.code ?? "INTERNAL",
    errorDetails: error?.message ?? "",
    lastAssistantMessage: run.answer.text,
  };
  // The run's own signal has aborted by now; these hooks have a time of their own, which an abort ends.
  const controller = new AbortController();
  const { deadlines, limits, lifetime } = run;
  const deadline = deadlines.add(limits.abandonMs, () => controller.abort());
  lifetime.atLast = () => controller.abort();
  await run.hooks.fire("StopFailure", payload, undefined, controller.signal);
  lifetime.atLast = null;
  deadlines.remove(deadline);
}

/** A final answer that is not whole says so, although the run has completed. */
function reportIncomplete(run: RunState, { finishReason }: RunResult): void {
  if (!finishReason) return;
  run.notice("ANSWER_INCOMPLETE", `The final answer ${HOW_INCOMPLETE[finishReason]}.`, { finishReason });
}

/** Called when no further message is taken: whatever was taken is delivered or reported. */
function reportUndelivered(run: RunState): void {
  for (const { content } of run.inbox.undelivered) {
    const text = content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("");
    run.notice("MESSAGE_UNDELIVERED", "A message came too late for this run; send it with the next one.", { text });
  }
}

async function recordEnd(run: RunState, status: RunStatus): Promise<RunStatus> {
  const { lifetime, recorder } = run;
  recorder.record({ type: "run-end", status, usage: run.meter.usage });
  if (await recorder.commit()) return status;
  lifetime.ending = { status: "failed", error: recorder.failure! };
  return "failed";
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

/** Whether a run ends with this transition. */
export function isStatus(transition: Transition): transition is RunStatus {
  return !CONTINUING.has(transition);
}
