import type { JsonValue } from "../../contracts/json.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { settlesWithin } from "../../time/settles-within.js";
import { unlessAborted } from "../../time/unless-aborted.js";
import type { PendingCall } from "./pending-call.js";
import { DEFAULT_MAX_RESULT_CHARS, fitOutput, isOversized } from "./result-budget.js";
import { DEFAULT_HOOK_TIMEOUT_MS } from "./tool-defaults.js";
// The last stages of a call: postToolUse → fitResult. Recording the result is up to the call's message.

export function postToolUse(call: PendingCall): void | Promise<void> {
  if (call.environment.hasHook(postPoint(call.outcome!))) return runPostToolUse(call, call.outcome!);
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
  const { environment, hookPayload } = call;
  const { isError, durationMs, output, status, details } = outcome;
  const text = typeof output === "string" ? output : JSON.stringify(output);
  const exitCode = exitCodeOf(outcome);
  const said =
    postPoint(outcome) === "PostToolUseFailure"
      ? await environment.runHook(call, "PostToolUseFailure", {
          ...hookPayload,
          error: isError || exitCode === undefined ? text : `Exit code ${exitCode}\n${text}`,
          ...(exitCode !== undefined && { exitCode }),
          isInterrupt: status === "aborted",
          durationMs,
        })
      : await environment.runHook(call, "PostToolUse", {
          ...hookPayload,
          toolResponse: output as JsonValue,
          ...(details !== undefined && { toolDetails: details }),
          durationMs,
        });
  await informTool(call);
  if (said.updatedToolOutput === undefined) return;
  // The artifact holds what the hook has replaced.
  const { artifact: _, ...rest } = outcome;
  call.outcome = { ...rest, output: said.updatedToolOutput };
}

/** The call is done, whatever its tool makes of the hooks. */
async function informTool({ tool, signal, call, environment: { sessionId } }: PendingCall): Promise<void> {
  if (!tool?.afterHooks) return;
  const informed = (async () => tool.afterHooks?.({ toolCallId: call.id, sessionId }))();
  await settlesWithin(unlessAborted(informed, signal), DEFAULT_HOOK_TIMEOUT_MS);
}

export function fitResult(call: PendingCall): void | Promise<void> {
  const outcome = call.outcome!;
  const maxChars = maxCharsOf(call.tool!);
  if (isOversized(outcome.output, maxChars, call.environment)) return moveToArtifact(call, outcome, maxChars);
  call.settle(outcome);
}

function maxCharsOf(tool: BaseTool): number {
  return tool.maxResultChars ?? DEFAULT_MAX_RESULT_CHARS;
}

async function moveToArtifact(call: PendingCall, outcome: ToolResult, maxChars: number): Promise<void> {
  const { artifacts, sessionId, fitsMedia } = call.environment;
  const kept = { whole: outcome.artifact, fitsMedia };
  const { output, artifact } = await fitOutput(outcome.output, maxChars, artifacts, sessionId, kept);
  call.settle({ ...outcome, output, ...(artifact && { artifact }) });
}
