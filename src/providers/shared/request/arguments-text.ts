import type { ToolCall } from "../../../contracts/tool-call.js";
import { isObject } from "../../../json/is-object.js";
import { wholeText } from "./whole-text.js";

/**
 * Arguments go back as the object that servers insist on. Anything else is replayed as an empty one: the result of the
 * call says what was wrong with it. Some models write the object as a string.
 */
export function argumentsText({ arguments: given, malformed }: ToolCall): string {
  if (malformed !== undefined) return "{}";
  if (isObject(given)) {
    const text = JSON.stringify(given);
    return text.includes("\\ud") ? text.replace(HALF_CHARACTERS, "$1\ufffd") : text;
  }
  return typeof given === "string" && isObjectText(given) ? wholeText(given) : "{}";
}

/** Half characters in the output of `JSON.stringify`, where a backslash of the text comes in twos. */
const HALF_CHARACTERS = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
