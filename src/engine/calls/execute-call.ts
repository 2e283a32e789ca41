// The second half of a call's pipeline: execute → PostToolUse → size budget → record.
import { type HarnessError, ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { BaseTool, ToolOutput } from "../../contracts/tool.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import type { CallHost } from "./call-environment.js";
import type { CallRun } from "./pending-call.js";
import { DEFAULT_MAX_RESULT_CHARS, isOversized, offload } from "./result-budget.js";
import { failure, refusal, resultOf } from "./tool-result.js";

/** Enters the tool once. Afterwards the call has its result, or a suspension. */
export async function attempt(call: CallRun, tool: BaseTool, input: unknown, host: CallHost): Promise<void> {
  const startedAt = host.now();
  const elapsed = () => Math.max(0, host.now() - startedAt);
  const timeoutMs = host.timeoutMs(tool);
  const deadline =
    timeoutMs === null ? undefined : host.deadlines.add(timeoutMs, () => timeOut(call, timeoutMs, elapsed()));
  call.startedAt = startedAt;
  let result: ToolResult;
  try {
    const returned = tool.execute(input, call.context);
    const output = isProgressing(returned) ? await drain(call, returned) : await returned;
    result = resultOf(call.call, output, elapsed()) ?? noOutput(call, output, elapsed());
  } catch (error) {
    result = failure(call.call, error, elapsed());
  }
  if (deadline) host.deadlines.remove(deadline);
  if (call.over || call.suspension) return;
  if (!host.hasHook(postPoint(result)) && !isOversized(result.output, maxCharsOf(tool))) call.settle(result);
  else await finish(call, tool, result, host);
}

function noOutput(call: CallRun, output: unknown, durationMs: number): ToolResult {
  const message = `Tool "${call.call.name}" returned ${describeOutput(output)} where text or { output } was expected. This is a fault of the tool.`;
  return refusal(call.call, "failure", "TOOL_RESULT_INVALID", message, { durationMs });
}

/** Gives the call up; what it still does is nobody's business any more. */
export function timeOut(call: CallRun, timeoutMs: number, durationMs: number): void {
  const name = call.call.name;
  const message = `Tool "${name}" did not end within ${timeoutMs} ms and was given up. What it had begun may be half done: check before you repeat it.`;
  const error = new ToolError("TOOL_TIMEOUT", { message });
  call.interrupt(refusal(call.call, "timeout", "TOOL_TIMEOUT", message, { details: { timeoutMs }, durationMs }), error);
}

/** How often a generator that never waits lets timers run: without them neither its timeout nor an abort would come. */
const STEPS_PER_BREATH = 1_024;

/** Hands on what the tool yields; stops it as soon as nobody waits for it any more. */
async function drain(call: CallRun, running: AsyncGenerator<JsonValue, ToolOutput>): Promise<ToolOutput> {
  for (let steps = 1; ; steps++) {
    if (steps % STEPS_PER_BREATH === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const step = await running.next();
    if (step.done) return step.value;
    if (call.over || call.suspension) {
      await running.return("");
      return "";
    }
    call.context.progress(step.value);
  }
}

/** Hooks and size budget. */
async function finish(call: CallRun, tool: BaseTool, result: ToolResult, host: CallHost): Promise<void> {
  const hooked = await afterHooks(call, result, host);
  if (call.over) return;
  const maxChars = maxCharsOf(tool);
  if (!isOversized(hooked.output, maxChars)) {
    call.settle(hooked);
    return;
  }
  const { artifacts, sessionId } = call.scope;
  const { output, artifact } = await offload(hooked.output, maxChars, artifacts, sessionId);
  call.settle({ ...hooked, output, ...(artifact && { artifact }) });
}

function maxCharsOf(tool: BaseTool): number {
  return tool.maxResultChars ?? DEFAULT_MAX_RESULT_CHARS;
}

function postPoint({ isError }: ToolResult): "PostToolUse" | "PostToolUseFailure" {
  return isError ? "PostToolUseFailure" : "PostToolUse";
}

async function afterHooks(call: CallRun, result: ToolResult, host: CallHost): Promise<ToolResult> {
  const { isError, durationMs, output } = result;
  if (!host.hasHook(postPoint(result))) return result;
  const outcome = isError
    ? await host.runHook(call, "PostToolUseFailure", {
        ...call.hookPayload,
        error: typeof output === "string" ? output : JSON.stringify(output),
        isInterrupt: result.status === "aborted",
        durationMs,
      })
    : await host.runHook(call, "PostToolUse", {
        ...call.hookPayload,
        toolResponse: output as JsonValue,
        durationMs,
      });
  if (outcome.updatedToolOutput === undefined) return result;
  // What the tool has kept is what the hook has replaced.
  const { artifact: _, ...rest } = result;
  return { ...rest, output: outcome.updatedToolOutput };
}

function isProgressing(value: unknown): value is AsyncGenerator<JsonValue, ToolOutput> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function describeOutput(output: unknown): string {
  if (output === null || output === undefined) return String(output);
  return Array.isArray(output) ? "an array" : `a value of type ${typeof output}`;
}

/** The result of a call that was ended from outside. */
export function aborted(call: CallRun, reason: HarnessError, durationMs: number): ToolResult {
  const when =
    call.startedAt > 0 ? "while it was running; what it had begun may be half done" : "before it had started";
  return refusal(call.call, "aborted", "TOOL_ABORTED", `The call was aborted ${when}. ${reason.message}`, {
    durationMs,
  });
}
