// The stage `execute`: enters the tool once. Afterwards the call has an outcome, or a suspension.
import type { PendingRequest } from "../../contracts/approval.js";
import type { JsonValue } from "../../contracts/json.js";
import type { ToolOutput } from "../../contracts/tool.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { isThenable } from "../../time/is-promise.js";
import type { CallChildren } from "../run/call-children.js";
import { timeoutOf } from "../tools/tool-defaults.js";
import { endBegun } from "./begun-result.js";
import { denyCall, timeOut } from "./fail-call.js";
import type { PendingCall } from "./pending-call.js";
import { askGateAbout, denyIfRefused, failureOfGate, isUnconditionalAllow } from "./permission/gate.js";
import { errorResult, failureResult, labelSaidIn, outputResult, saidBy } from "./tool-result.js";

export function execute(call: PendingCall): Promise<void> {
  const { decision, isApproved } = call.permission;
  const isInDoubt = decision?.provisional === true && call.place.wasBlocked && !isApproved;
  return isInDoubt ? recheckAndExecute(call) : call.permission.before ? noteAndExecute(call) : enterTool(call);
}

/** What the gate keeps on record of a call is there before the call can do anything, and not of one that never starts. */
async function noteAndExecute(call: PendingCall): Promise<void> {
  try {
    for (const work of call.permission.before ?? []) await work();
    call.permission.before = undefined;
  } catch (error) {
    await denyCall(call, failureOfGate(error));
  }
  if (!call.isOver) await enterTool(call);
}

/** A permission that depended on what an earlier call may have changed is asked for again; only a plain allow counts. */
async function recheckAndExecute(call: PendingCall): Promise<void> {
  const decision = await askGateAbout(call, call.permission.hook);
  if (call.isOver) return;
  await denyIfRefused(call, decision);
  if (!isUnconditionalAllow(decision)) {
    const { name } = call.target;
    const why = `An earlier call changed what "${name}" would do here, so its permission no longer applies. Call it again.`;
    await denyCall(call, why);
  }
  // Once is enough: what the tool does after a suspension rests on this decision.
  const { label } = decision;
  call.permission.decision = { behavior: "allow", ...(label && { label }) };
  await noteAndExecute(call);
}

async function enterTool(call: PendingCall): Promise<void> {
  const { config, deadlines, limits } = call.run;
  const tool = call.tool!;
  const startedAt = config.runtime.now();
  const elapsed = () => Math.max(0, config.runtime.now() - startedAt);
  const timeoutMs = timeoutOf(tool, limits.toolTimeoutMs);
  const deadline = timeoutMs === null ? undefined : deadlines.add(timeoutMs, () => timeOut(call, timeoutMs, elapsed()));
  call.startedAt = startedAt;
  const isAgain = call.wasEntered;
  call.wasEntered = true;
  call.children = undefined;
  call.moveTo("running");
  let outcome: ToolResult;
  try {
    const returned: unknown = observed(call, () => tool.execute(call.input, call.context));
    const output = isProgressing(returned)
      ? await drain(call, returned)
      : isThenable(returned)
        ? await returned
        : returned;
    // The model alone reads the result of its own calls.
    const { caller, nested } = call.run.setup;
    const wantsValue = caller !== undefined || nested !== undefined;
    if (config.gate.usesLabels) call.label = labelSaidIn(output);
    outcome =
      outputResult(call.call, output as ToolOutput, elapsed(), wantsValue) ?? invalidOutput(call, output, elapsed());
  } catch (error) {
    outcome = failureResult(call.call, error, elapsed());
  }
  if (deadline) deadlines.remove(deadline);
  // The type does not know that the tool may have some by now.
  const { record, questions: asked = [] } = (call.children as CallChildren | undefined) ?? {};
  const endedEarly = record && (await record.close());
  if (asked.length > 0) return suspendFor(call, asked);
  if (endedEarly && !outcome.isError) outcome = failureResult(call.call, endedEarly, outcome.durationMs);
  if (call.suspension) return;
  // That it was not started now says nothing of what it did before.
  const isInDoubt = isAgain && saidBy(outcome.details) === "not-started";
  call.outcome = isInDoubt ? await endBegun(call, outcome) : outcome;
}

/** Runs a piece of the tool's own code, inside what observers put around it. */
function observed<T>({ run, call }: PendingCall, work: () => T): T {
  const { observers } = run.setup.sink;
  return observers.isEmpty ? work() : observers.aroundTool(run.id, call.id, work);
}

/**
 * Suspends a call with the questions of its sub-agents. They are recorded where the call is: the agent that is suspended
 * knows what for, and so does the host.
 */
async function suspendFor(call: PendingCall, questions: readonly PendingRequest[]): Promise<void> {
  await call.message.whenRecorded(call);
  if (call.isOver) return;
  const via = call.call.id;
  for (const request of questions) call.run.recorder.record({ type: "pending", request, via });
  call.suspend(questions[0]!);
}

function invalidOutput(call: PendingCall, output: unknown, durationMs: number): ToolResult {
  const message = `Tool "${call.target.name}" returned ${describeOutput(output)} where a string, { output } or another JSON value was expected. This is a bug in the tool.`;
  return errorResult(call.call, "failure", "TOOL_RESULT_INVALID", message, { durationMs });
}

function describeOutput(output: unknown): string {
  if (output === null || output === undefined) return String(output);
  return Array.isArray(output) ? "an array" : `a value of type ${typeof output}`;
}

/** The steps that a generator that never waits may take before timers run; without them, no timeout or abort would reach it. */
const STEPS_PER_BREATH = 1_024;

/** Passes on what the tool yields; stops it as soon as nobody waits for it any more. */
async function drain(call: PendingCall, running: AsyncGenerator<JsonValue, ToolOutput>): Promise<ToolOutput> {
  for (let steps = 1; ; steps++) {
    if (steps % STEPS_PER_BREATH === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const step = await observed(call, () => running.next());
    if (step.done) return step.value;
    if (call.isOver || call.suspension) {
      await running.return("");
      return "";
    }
    call.context.progress(step.value);
  }
}

export function isProgressing(value: unknown): value is AsyncGenerator<JsonValue, ToolOutput> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
