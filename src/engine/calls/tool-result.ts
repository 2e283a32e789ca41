import type { ContentPart } from "../../contracts/content.js";
import { type HarnessError, isHarnessError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { Label } from "../../contracts/label.js";
import type { BaseTool, ToolOutput } from "../../contracts/tool.js";
import type { CallOutcome, ToolCall, ToolResult, ToolStatus } from "../../contracts/tool-call.js";
import type { ArtifactRef } from "../../contracts/workspace.js";
import { copyJson } from "../../json/copy.js";
import { isObject } from "../../json/is-object.js";
import { NO_LABEL, UNLABELLED } from "../../labels/join-labels.js";
import { labelFrom, readHints } from "../../labels/read-label.js";
import { clip } from "../../text/cut.js";
import { clipMessage, describeThrown } from "../../text/describe-thrown.js";
import { isReplayable } from "../tools/tool-defaults.js";
import { isContentPart } from "../transcript/message-shape.js";

/** Unit: characters. */
const MAX_SO_FAR_CHARS = 20_000;

/** An error result; its `details` carry the code. */
export function errorResult(
  call: ToolCall,
  status: Exclude<ToolStatus, "success">,
  code: HarnessError["code"],
  message: string,
  extra: { readonly details?: JsonValue; readonly durationMs?: number } = {},
): ToolResult {
  const { details, durationMs = 0 } = extra;
  return {
    toolCallId: call.id,
    name: call.name,
    output: clipMessage(message),
    isError: true,
    status,
    details: { ...(isObject(details) ? details : undefined), code },
    durationMs,
  };
}

/** The result of a call that was cut off, with what its tool had come to until then. */
export function withWorkSoFar(result: ToolResult, soFar: (() => string) | undefined): ToolResult {
  if (!soFar) return result;
  try {
    const text = soFar();
    return text === ""
      ? result
      : { ...result, output: `${String(result.output)}\nUntil then:\n${clip(text, MAX_SO_FAR_CHARS)}` };
  } catch {
    return result; // The call has its end; only what a tool would add to it is missing.
  }
}

/** The result of a call that had been started before, and whose end nobody knows. */
export function unknownResult({ id, name }: Pick<ToolCall, "id" | "name">): ToolResult {
  const message = `"${name}" had been started before, and its outcome is not known. Check what it did before you repeat it.`;
  return errorResult({ id, name, arguments: null }, "unknown", "TOOL_OUTCOME_UNKNOWN", message);
}

/** The result of a call whose tool threw: the error as the model reads it. */
export function failureResult(call: ToolCall, thrown: unknown, durationMs: number): ToolResult {
  if (isHarnessError(thrown)) {
    const { code } = thrown;
    const details = detailsOf(thrown.details, false);
    const extra = { ...(details && { details }), durationMs };
    const status = code === "TOOL_TIMEOUT" ? "timeout" : "failure";
    return errorResult(call, status, code, describeThrown(thrown), extra);
  }
  const message = `Tool "${call.name}" failed: ${describeThrown(thrown)}`;
  return errorResult(call, "failure", "TOOL_FAILED", message, { durationMs });
}

/** A result from what `execute` returned, with its value where that is wanted; `null` when it is not JSON. */
export function outputResult(
  call: ToolCall,
  returned: ToolOutput,
  durationMs: number,
  wantsValue: boolean,
): ToolResult | null {
  const { id: toolCallId, name } = call;
  if (typeof returned === "string") {
    return { toolCallId, name, output: returned, isError: false, status: "success", durationMs };
  }
  const envelope = readEnvelope(returned);
  if (!envelope) {
    const value = jsonCopy(returned);
    if (value === undefined) return null;
    const output = JSON.stringify(value);
    return { toolCallId, name, output, isError: false, status: "success", durationMs, ...(wantsValue && { value }) };
  }
  const { output, isError, details, artifact } = envelope;
  const kept = detailsOf(details, isError === true);
  const value = wantsValue ? dataOf(returned) : undefined;
  return {
    toolCallId,
    name,
    output,
    isError: isError === true,
    status: isError === true ? "failure" : "success",
    ...(kept !== undefined && { details: kept }),
    durationMs,
    ...(isArtifact(artifact) && { artifact: artifactOf(artifact) }),
    ...(value !== undefined && { value }),
  };
}

/** The source that a tool names for this one result. Data from elsewhere may look like the form, so it only ever lowers trust. */
export function labelSaidIn(returned: unknown): Label | undefined {
  const label = readEnvelope(returned) ? (returned as { readonly label?: unknown }).label : undefined;
  if (label === undefined) return undefined;
  const hints = readHints(label);
  return hints ? labelFrom(hints, NO_LABEL) : UNLABELLED;
}

/** A value that is not JSON counts as none. */
function dataOf(returned: ToolOutput): JsonValue | undefined {
  try {
    return jsonCopy((returned as { readonly value?: unknown }).value);
  } catch {
    return undefined;
  }
}

const ENVELOPE_KEYS: ReadonlySet<string> = new Set(["output", "isError", "details", "artifact", "value", "label"]);

interface Envelope {
  readonly output: string | readonly ContentPart[];
  readonly isError?: unknown;
  readonly details?: unknown;
  readonly artifact?: unknown;
}

/** The form with `output`; `null` for any other value. */
function readEnvelope(returned: unknown): Envelope | null {
  if (!isObject(returned) || !Object.keys(returned).every((key) => ENVELOPE_KEYS.has(key))) return null;
  // Key by key: what is spread and then added to gets a hidden class of its own each time.
  const { output, isError, details, artifact } = returned as { readonly [Key in keyof Envelope]?: unknown };
  const own = typeof output === "string" ? output : contentOf(output);
  return own === null ? null : { output: own, isError, details, artifact };
}

function jsonCopy(value: unknown): JsonValue | undefined {
  try {
    return value === undefined ? undefined : copyJson(value);
  } catch {
    return undefined;
  }
}

function isArtifact(artifact: unknown): artifact is ArtifactRef {
  if (!isObject(artifact)) return false;
  const { id, path, bytes, mediaType } = artifact;
  return [id, path, mediaType].every((text) => typeof text === "string") && Number.isFinite(bytes);
}

function artifactOf({ id, path, bytes, mediaType }: ArtifactRef): ArtifactRef {
  return Object.freeze({ id, path, bytes, mediaType });
}

function detailsOf(details: unknown, isError: boolean): JsonValue | undefined {
  let kept: JsonValue | undefined;
  try {
    kept = details === undefined ? undefined : bounded(copyJson(details));
  } catch {
    kept = undefined; // Details are for the host; what is not JSON cannot be recorded.
  }
  if (!isError) return kept;
  return isObject(kept) && typeof kept.code === "string"
    ? kept
    : { ...(isObject(kept) ? kept : undefined), code: "TOOL_FAILED" };
}

/** Details larger than this are not kept: they go into every event and entry of the call. Unit: characters of JSON. */
const MAX_DETAILS_CHARS = 1_000_000;

function bounded(details: JsonValue): JsonValue {
  const size = JSON.stringify(details).length;
  if (size <= MAX_DETAILS_CHARS) return details;
  const omitted = `${size} characters of details were not kept; at most ${MAX_DETAILS_CHARS} are.`;
  return isObject(details) && typeof details.code === "string" ? { code: details.code, omitted } : { omitted };
}

/** An own copy of the content parts; `null` when they are not content parts, or hold what cannot be recorded. */
function contentOf(output: unknown): readonly ContentPart[] | null {
  if (!Array.isArray(output) || !output.every(isContentPart)) return null;
  try {
    return copyJson(output, true) as unknown as readonly ContentPart[];
  } catch {
    return null;
  }
}

/** The result with its outcome. `wasEntered`: the tool was, in this process or an earlier one. */
export function withOutcome(result: ToolResult, wasEntered: boolean): ToolResult {
  const outcome = decideOutcome(result, wasEntered);
  return outcome === "done" ? result : { ...result, outcome };
}

function decideOutcome({ isError, status, details, outcome }: ToolResult, wasEntered: boolean): CallOutcome {
  if (status === "unknown" || outcome === "unknown") return "unknown";
  if (isError && !wasEntered) return "not-started";
  // A refusal after it was entered meets a call that had suspended itself.
  if (status === "timeout" || status === "aborted" || status === "denied") return "unknown";
  return saidBy(details) ?? "done";
}

/** A tool that knows better says it in the details of what it returns or throws. */
export function saidBy(details: JsonValue | undefined): ToolResult["outcome"] {
  const { outcome } = Object(details) as { readonly outcome?: JsonValue };
  return outcome === "unknown" || outcome === "not-started" ? outcome : undefined;
}

/** The tool's policy for a call that may have had effects already. */
export function unknownPolicy(tool: BaseTool | undefined): NonNullable<BaseTool["onUnknown"]> {
  return tool?.onUnknown ?? (tool && isReplayable(tool) ? "retry" : "fail");
}
