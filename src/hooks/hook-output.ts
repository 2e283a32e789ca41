// The output of a hook program, by exit code and standard output, as a HookResult.
import type { HookInput, HookPoint } from "../contracts/hook.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import { splitHeadAndTail } from "../text/head-and-tail.js";
import { ANSWER_FIELDS, type HookAnswer, unreadIn } from "./answer-fields.js";
import { readLastObject } from "./answer-object.js";
import { ourInput, ourOutput, ourUpdates } from "./dialect.js";

/** The end of a hook program. */
export interface ProgramOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether a part of `stdout` that may hold an answer was dropped, because there was too much of it. */
  readonly isCut?: boolean | undefined;
}

/** The hook point that an answer is for. */
export interface AskedPoint {
  readonly point: HookPoint;
  /** The tool of the call, at points about one. */
  readonly tool?: string;
}

/** The hook point that an answer to this input is for. */
export function askedOf(input: HookInput): AskedPoint {
  return { point: input.hookEventName, ...("toolName" in input && { tool: input.toolName }) };
}

/** Points whose plain output goes to the model. */
const CONTEXT_POINTS: ReadonlySet<HookPoint> = new Set(["UserPromptExpansion", "UserPromptSubmit", "SessionStart"]);
/** Points at which exit code 2 cannot stop anything: the text is shown to the host. */
const SHOWN_ONLY: ReadonlySet<HookPoint> = new Set([
  "SessionStart",
  "SessionEnd",
  "InstructionsLoaded",
  "MessageDisplay",
  "DirectoryAdded",
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
/** The decisions about a call. */
const PERMISSIONS = ["allow", "deny", "ask", "defer"];
/** The most of a string that is kept: a program that floods its output floods neither the model nor the host. */
const MAX_TEXT_CHARS = 10_000;
/** The part of standard error for the host. */
const SHOWN_CHARS = 2_000;

/** The mark of an answer, whatever stands around it. */
const DECISION = /["'](?:decision|permissionDecision|hookSpecificOutput)\\?["']\s*:/;

/**
 * An answer that was given and cannot be read. What it said may have been a no: at the points that guard it blocks,
 * unless the hook's options say otherwise.
 */
export class UnreadableAnswer extends Error {}

/**
 * Exit code 0: standard output is read, as JSON when it holds an object. 2: a block, with standard error as the reason.
 * Anything else throws, so that the hook's `onFailure` decides.
 */
export function answerOf(outcome: ProgramOutcome, asked: AskedPoint): HookAnswer {
  const { exitCode, signal, stdout, stderr, isCut } = outcome;
  if (exitCode === 0) return answerOfText(stdout, asked, isCut);
  const said = shortened(stderr.trim());
  if (exitCode !== 2) {
    // The output of a program that fails was not written for the model, and may hold what it should not read.
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
    throw new Error(`the command ${how}`, said ? { cause: said.slice(0, SHOWN_CHARS) } : undefined);
  }
  const why = said || shortened(reasonIn(stdout));
  if (SHOWN_ONLY.has(asked.point)) return why ? { systemMessage: why } : {};
  return { decision: "block", reason: why || `A ${asked.point} hook blocked this without saying why.` };
}

/** A program that blocks by its exit code may say why in JSON, as if it had ended with 0. */
function reasonIn(stdout: string): string {
  const read = readLastObject(stdout, ANSWER_FIELDS);
  const answer = (read.kind === "object" ? read.object : {}) as Record<string, unknown>;
  const specific = Object(answer.hookSpecificOutput) as { permissionDecisionReason?: unknown; decision?: unknown };
  const { message } = Object(specific.decision) as { message?: unknown };
  const reasons = [answer.reason, specific.permissionDecisionReason, message, answer.stopReason];
  return String(reasons.find((reason) => typeof reason === "string" && reason.trim() !== "") ?? "").trim();
}

/**
 * Reads the last JSON object that begins a line and has a field of an answer. Text without one is no decision, and
 * context where plain output goes to the model: there, an object or a line with a brace that says nothing about a
 * decision may be a part of that text.
 *
 * @throws UnreadableAnswer for what begins like a JSON object and is not one, for a decision that is not known and for an
 *   answer to another event
 */
export function answerOfText(given: string, asked: AskedPoint, isCut = false): HookAnswer {
  const text = given.replace(/^\s+|\s+$/g, "");
  const read = readLastObject(text, ANSWER_FIELDS);
  if (read.kind === "object" && (text.startsWith("{") || ANSWER_FIELDS.some((field) => field in read.object))) {
    return answerOfJson(read.object, asked);
  }
  const isText = CONTEXT_POINTS.has(asked.point) && !text.startsWith("{");
  if (read.kind === "unreadable" && !(isText && !DECISION.test(text))) {
    throw new UnreadableAnswer("the output is not valid JSON", { cause: read.reason });
  }
  if (read.kind === "none" && /\{/.test(text) && DECISION.test(text)) {
    throw new UnreadableAnswer("the output has JSON that does not begin a line");
  }
  if (isCut) throw new UnreadableAnswer("the output was too long to be read, and what was dropped has braces");
  if (asked.point === "WorktreeCreate") return text === "" ? {} : { worktreePath: text.split("\n").at(-1)!.trim() };
  return text !== "" && isText ? { additionalContext: shortened(text) } : {};
}

function answerOfJson(answer: JsonObject, asked: AskedPoint): HookAnswer {
  const { continue: goOn, stopReason, suppressOutput, systemMessage, decision, reason } = answer;
  assertKnown("continue", goOn, [true, false]);
  assertKnown("decision", decision, ["approve", "block", "deny"]);
  return withoutAbsent({
    continue: goOn,
    stopReason,
    suppressOutput,
    systemMessage,
    // Some dialects of the protocol say so, and none means anything else by it.
    decision: decision === "deny" ? "block" : decision,
    reason,
    ...specificAnswer(answer, asked),
    ...unreadIn(answer, asked.point),
  });
}

/** @throws UnreadableAnswer for a value that decides nothing we know of, and so would be no decision at all */
function assertKnown(field: string, value: JsonValue | undefined, known: readonly JsonValue[]): void {
  if (value === undefined || value === null || known.includes(value)) return;
  throw new UnreadableAnswer(`the answer's "${field}" is none of ${known.join(", ")}`);
}

function specificAnswer(answer: JsonObject, asked: AskedPoint): Record<string, unknown> {
  // Some write the decision about a call beside the object it belongs into.
  const { permissionDecision, permissionDecisionReason, hookSpecificOutput } = answer;
  const specific = hookSpecificOutput ?? ({ permissionDecision, permissionDecisionReason } as JsonObject);
  if (typeof specific !== "object" || Array.isArray(specific)) {
    throw new UnreadableAnswer('"hookSpecificOutput" is not an object');
  }
  const { hookEventName } = specific;
  if (hookEventName !== undefined && hookEventName !== asked.point) {
    throw new UnreadableAnswer(`the answer is for ${JSON.stringify(hookEventName)}, but ${asked.point} was asked`);
  }
  const { additionalContext } = specific;
  switch (asked.point) {
    case "PreToolUse":
      assertKnown("permissionDecision", specific.permissionDecision, PERMISSIONS);
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
      assertKnown("permissionDecision", specific.permissionDecision, PERMISSIONS);
      if (specific.permissionDecision !== "deny") return {};
      return { decision: "block", reason: specific.permissionDecisionReason };
    case "WorktreeCreate":
      return { worktreePath: specific.worktreePath };
    case "MessageDisplay":
      return { displayContent: specific.displayContent };
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
  if (decision === undefined || decision === null) return {};
  if (typeof decision !== "object" || Array.isArray(decision)) {
    throw new UnreadableAnswer('the "decision" of "hookSpecificOutput" is not an object');
  }
  const { behavior, updatedInput, updatedPermissions, message, interrupt } = decision;
  assertKnown("behavior", behavior, PERMISSIONS);
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
function withoutAbsent(result: Record<string, unknown>): HookAnswer {
  return Object.fromEntries(
    Object.entries(result)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => [key, TEXTS.has(key) && typeof value === "string" ? shortened(value) : value]),
  );
}

/** The text without its middle if it is long: reports begin with their subject and end with the outcome. */
function shortened(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  const half = MAX_TEXT_CHARS / 2;
  const { head, tail, omittedChars } = splitHeadAndTail(text, half, half);
  return `${head}\n… (${omittedChars} characters left out) …\n${tail}`;
}
