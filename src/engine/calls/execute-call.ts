// The stage `execute`: enters the tool once. Afterwards the call has an outcome, or a suspension.
import type { PendingRequest } from "../../contracts/approval.js";
import { ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { ToolOutput } from "../../contracts/tool.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { isThenable } from "../../time/is-promise.js";
import type { PendingCall } from "./pending-call.js";
import { askGateAbout, denyIfRefused, isUnconditionalAllow } from "./permission/gate.js";
import { denyCall } from "./refuse-call.js";
import { errorResult, failureResult, outputResult } from "./tool-result.js";

export function execute(call: PendingCall): Promise<void> {
  const isInDoubt = call.decision?.provisional === true && call.wasBlocked && !call.isApproved;
  return isInDoubt ? recheckAndExecute(call) : enterTool(call);
}

/** A permission that depended on what an earlier call may have changed is asked for again; only a plain allow counts. */
async function recheckAndExecute(call: PendingCall): Promise<void> {
  const decision = await askGateAbout(call, call.hookSays);
  if (call.isOver) return;
  await denyIfRefused(call, decision);
  if (!isUnconditionalAllow(decision)) {
    const { name } = call.target;
    const why = `An earlier call changed what "${name}" would do here, so its permission no longer applies. Call it again.`;
    await denyCall(call, why);
  }
  // Once is enough: what the tool does after a suspension rests on this decision.
  call.decision = { behavior: "allow" };
  await enterTool(call);
}

async function enterTool(call: PendingCall): Promise<void> {
  const { environment } = call;
  const tool = call.tool!;
  const startedAt = environment.now();
  const elapsed = () => Math.max(0, environment.now() - startedAt);
  const timeoutMs = environment.timeoutMs(tool);
  const deadline =
    timeoutMs === null ? undefined : environment.deadlines.add(timeoutMs, () => timeOut(call, timeoutMs, elapsed()));
  call.startedAt = startedAt;
  call.wasEntered = true;
  call.children = undefined;
  call.moveTo("running");
  let outcome: ToolResult;
  try {
    const returned: unknown = environment.enter(call, () => tool.execute(call.input, call.context));
    const output = isProgressing(returned)
      ? await drain(call, returned)
      : isThenable(returned)
        ? await returned
        : returned;
    outcome = outputResult(call.call, output as ToolOutput, elapsed()) ?? invalidOutput(call, output, elapsed());
  } catch (error) {
    outcome = failureResult(call.call, error, elapsed());
  }
  if (deadline) environment.deadlines.remove(deadline);
  const asked = questionsFromBelow(call);
  if (asked.length > 0) return environment.suspendFor(call, asked);
  if (!call.suspension) call.outcome = outcome;
}

/** What its sub-agents have asked since the tool was entered. */
function questionsFromBelow({ children }: PendingCall): readonly PendingRequest[] {
  return children?.questions ?? [];
}

function invalidOutput(call: PendingCall, output: unknown, durationMs: number): ToolResult {
  const message = `Tool "${call.target.name}" returned ${describeOutput(output)} where a string, { output } or another JSON value was expected. This is a bug in the tool.`;
  return errorResult(call.call, "failure", "TOOL_RESULT_INVALID", message, { durationMs });
}

function describeOutput(output: unknown): string {
  if (output === null || output === undefined) return String(output);
  return Array.isArray(output) ? "an array" : `a value of type ${typeof output}`;
}

/** How many steps a generator that never waits may take before timers run; without them, no timeout or abort would reach it. */
const STEPS_PER_BREATH = 1_024;

/** Passes on what the tool yields; stops it as soon as nobody waits for it any more. */
async function drain(call: PendingCall, running: AsyncGenerator<JsonValue, ToolOutput>): Promise<ToolOutput> {
  for (let steps = 1; ; steps++) {
    if (steps % STEPS_PER_BREATH === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const step = await call.environment.enter(call, () => running.next());
    if (step.done) return step.value;
    if (call.isOver || call.suspension) {
      await running.return("");
      return "";
    }
    call.context.progress(step.value);
  }
}

function isProgressing(value: unknown): value is AsyncGenerator<JsonValue, ToolOutput> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Gives the call up: whatever it still does is ignored. */
export function timeOut(call: PendingCall, timeoutMs: number, durationMs: number): void {
  const { name } = call.target;
  const message = `Tool "${name}" did not end within ${timeoutMs} ms and was abandoned. Its work may be half done: check before you repeat it.`;
  const error = new ToolError("TOOL_TIMEOUT", { message });
  const about = { details: { timeoutMs }, durationMs };
  call.interrupt(errorResult(call.call, "timeout", "TOOL_TIMEOUT", message, about), error);
}
