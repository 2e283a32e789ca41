import type { ToolCall } from "../../../contracts/tool-call.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { parseJson } from "../../../json/parse-json.js";
import { wholeJson } from "./whole-json.js";

/**
 * Arguments as the object that servers insist on; some models write it as a string. Anything else is replayed as an empty one:
 * the result of the call says what was wrong with it.
 */
export function argumentsObject({ arguments: given, malformed }: ToolCall): Fields {
  if (malformed !== undefined) return {};
  const read = typeof given === "string" ? parseJson(given) : given;
  return isObject(read) ? wholeJson(read) : {};
}

/** The same as JSON. */
export function argumentsText(call: ToolCall): string {
  return JSON.stringify(argumentsObject(call));
}
