// Resuming after a suspension, an abort or a crash: each open call is not started, done, or unknown.
import type { Answer, PendingRequest } from "../contracts/approval.js";
import { FINISHED, FINISHED_CHILD, type RunResult, type RunStatus, type Transition } from "../contracts/run.js";
import type { BaseTool } from "../contracts/tool.js";
import { labelOfRefusal } from "./calls/call-label.js";
import { MessageCalls } from "./calls/message-calls.js";
import type { PendingCall } from "./calls/pending-call.js";
import { readAnswer, recordAnswer } from "./calls/permission/obtain-answer.js";
import { isSigned } from "./calls/permission/sign-answer.js";
import { toolOf } from "./calls/prepare-call.js";
import { errorResult, unknownPolicy, unknownResult, withOutcome } from "./calls/tool-result.js";
import { decideEnd, resultOfRun } from "./final-answer.js";
import type { QueuedMessage } from "./run/inbox.js";
import type { RunState } from "./run/run-state.js";
import {
  adoptGiven,
  announceStart,
  beginWithPrompt,
  prepareRun,
  recordRunStart,
  requireGiven,
} from "./session/begin-run.js";
import { requireEntries } from "./session/session-misuse.js";
import type { Beginning } from "./subagents/beginning.js";
import { textOfMessage } from "./transcript/message-shape.js";
import { type OpenTurn, openQuestions } from "./transcript/open-turn.js";
import { waitingQuestions } from "./transcript/transcript.js";
import { finishOpenCalls } from "./turn.js";

/** Takes the answers and continues where the session stands; a finished session has its result already. */
export async function resumeRun(run: RunState, answers: readonly Answer[]): Promise<Transition | RunResult> {
  requireEntries(run);
  adoptGiven(run);
  const finished = await finishedResult(run, FINISHED);
  if (finished) return finished;
  requireGiven(run);
  return continueRun(run, answers);
}

/** The beginning of a sub-agent whose session is new. */
export interface ChildStart {
  readonly prompt: QueuedMessage;
  /** The messages before the prompt. */
  readonly beginning: () => Beginning | Promise<Beginning>;
}

/**
 * Begins a sub-agent, or goes on with one whose call is entered again: with its end if it has one, with the answers that
 * the session of the main agent has if it waits for some.
 */
export async function beginChild(run: RunState, { prompt, beginning }: ChildStart): Promise<Transition | RunResult> {
  const { transcript } = run;
  if (transcript.lastEntryId === null) {
    const { history, label } = await beginning();
    return beginWithPrompt(run, { prompt: { ...prompt, label }, history });
  }
  return (await finishedResult(run, FINISHED_CHILD)) ?? continueRun(run, answersFromAbove(run));
}

/** The answers that the session of the main agent has to what is asked here. */
export function answersFromAbove(run: RunState): readonly Answer[] {
  const { open, background } = run.root.transcript;
  return waitingQuestions(run.transcript).flatMap((request) => {
    return isOwn(run, request) ? (open?.answerTo(request.id) ?? background.answerTo(request.id) ?? []) : [];
  });
}

/** Whether a question is this agent's, rather than one of its sub-agents' or of a call that a tool makes. */
function isOwn(run: RunState, { agentPath, within }: PendingRequest): boolean {
  return agentPath.length === run.agentPath.length && within?.toolCallId === run.setup.nested?.caller.toolCallId;
}

/** The result of a session that is finished; `null` when there is something to continue. Records nothing. */
async function finishedResult(run: RunState, finished: ReadonlySet<RunStatus>): Promise<RunResult | null> {
  const { unfinished, open, lastStatus, lastAssistant } = run.transcript;
  if (unfinished || open || !lastStatus || !finished.has(lastStatus)) return null;
  run.answer.text = lastAssistant ? textOfMessage(lastAssistant) : "";
  const { output } = run.setup;
  if (output && lastStatus === "completed") {
    await run.lifetime.unlessStopped(output.ready(), "The output schema's ready()");
    const read = await run.lifetime.unlessStopped(output.read(run.answer.text), "The check of the structured output");
    run.answer.output = read && "value" in read ? read : null;
  }
  run.lifetime.ended = lastStatus;
  return resultOfRun(run, lastStatus);
}

async function continueRun(run: RunState, answers: readonly Answer[]): Promise<Transition> {
  recordRunStart(run);
  announceStart(run, { resumed: true });
  checkRecordedAnswers(run);
  await takeAnswers(run, answers);
  const { heldPrompt } = run.transcript;
  if (heldPrompt) run.inbox.prompts.push({ content: heldPrompt, origin: "user" });
  const ready = await prepareRun(run, "resume");
  if (ready !== "next-turn") return ready;
  const { open, messages } = run.transcript;
  if (open) return finishOpenTurn(run, open);
  const last = messages.at(-1);
  if (last?.role !== "assistant") return "next-turn";
  run.answer.text = textOfMessage(last);
  if (last.finishReason === "pause") return "next-turn";
  if (last.finishReason !== "aborted") return decideEnd(run);
  run.appendReminder("Your last message was interrupted. Continue.", "reminder");
  return "next-turn";
}

/**
 * The answers that the session already has. Those still to be used are reported again, since another process took them;
 * one that nobody with the key has given does not count: its question is asked again.
 */
function checkRecordedAnswers(run: RunState): void {
  const { open } = run.transcript;
  for (const [index, { id }] of open?.calls.entries() ?? []) {
    const asked = open!.results[index] ? [] : open!.askedBy(id);
    for (const { request, state } of asked) {
      const isNewest = request === asked.at(-1)!.request;
      const answer = open!.answerTo(request.id);
      // A tool is done with what it asked before its newest question.
      if (!answer || (state !== undefined && !isNewest)) continue;
      if (!isSigned(request, answer, run.config.approvals.key)) {
        reportUnsigned(run, request);
        run.recorder.record({ type: "pending", request, ...(state !== undefined && { state }) });
      } else if (isNewest && !open!.wasStarted(id)) run.emit("approval-answered", { request, answer });
    }
  }
}

function reportUnsigned(run: RunState, request: PendingRequest): void {
  run.notice("ANSWER_IGNORED", `The answer to "${request.id}" was not signed with the host's key; it was ignored.`);
}

async function takeAnswers(run: RunState, answers: readonly Answer[]): Promise<void> {
  const waiting = new Map(waitingQuestions(run.transcript).map((request) => [request.id, request]));
  for (const answer of answers) {
    const request = waiting.get(answer?.id);
    if (!request) {
      const id: unknown = answer?.id;
      const which = typeof id === "string" ? `with id "${id.slice(0, 100)}"` : "without an id that is a string";
      run.notice("ANSWER_IGNORED", `No question ${which} is open in this session; the answer was ignored.`);
    } else if (!isSigned(request, answer, run.config.approvals.key)) {
      reportUnsigned(run, request);
    } else {
      waiting.delete(answer.id);
      const given = readAnswer(request, answer);
      // A sub-agent's is kept here and taken there, by the agent that has asked.
      if (isOwn(run, request)) await recordAnswer(run, request, given);
      else run.recorder.record({ type: "answer", answer: given });
    }
  }
}

async function finishOpenTurn(run: RunState, open: OpenTurn): Promise<Transition> {
  const reopened = reopenCalls(run, open);
  const next = await finishOpenCalls(run, open.calls, reopened, open.held);
  if (next === "next-turn") await run.commit();
  return run.endedAs() ?? next;
}

/** The calls of a message of an earlier run that are still open, each to be started by `finish`. */
function reopenCalls(run: RunState, open: OpenTurn): MessageCalls {
  const reopened = new MessageCalls(run);
  for (const [index, toolCall] of open.calls.entries()) {
    if (open.results[index]) continue;
    const call = reopened.announce(toolCall);
    call.args = toolCall.arguments;
    call.wasEntered = open.wasBegun(toolCall.id);
    for (const { request, state } of open.askedBy(toolCall.id)) {
      call.earlier ??= [];
      call.earlier.push({ request, answer: open.answerTo(request.id) });
      const { kind, reason, input } = request;
      if (state !== undefined) call.suspension = { request: { kind, reason, input }, state };
    }
  }
  for (const call of reopened.calls)
    if (open.wasStarted(call.call.id)) settleStarted(call, toolOf(run.registry, call.call), open);
  return reopened;
}

/** Takes the answers and makes the calls of an open message ready to go on, outside a run. */
export async function reopenTurn(run: RunState, open: OpenTurn, answers: readonly Answer[]): Promise<MessageCalls> {
  checkRecordedAnswers(run);
  await takeAnswers(run, answers);
  return reopenCalls(run, open);
}

/** A call that had been started: its tool says whether it may run again. */
export function settleStarted(call: PendingCall, tool: BaseTool | undefined, open: OpenTurn): void {
  const policy = unknownPolicy(tool);
  call.wasEntered = true;
  if (policy === "fail") call.settle(unknownResult(call.call));
  if (policy !== "ask") return;
  call.permission.mustConfirm = `"${tool!.name}" had been started before, and its outcome is not known. Run it again?`;
  call.earlier = call.earlier?.filter(({ request }) => !open.isUsedUp(request.id));
}

/** An approval is not spent by a run that ended before its call could start: the question is open again. */
function reopenAnswered(run: RunState, open: OpenTurn): void {
  for (const [index, { id }] of open.calls.entries()) {
    const asked = open.results[index] || open.wasStarted(id) ? undefined : open.askedBy(id).at(-1);
    const answer = asked && open.answerTo(asked.request.id);
    if (!answer || ("decision" in answer && answer.decision !== "allow")) continue;
    const { request, state } = asked;
    run.recorder.record({ type: "pending", request, ...(state !== undefined && { state }) });
  }
}

/**
 * Records a result for each call that an earlier run has left open, when this run ends before it could go on with them.
 *
 * While the host is still to answer one of them, all stay open; so do those of a run that is suspended.
 */
export function abortLeftOpen(run: RunState): void {
  const { open } = run.transcript;
  if (!open || run.lifetime.leavesCallsOpen) return;
  reopenAnswered(run, open);
  if (openQuestions(open).length > 0) return;
  const message = `The call was aborted before it had started. ${run.lifetime.stopError.message}`;
  for (const [index, call] of open.calls.entries()) {
    if (open.results[index]) continue;
    const result = open.wasBegun(call.id) ? unknownResult(call) : errorResult(call, "aborted", "TOOL_ABORTED", message);
    run.recorder.record({ type: "tool-result", result: withOutcome(result, false), label: labelOfRefusal(run) });
  }
  for (const { text, origin, label } of open.held) run.appendReminder(text, origin, label);
}
