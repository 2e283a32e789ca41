// The meaning of a call of `call_tool`: the call of the tool it names.
import { ToolError } from "../../contracts/errors.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { isObject } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";
import { describeValue } from "../../text/describe-value.js";
import { nearestNames } from "../../text/nearest-names.js";

export const CALL_TOOL = "call_tool";
export const TOOL_SEARCH = "tool_search";

const USAGE = `Call it as { "name": "…", "arguments": { … } }, with the arguments that the input schema of that tool asks for.`;

/** The tools as an inner call sees them. */
export interface KnownTools {
  has(name: string): boolean;
  /** Names of tools like this one, best first. */
  like(name: string): readonly string[];
}

/**
 * The call that `call_tool` was asked to make.
 *
 * @throws ToolError `TOOL_INPUT_INVALID`, `TOOL_UNKNOWN` that names the nearest tools
 */
export function innerCall(call: ToolCall, tools: KnownTools): ToolCall {
  const args = objectIn(call.arguments);
  if (!args) throw invalid(`${CALL_TOOL} got ${describeValue(call.arguments)} instead of an object.`);
  const { name, arguments: inner = {}, ...rest } = args;
  if (typeof name !== "string" || name.trim() === "") {
    throw invalid(`${CALL_TOOL} got ${name === undefined ? "no name" : `${describeValue(name)} as a name`}.`);
  }
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw invalid(unknownArgument(unknown));
  const target = name.trim();
  if (target === CALL_TOOL) throw invalid(`${CALL_TOOL} does not call itself.`);
  if (!tools.has(target)) throw unknownTool(target, tools.like(target));
  const given = objectIn(inner);
  if (!given) throw invalid(`The arguments for "${target}" are ${describeValue(inner)} instead of an object.`);
  return { id: call.id, name: target, arguments: given };
}

/** An object, also one that was sent as JSON text, or nothing for no arguments. */
function objectIn(value: JsonValue): JsonObject | null {
  if (value === null) return {};
  if (typeof value === "string") return objectInText(value);
  return typeof value === "object" && !Array.isArray(value) ? (value as JsonObject) : null;
}

function objectInText(text: string): JsonObject | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

function unknownArgument(name: string): string {
  const shown = JSON.stringify(clip(name, 80));
  const [near] = nearestNames(name, ["name", "arguments"], 1);
  const isMeant = near !== undefined || /^(?:args|input|params|parameters|tool_input)$/.test(name);
  if (isMeant) return `${CALL_TOOL} has no argument ${shown}. Did you mean "${near ?? "arguments"}"?`;
  return `${CALL_TOOL} has no argument ${shown}. What the tool itself takes goes inside "arguments".`;
}

function unknownTool(name: string, near: readonly string[]): ToolError {
  const shown = JSON.stringify(clip(name, 100));
  const hint =
    near.length > 0
      ? `Did you mean ${near.map((each) => `"${each}"`).join(", ")}? Find out what a tool takes with ${TOOL_SEARCH}.`
      : `Find the tool with ${TOOL_SEARCH} first.`;
  const message = `There is no tool ${shown}. ${hint}`;
  return new ToolError("TOOL_UNKNOWN", { message, details: { didYouMean: [...near] } });
}

function invalid(what: string): ToolError {
  return new ToolError("TOOL_INPUT_INVALID", { message: `${what} ${USAGE}` });
}
