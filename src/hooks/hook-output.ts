// What a hook program says, by exit code and standard output, as a HookResult.
import type { HookInput, HookPoint, HookResult } from "../contracts/hook.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import { splitHeadAndTail } from "../text/head-and-tail.js";
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
export interface AskedPoint {
  readonly point: HookPoint;
  /** The tool of the call, at points about one. */
  readonly tool?: string;
}

/** Whom an answer to this input is for. */
export function askedOf(input: HookInput): AskedPoint {
  return { point: input.hookEventName, ...("toolName" in input && { tool: input.toolName }) };
}

/** Points whose plain output goes to the model. */
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
  "TeammateIdle",
  "CwdChanged",
  "FileChanged",
  "PostModelSwitch",
  "Setup",
  "WorktreeRemove",
]);
const TEXTS = new Set(["stopReason", "systemMessage", "reason", "permissionDecisionReason", "additionalContext"]);
/** What is kept of a string: a program that floods its output floods neither the model nor the host. */
const MAX_TEXT_CHARS = 10_000;
/** Of standard error for the host. */
const SHOWN_CHARS = 2_000;

/**
 * Exit code 0: standard output is read, as JSON when it is one object. 2: a block, with standard error as the reason.
 * Anything else throws, so that the hook's `onFailure` decides.
 */
export function answerOf({ exitCode, signal, stdout, stderr }: ProgramOutcome, asked: AskedPoint): HookResult {
  if (exitCode === 0) return answerOfText(stdout, asked);
  const said = shortened(stderr.trim());
  if (exitCode !== 2) {
    // What a program that fails has printed was not written for the model, and may hold what it should not read.
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
    throw new Error(`the command ${how}`, said ? { cause: said.slice(0, SHOWN_CHARS) } : undefined);
  }
  const why = said || shortened(reasonIn(stdout));
  if (SHOWN_ONLY.has(asked.point)) return why ? { systemMessage: why } : {};
  return { decision: "block", reason: why || `A ${asked.point} hook blocked this without saying why.` };
}

/** A program that blocks by its exit code may say why in JSON, as if it had ended with 0. */
function reasonIn(stdout: string): string {
  let answer: { reason?: unknown; stopReason?: unknown; hookSpecificOutput?: unknown };
  try {
    answer = Object(JSON.parse(stdout));
  } catch {
    return "";
  }
  const specific = Object(answer.hookSpecificOutput) as { permissionDecisionReason?: unknown; decision?: unknown };
  const { message } = Object(specific.decision) as { message?: unknown };
  const reasons = [answer.reason, specific.permissionDecisionReason, message, answer.stopReason];
  return String(reasons.find((reason) => typeof reason === "string" && reason.trim() !== "") ?? "").trim();
}

/** @throws Error for text that begins like a JSON object and is not one, or that answers another event */
export function answerOfText(text: string, asked: AskedPoint): HookResult {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{")) {
    if (asked.point === "WorktreeCreate")
      return trimmed === "" ? {} : { worktreePath: trimmed.split("\n").at(-1)!.trim() };
    return trimmed !== "" && CONTEXT_POINTS.has(asked.point) ? { additionalContext: shortened(trimmed) } : {};
  }
  let answer: JsonObject;
  try {
    answer = JSON.parse(trimmed);
  } catch (cause) {
    throw new Error("the output is not valid JSON", { cause: (cause as Error).message });
  }
  return answerOfJson(answer, asked);
}

function answerOfJson(answer: JsonObject, asked: AskedPoint): HookResult {
  const { continue: goOn, stopReason, suppressOutput, systemMessage, decision, reason } = answer;
  return withoutAbsent({
    continue: goOn,
    stopReason,
    suppressOutput,
    systemMessage,
    // Some dialects of the protocol say so, and none means anything else by it.
    decision: decision === "deny" ? "block" : decision,
    reason,
    ...specificAnswer(answer, asked),
  });
}

function specificAnswer(answer: JsonObject, asked: AskedPoint): Record<string, unknown> {
  const { hookSpecificOutput: specific } = answer;
  if (specific === undefined || specific === null) return {};
  if (typeof specific !== "object" || Array.isArray(specific)) throw new Error('"hookSpecificOutput" is not an object');
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
    case "Elicitation":
    case "ElicitationResult":
      return elicitationAnswer(specific);
    case "PreModelSwitch":
      if (specific.permissionDecision !== "deny") return {};
      return { decision: "block", reason: specific.permissionDecisionReason };
    case "WorktreeCreate":
      return { worktreePath: specific.worktreePath };
    case "Stop":
    case "SubagentStop":
      // Context for a model that would stop needs one more turn to reach it.
      if (typeof additionalContext !== "string" || additionalContext.trim() === "") return { additionalContext };
      return {
        decision: "block",
        reason: typeof answer.reason === "string" ? `${answer.reason}\n${additionalContext}` : additionalContext,
      };
    default:
      return { additionalContext };
  }
}

function permissionAnswer(decision: JsonValue | undefined, asked: AskedPoint): Record<string, unknown> {
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

function elicitationAnswer({ action, content }: JsonObject): Record<string, unknown> {
  if (action === "accept") return { permissionDecision: "allow", updatedInput: content };
  return action === "decline" || action === "cancel" ? { permissionDecision: "deny" } : {};
}

function inputOf(updated: JsonValue | undefined, { tool }: AskedPoint): JsonValue | undefined {
  return updated === undefined || tool === undefined ? updated : ourInput(tool, updated);
}

function outputOf(updated: JsonValue | undefined, { tool }: AskedPoint): string | undefined {
  return updated === undefined || updated === null ? undefined : ourOutput(tool ?? "", updated);
}

/** The engine checks the types; a field that is `null` counts as not there. */
function withoutAbsent(result: Record<string, unknown>): HookResult {
  return Object.fromEntries(
    Object.entries(result)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => [key, TEXTS.has(key) && typeof value === "string" ? shortened(value) : value]),
  );
}

/** Of a long text the middle goes: reports say what they are about first, and what came of it last. */
function shortened(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  const half = MAX_TEXT_CHARS / 2;
  const { head, tail, omittedChars } = splitHeadAndTail(text, half, half);
  return `${head}\n… (${omittedChars} characters left out) …\n${tail}`;
}
