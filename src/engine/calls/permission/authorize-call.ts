// Whether a call may run: askGate → askHost.
import type { Answer } from "../../../contracts/approval.js";
import type { PermissionDecision } from "../../../contracts/permission.js";
import { isThenable } from "../../../time/is-promise.js";
import { releaseSlot, takeClaims } from "../call-scheduler.js";
import { denyCall, refuseCall } from "../fail-call.js";
import type { PendingCall } from "../pending-call.js";
import { replaceInput } from "../prepare-call.js";
import { noteApproval } from "./flow-request.js";
import { askGateAbout, denyIfRefused, isUnconditionalAllow, reportDecision } from "./gate.js";
import { obtainAnswer } from "./obtain-answer.js";

/** Asks the gate about the input. */
export function askGate(call: PendingCall): void | Promise<void> {
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
export function askHost(call: PendingCall): void | Promise<void> {
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
