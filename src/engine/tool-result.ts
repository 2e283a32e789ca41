import { type HarnessError, isHarnessError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { ContentPart } from "../contracts/message.js";
import type { ToolCall, ToolOutput, ToolResult, ToolStatus } from "../contracts/tool.js";
import type { ArtifactRef } from "../contracts/workspace.js";
import { copyJson } from "./json-copy.js";

/** Error messages longer than this are cut: a model learns nothing from more. Unit: characters. */
const MAX_ERROR_CHARS = 4_000;

/** An error result; its `details` carry the code. */
export function refusal(
  call: ToolCall,
  status: Exclude<ToolStatus, "success">,
  code: HarnessError["code"],
  message: string,
  extra: { readonly details?: JsonValue; readonly durationMs?: number } = {},
): ToolResult {
  const isLong = message.length > MAX_ERROR_CHARS;
  // Half a character at the end would make providers refuse the request.
  const output = isLong ? `${message.slice(0, MAX_ERROR_CHARS).replace(/[\ud800-\udbff]$/, "")} … (cut)` : message;
  const { details, durationMs = 0 } = extra;
  return {
    toolCallId: call.id,
    name: call.name,
    output,
    isError: true,
    status,
    details: { ...(isPlainObject(details) ? details : undefined), code },
    durationMs,
  };
}

/** What a thrown value tells the model. */
export function failure(call: ToolCall, thrown: unknown, durationMs: number): ToolResult {
  if (isHarnessError(thrown)) {
    return refusal(call, "failure", thrown.code, thrown.message, { details: thrown.details, durationMs });
  }
  const message = `Tool "${call.name}" failed: ${describeThrown(thrown)}`;
  return refusal(call, "failure", "TOOL_FAILED", message, { durationMs });
}

/** The message of any thrown value, errors or not; never throws itself. */
export function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name;
    return typeof thrown === "string" ? thrown : `it threw ${String(JSON.stringify(thrown) ?? thrown)}`;
  } catch {
    return "it threw a value that cannot be shown";
  }
}

/** A result from what `execute` returned; `null` when that is no tool output. */
export function resultOf(call: ToolCall, returned: ToolOutput, durationMs: number): ToolResult | null {
  const { id: toolCallId, name } = call;
  if (typeof returned === "string") {
    return { toolCallId, name, output: returned, isError: false, status: "success", durationMs };
  }
  if (!isPlainObject(returned)) return null;
  const { output, isError, details, artifact } = returned as Exclude<ToolOutput, string>;
  if (typeof output !== "string" && !isContent(output)) return null;
  const kept = detailsOf(details, isError === true);
  return {
    toolCallId,
    name,
    output: typeof output === "string" ? output : Object.freeze(output.map((part) => Object.freeze({ ...part }))),
    isError: isError === true,
    status: isError === true ? "failure" : "success",
    ...(kept !== undefined && { details: kept }),
    durationMs,
    ...(isArtifact(artifact) && { artifact: artifactOf(artifact) }),
  };
}

function isArtifact(artifact: unknown): artifact is ArtifactRef {
  if (!isPlainObject(artifact)) return false;
  const { id, path, bytes, mediaType } = artifact;
  return [id, path, mediaType].every((text) => typeof text === "string") && Number.isFinite(bytes);
}

function artifactOf({ id, path, bytes, mediaType }: ArtifactRef): ArtifactRef {
  return Object.freeze({ id, path, bytes, mediaType });
}

function detailsOf(details: unknown, isError: boolean): JsonValue | undefined {
  let kept: JsonValue | undefined;
  try {
    kept = details === undefined ? undefined : copyJson(details);
  } catch {
    kept = undefined; // Details are for the host; what is no JSON cannot be recorded.
  }
  if (!isError) return kept;
  return isPlainObject(kept) && typeof kept.code === "string"
    ? kept
    : { ...(isPlainObject(kept) ? kept : undefined), code: "TOOL_FAILED" };
}

function isContent(output: unknown): output is readonly ContentPart[] {
  return (
    Array.isArray(output) &&
    output.every((part) => {
      if (!isPlainObject(part)) return false;
      if (part.type === "text") return typeof part.text === "string";
      return (part.type === "image" || part.type === "file") && typeof part.data === "string";
    })
  );
}

function isPlainObject(value: unknown): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
