// Going on after a suspension, an abort or a crash: each open call is not started, done, or unknown.

import type { Answer, PendingRequest } from "../contracts/approval.js";
import type { RunResult, RunStatus, Transition } from "../contracts/run.js";
import type { BaseTool } from "../contracts/tool.js";
import { keepAnswer, readAnswer } from "./calls/approval.js";
import { isReplayable } from "./calls/call-scheduler.js";
import { CallBatch } from "./calls/message-calls.js";
import type { CallRun } from "./calls/pending-call.js";
import { isSigned } from "./calls/sign-answer.js";
import { decideEnd, textOf } from "./final-answer.js";
import type { RunState } from "./run/run-state.js";
import { resultOf } from "./run-result.js";
import { prepareRun, unknownOutcome } from "./session/open-session.js";
import { type OpenTurn, openQuestions } from "./transcript/transcript.js";
import { afterBatch, afterTools } from "./turn.js";

/** Statuses after which nothing is left to do. */
const FINISHED: ReadonlySet<RunStatus> = new Set<RunStatus>(["completed", "hook-stopped", "output-invalid"]);

/** The result of a session that is finished; `null` when there is something to go on with. Records nothing. */
export async function finishedResult(run: RunState): Promise<RunResult | null> {
  const { unfinished, open, lastStatus, lastAssistant } = run.transcript;
  if (unfinished || open || !lastStatus || !FINISHED.has(lastStatus)) return null;
  run.answerText = lastAssistant ? textOf(lastAssistant) : "";
  const { output } = run.setup;
  if (output && lastStatus === "completed") {
    await output.ready();
    const read = await output.read(run.answerText);
    run.output = "value" in read ? read : null;
  }
  return resultOf(run, lastStatus);
}

/** Begins a resumed run: takes the answers and goes on where the session stands. */
export async function beginResume(run: RunState, answers: readonly Answer[]): Promise<Transition> {
  run.recorder.record({ type: "run-start" });
  run.emit("run-start", { resumed: true });
  weighKeptAnswers(run);
  await takeAnswers(run, answers);
  const ready = await prepareRun(run, "resume");
  if (ready !== "next-turn") return ready;
  const { open, messages } = run.transcript;
  if (open) return finishOpenTurn(run, open);
  const last = messages.at(-1);
  if (last?.role !== "assistant") return "next-turn";
  run.answerText = textOf(last);
  if (last.finishReason !== "aborted") return decideEnd(run);
  run.tell("Your last answer was interrupted. Go on.", "reminder");
  return "next-turn";
}

/**
 * The answers that the session has already. Those still to be used are told of again, since another process took them; one
 * that nobody with the key has given is as good as none: its question waits anew.
 */
function weighKeptAnswers(run: RunState): void {
  const { open } = run.transcript;
  for (const [index, { id }] of open?.calls.entries() ?? []) {
    const asked = open!.results[index] ? [] : open!.askedBy(id);
    for (const { request, state } of asked) {
      const isNewest = request === asked.at(-1)!.request;
      const answer = open!.answerTo(request.id);
      // What a tool asked before its newest question is behind it.
      if (!answer || (state !== undefined && !isNewest)) continue;
      if (!isSigned(request, answer, run.config.approvals.key)) {
        tellUnsigned(run, request);
        run.recorder.record({ type: "pending", request, ...(state !== undefined && { state }) });
      } else if (isNewest && !open!.wasStarted(id)) run.emit("approval-answered", { request, answer });
    }
  }
}

function tellUnsigned(run: RunState, request: PendingRequest): void {
  run.notice("ANSWER_IGNORED", `The answer to "${request.id}" was not signed with the host's key; it was ignored.`);
}

async function takeAnswers(run: RunState, answers: readonly Answer[]): Promise<void> {
  const waiting = new Map(openQuestions(run.transcript.open).map((request) => [request.id, request]));
  for (const answer of answers) {
    const request = waiting.get(answer?.id);
    if (!request) {
      const id: unknown = answer?.id;
      const which = typeof id === "string" ? `with id "${id.slice(0, 100)}"` : "without an id that is text";
      run.notice("ANSWER_IGNORED", `No question ${which} waits in this session; the answer was ignored.`);
    } else if (!isSigned(request, answer, run.config.approvals.key)) {
      tellUnsigned(run, request);
    } else {
      waiting.delete(answer.id);
      await keepAnswer(run, request, readAnswer(request, answer));
    }
  }
}

async function finishOpenTurn(run: RunState, open: OpenTurn): Promise<Transition> {
  const batch = reopenedBatch(run, open);
  for (const call of batch.calls)
    if (open.wasStarted(call.call.id)) settleStarted(call, run.registry.get(call.call.name), open);
  await batch.finish();
  if (!run.transcript.open) run.contexts.unshift(...open.heldContext);
  await afterBatch(run, open.calls);
  const next = afterTools(run, open.calls, batch);
  if (next === "next-turn") await run.commit();
  return run.endedAs() ?? next;
}

/** The calls of a message of an earlier run that are still open, each to be started by `finish`. */
function reopenedBatch(run: RunState, open: OpenTurn): CallBatch {
  const batch = new CallBatch(run);
  for (const [index, call] of open.calls.entries()) {
    if (open.results[index]) continue;
    const reopened = batch.announce(call);
    reopened.args = call.arguments;
    for (const { request, state } of open.askedBy(call.id)) {
      reopened.earlier ??= [];
      reopened.earlier.push({ request, answer: open.answerTo(request.id) });
      const { kind, reason, input } = request;
      if (state !== undefined) reopened.suspension = { request: { kind, reason, input }, state };
    }
  }
  return batch;
}

/** A call that had been started: its tool says whether it may run again. */
function settleStarted(call: CallRun, tool: BaseTool | undefined, open: OpenTurn): void {
  const policy = tool?.onUnknown ?? (tool && isReplayable(tool) ? "retry" : "fail");
  if (policy === "fail") call.settle(unknownOutcome(call.call));
  if (policy !== "ask") return;
  call.mustConfirm = `"${call.call.name}" had been started when the process ended, and its outcome is not known. Run it again?`;
  call.earlier = call.earlier?.filter(({ request }) => !open.isUsedUp(request.id));
}
