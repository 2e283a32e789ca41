// The one pipeline every tool call goes through. A refusal or a failure is a result the model can read; nothing here
// throws to the caller.

import type { Answer } from "../../contracts/approval.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionDecision } from "../../contracts/permission.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { isThenable } from "../../time/is-promise.js";
import { settlesWithin } from "../../time/settles-within.js";
import { unlessAborted } from "../../time/unless-aborted.js";
import { DEFAULT_HOOK_TIMEOUT_MS } from "../tools/tool-defaults.js";
import { endBegun } from "./begun-result.js";
import { releaseSlot, takeClaims, waitForStart } from "./call-scheduler.js";
import { execute } from "./execute-call.js";
import { CallRefused, denyCall, refuseCall } from "./fail-call.js";
import type { PendingCall } from "./pending-call.js";
import { noteApproval } from "./permission/flow-request.js";
import { askGateAbout, denyIfRefused, isUnconditionalAllow, reportDecision } from "./permission/gate.js";
import { obtainAnswer } from "./permission/obtain-answer.js";
import { findTool, parseInput, preToolUse, replaceInput } from "./prepare-call.js";
import { DEFAULT_MAX_RESULT_CHARS, fitOutput, isOversized } from "./result-budget.js";
import { fireToolHook, hasHook } from "./tool-hooks.js";
import { failureResult } from "./tool-result.js";

/** One step of a call. Most are over at once, so a promise is returned only if there is something to wait for. */
type Stage = (call: PendingCall) => void | Promise<void>;

const STAGES: readonly Stage[] = [
  findTool,
  parseInput,
  preToolUse,
  askGate,
  askHost,
  waitForStart,
  execute,
  postToolUse,
  fitResult,
];
const ASK_HOST = STAGES.indexOf(askHost);
const EXECUTE = STAGES.indexOf(execute);

/** Brings one call to its result, or to the question it is suspended with. Never rejects. */
export async function runToolCall(call: PendingCall): Promise<void> {
  try {
    let stage = 0;
    while (stage < STAGES.length && !call.isOver) {
      const work = STAGES[stage]!(call);
      if (work) await work;
      stage = stage === EXECUTE && call.suspension ? ASK_HOST : stage + 1;
    }
  } catch (error) {
    const result = CallRefused.resultOf(error) ?? failureResult(call.call, error, 0);
    call.settle(call.wasEntered && !call.outcome ? await endBegun(call, result) : result);
  } finally {
    releaseSlot(call);
  }
}

// ── the last stages: recording the result is up to the call's message ────────────────────────────────────────────────

function postToolUse(call: PendingCall): void | Promise<void> {
  if (hasHook(call, postPoint(call.outcome!))) return runPostToolUse(call, call.outcome!);
}

/** A command that ended with another exit code than 0 is a success of its tool, and a failure for hooks. */
function postPoint(outcome: ToolResult): "PostToolUse" | "PostToolUseFailure" {
  return outcome.isError || (exitCodeOf(outcome) ?? 0) !== 0 ? "PostToolUseFailure" : "PostToolUse";
}

function exitCodeOf({ details }: ToolResult): number | undefined {
  const { exitCode } = Object(details) as { exitCode?: unknown };
  return typeof exitCode === "number" ? exitCode : undefined;
}

async function runPostToolUse(call: PendingCall, outcome: ToolResult): Promise<void> {
  const { hookPayload } = call;
  const { isError, durationMs, output, status, details } = outcome;
  const text = typeof output === "string" ? output : JSON.stringify(output);
  const exitCode = exitCodeOf(outcome);
  const said =
    postPoint(outcome) === "PostToolUseFailure"
      ? await fireToolHook(call, "PostToolUseFailure", {
          ...hookPayload,
          error: isError || exitCode === undefined ? text : `Exit code ${exitCode}\n${text}`,
          ...(exitCode !== undefined && { exitCode }),
          isInterrupt: status === "aborted",
          durationMs,
        })
      : await fireToolHook(call, "PostToolUse", {
          ...hookPayload,
          toolResponse: output as JsonValue,
          ...(details !== undefined && { toolDetails: details }),
          durationMs,
        });
  await informTool(call);
  if (said.updatedToolOutput === undefined) return;
  // Artifact and value hold what the hook has replaced.
  const { artifact: _, value: __, ...rest } = outcome;
  call.outcome = { ...rest, output: said.updatedToolOutput };
}

/** The call is done, whatever its tool makes of the hooks. */
async function informTool({ tool, signal, call, run: { sessionId } }: PendingCall): Promise<void> {
  if (!tool?.afterHooks) return;
  const informed = (async () => tool.afterHooks?.({ toolCallId: call.id, sessionId }))();
  await settlesWithin(unlessAborted(informed, signal), DEFAULT_HOOK_TIMEOUT_MS);
}

function fitResult(call: PendingCall): void | Promise<void> {
  const outcome = call.outcome!;
  const { maxResultChars: maxChars = DEFAULT_MAX_RESULT_CHARS } = call.tool!;
  const isTooLarge = isOversized(outcome.output, maxChars, fitsMedia(call));
  const { nested } = call.run.setup;
  if (nested && (isTooLarge || outcome.value !== undefined)) return fitNested(call, outcome, maxChars);
  if (isTooLarge) return moveToArtifact(call, outcome, maxChars);
  call.settle(outcome);
}

/** A tool that calls another one gets the whole of what a model would read in part. */
async function fitNested(call: PendingCall, outcome: ToolResult, maxChars: number): Promise<void> {
  const kept = await call.run.setup.nested!.keepWhole(call.call, outcome);
  if (isOversized(kept.output, maxChars, fitsMedia(call))) return moveToArtifact(call, kept, maxChars);
  call.settle(kept);
}

/** Whether the host makes images and files fit that vendors do not take: then they may stay in the transcript. */
function fitsMedia({ run }: PendingCall): boolean {
  return run.config.fitMedia !== undefined;
}

async function moveToArtifact(call: PendingCall, outcome: ToolResult, maxChars: number): Promise<void> {
  const { config, sessionId } = call.run;
  const kept = { whole: outcome.artifact, fitsMedia: fitsMedia(call) };
  const { output, artifact } = await fitOutput(outcome.output, maxChars, config.artifacts, sessionId, kept);
  call.settle({ ...outcome, output, ...(artifact && { artifact }) });
}

// ── whether a call may run: askGate → askHost ────────────────────────────────────────────────────────────────────────

/** Asks the gate about the input. */
function askGate(call: PendingCall): void | Promise<void> {
  const decided = askGateAbout(call, call.permission.hook);
  return isThenable(decided)
    ? decided.then((decision) => acceptDecision(call, decision))
    : acceptDecision(call, decided);
}

function acceptDecision(call: PendingCall, decision: PermissionDecision): void | Promise<void> {
  if (call.isOver) return;
  call.permission.decision = decision;
  if (!isUnconditionalAllow(decision) || call.earlier) return applyDecision(call, decision);
}

async function applyDecision(call: PendingCall, decision: PermissionDecision): Promise<void> {
  await denyIfRefused(call, decision);
  const denial = earlierDenial(call);
  if (denial) {
    reportAnswer(call, denial);
    await denyAsAnswered(call, denial);
  }
  if (decision.updatedInput !== undefined) await replaceInput(call, decision.updatedInput);
}

/** A human's no stands even if the gate would allow the call by now. The answer to a tool's own question is for the tool. */
function earlierDenial(call: PendingCall): Answer | undefined {
  if (!call.earlier || call.suspension) return undefined;
  return call.earlier.find(({ answer }) => answer && "decision" in answer && answer.decision === "deny")?.answer;
}

/** Asks the host for an approval, if one is needed, and then whatever the suspended tool wants to know. */
function askHost(call: PendingCall): void | Promise<void> {
  if (call.permission.needsApproval || call.suspension) return askForAnswers(call);
}

async function askForAnswers(call: PendingCall): Promise<void> {
  // A call that waits for the host holds up only those that it conflicts with.
  takeClaims(call);
  releaseSlot(call);
  if (call.permission.needsApproval) await askForApproval(call);
  if (call.suspension && !call.isOver) await askForTool(call);
}

async function askForApproval(call: PendingCall): Promise<void> {
  const { decision, isDeferred: defer, mustConfirm } = call.permission;
  const answer = await obtainAnswer(call, {
    kind: "approval",
    reason: mustConfirm ?? decision?.reason ?? defaultReason(call.target.name, defer),
    input: call.args,
    suggestions: decision?.suggestions ?? [],
    ...(decision?.rule && { rule: decision.rule.rule }),
    defer,
  });
  if (!answer || call.isOver) return;
  reportAnswer(call, answer);
  if (!("decision" in answer) || answer.decision !== "allow") return denyAsAnswered(call, answer);
  call.permission.isApproved = true;
  if (call.run.config.gate.usesLabels) noteApproval(call);
  if (answer.updatedInput === undefined) return;
  await replaceInput(call, answer.updatedInput);
  if (call.isOver) return;
  // The answer replaces the ask only: a rule against the new input still counts.
  await denyIfRefused(call, await askGateAbout(call, undefined));
}

function defaultReason(name: string, isDeferred: boolean): string {
  return isDeferred ? "A hook deferred this call to the host." : `"${name}" needs approval.`;
}

/** The number of times that a tool may suspend one call in one run. */
const MAX_REENTRIES = 1_000;
const REENTRIES_PER_BREATH = 8;

function endlessMessage(name: string): string {
  return `Tool "${name}" suspended one call ${MAX_REENTRIES} times and was given up. This is a bug in the tool.`;
}

/** Asks what the tool wanted to know when it suspended itself; it is then entered again. */
async function askForTool(call: PendingCall): Promise<void> {
  if (++call.reentries > MAX_REENTRIES) refuseCall(call, "failure", "TOOL_FAILED", endlessMessage(call.target.name));
  // Answers that are there at once must not keep timers, and so an abort, from being served.
  if (call.reentries % REENTRIES_PER_BREATH === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  if (call.isOver) return;
  const { request, state } = call.suspension!;
  const { kind, reason, input = call.args } = request;
  const answer = await obtainAnswer(call, { kind, reason, input, state, suggestions: [] });
  if (!answer || call.isOver) return;
  if (kind === "approval") reportAnswer(call, answer);
  call.resumed = { answer, state };
  call.suspension = undefined;
  call.moveTo("preparing");
}

function denyAsAnswered(call: PendingCall, answer: Answer): Promise<never> {
  const why = "decision" in answer && answer.reason ? `: ${answer.reason}` : ".";
  return denyCall(call, `"${call.target.name}" was denied by ${answer.by ?? "the host"}${why}`);
}

function reportAnswer(call: PendingCall, answer: Answer): void {
  const isAllowed = "decision" in answer && answer.decision === "allow";
  const reason = "decision" in answer ? answer.reason : undefined;
  const decision: PermissionDecision = {
    behavior: isAllowed ? "allow" : "deny",
    ...(reason !== undefined && { reason }),
  };
  reportDecision(call, decision, answer.by ?? "host");
}
