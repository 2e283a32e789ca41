// The last stages of a call: postToolUse → fitResult. Recording the result is up to the call's message.
import type { JsonValue } from "../../contracts/json.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { settlesWithin } from "../../time/settles-within.js";
import { unlessAborted } from "../../time/unless-aborted.js";
import { DEFAULT_HOOK_TIMEOUT_MS } from "../tools/tool-defaults.js";
import type { PendingCall } from "./pending-call.js";
import { DEFAULT_MAX_RESULT_CHARS, fitOutput, isOversized } from "./result-budget.js";
import { fireToolHook, hasHook } from "./tool-hooks.js";

export function postToolUse(call: PendingCall): void | Promise<void> {
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

export function fitResult(call: PendingCall): void | Promise<void> {
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
