// What a hook program says, by exit code and standard output, as a HookResult.
import type { HookPoint, HookResult } from "../contracts/hook.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import { ourInput, ourOutput } from "./dialect.js";
import { ourUpdates } from "./permission-updates.js";

/** How a hook program ended. */
export interface ProgramOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Whom an answer is for. */
export interface Asked {
  readonly point: HookPoint;
  /** The tool of the call, at points about one. */
  readonly tool?: string;
}

/** Points whose plain output is told to the model. */
const CONTEXT_POINTS: ReadonlySet<HookPoint> = new Set(["UserPromptSubmit", "SessionStart"]);
/** Points at which exit code 2 cannot stop anything: the text is shown to the host. */
const SHOWN_ONLY: ReadonlySet<HookPoint> = new Set([
  "SessionStart",
  "SessionEnd",
  "InstructionsLoaded",
  "PostModelCall",
  "PermissionDenied",
  "PostCompact",
  "SubagentStart",
  "StopFailure",
  "Notification",
  "TaskCreated",
  "TaskCompleted",
  "Elicitation",
  "ElicitationResult",
  "CwdChanged",
  "FileChanged",
  "PostModelSwitch",
]);
const SHOWN_CHARS = 2_000;

/**
 * Exit code 0: standard output is read, as JSON when it is one object. 2: a block, with standard error as the reason.
 * Anything else throws, so that the hook's `onFailure` decides.
 */
export function answerOf({ exitCode, signal, stdout, stderr }: ProgramOutcome, asked: Asked): HookResult {
  if (exitCode === 0) return answerOfText(stdout, asked);
  const said = stderr.trim().slice(0, SHOWN_CHARS);
  if (exitCode !== 2) {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
    throw new Error(`the command ${how}${said ? `: ${said}` : ""}`);
  }
  if (SHOWN_ONLY.has(asked.point)) return said ? { systemMessage: said } : {};
  return { decision: "block", reason: said || `A ${asked.point} hook blocked this without saying why.` };
}

/** @throws Error for text that begins like a JSON object and is none, or that answers another event */
export function answerOfText(text: string, asked: Asked): HookResult {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{")) {
    return trimmed !== "" && CONTEXT_POINTS.has(asked.point) ? { additionalContext: trimmed } : {};
  }
  let answer: JsonObject;
  try {
    answer = JSON.parse(trimmed);
  } catch (cause) {
    throw new Error(`the answer is no valid JSON (${(cause as Error).message})`, { cause });
  }
  return answerOfJson(answer, asked);
}

function answerOfJson(answer: JsonObject, asked: Asked): HookResult {
  const { continue: goOn, stopReason, suppressOutput, systemMessage, decision, reason } = answer;
  return withoutAbsent({
    continue: goOn,
    stopReason,
    suppressOutput,
    systemMessage,
    decision,
    reason,
    ...specificAnswer(answer.hookSpecificOutput, asked),
  });
}

function specificAnswer(specific: JsonValue | undefined, asked: Asked): Record<string, unknown> {
  if (specific === undefined || specific === null) return {};
  if (typeof specific !== "object" || Array.isArray(specific)) throw new Error('"hookSpecificOutput" is no object');
  const { hookEventName } = specific;
  if (hookEventName !== undefined && hookEventName !== asked.point) {
    throw new Error(`the answer is for ${JSON.stringify(hookEventName)}, but ${asked.point} was asked`);
  }
  const { additionalContext } = specific;
  switch (asked.point) {
    case "PreToolUse":
      return {
        additionalContext,
        permissionDecision: specific.permissionDecision,
        permissionDecisionReason: specific.permissionDecisionReason,
        updatedInput: inputOf(specific.updatedInput, asked),
      };
    case "PermissionRequest":
      return permissionAnswer(specific.decision, asked);
    case "PostToolUse":
      return {
        additionalContext,
        updatedToolOutput: outputOf(specific.updatedToolOutput ?? specific.updatedMCPToolOutput, asked),
      };
    case "PreModelSwitch":
      if (specific.permissionDecision !== "deny") return {};
      return { decision: "block", reason: specific.permissionDecisionReason };
    default:
      return { additionalContext };
  }
}

function permissionAnswer(decision: JsonValue | undefined, asked: Asked): Record<string, unknown> {
  if (typeof decision !== "object" || decision === null || Array.isArray(decision)) return {};
  const { behavior, updatedInput, updatedPermissions, message, interrupt } = decision;
  return {
    permissionDecision: behavior,
    permissionDecisionReason: message,
    updatedInput: inputOf(updatedInput, asked),
    ...(updatedPermissions !== undefined && { updatedPermissions: ourUpdates(updatedPermissions) }),
    ...(interrupt === true && { continue: false, stopReason: message }),
  };
}

function inputOf(updated: JsonValue | undefined, { tool }: Asked): JsonValue | undefined {
  return updated === undefined || tool === undefined ? updated : ourInput(tool, updated);
}

function outputOf(updated: JsonValue | undefined, { tool }: Asked): string | undefined {
  return updated === undefined || updated === null ? undefined : ourOutput(tool ?? "", updated);
}

/** The engine checks the types; a field that is `null` counts as not there. */
function withoutAbsent(result: Record<string, unknown>): HookResult {
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined && value !== null));
}
