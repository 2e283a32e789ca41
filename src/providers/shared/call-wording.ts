// How calls of a history are worded for a server that may not be the one that made them.
import type { JsonObject } from "../../contracts/json.js";
import type { ToolCall } from "../../contracts/tool.js";
import { isRecord } from "./is-record.js";
import { wholeText } from "./whole-text.js";

const MAX_NAME_CHARS = 64;

/** OpenAI refuses longer ids. */
const MAX_ID_CHARS = 40;

/** A name that every server accepts; models invent others, and the history must stay replayable. */
export function wireToolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS) || "unnamed";
}

/** The same id on both sides of a call, in the alphabet and length that servers accept. */
export function wireCallId(id: string): string {
  if (/^[a-zA-Z0-9_-]+$/.test(id) && id.length <= MAX_ID_CHARS) return id;
  return `call_${digest(id, 0x811c9dc5)}${digest(id, 0x9dc5811c)}`;
}

/**
 * Arguments go back as the object that servers insist on. Anything else is replayed as an empty one: the result of the
 * call says what was wrong with it. Some models write the object as a string.
 */
export function argumentsText({ arguments: given, malformed }: ToolCall): string {
  if (malformed !== undefined) return "{}";
  if (isRecord(given)) return JSON.stringify(given).replace(HALF_CHARACTERS, "$1\ufffd");
  return typeof given === "string" && parseObject(given) ? wholeText(given) : "{}";
}

/** The same as a value. */
export function argumentsObject(call: ToolCall): JsonObject {
  return parseObject(argumentsText(call)) ?? {};
}

/** As `JSON.stringify` writes them; a backslash that is a character of its own comes in twos. */
const HALF_CHARACTERS = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** FNV-1a of the UTF-16 code units: short, the same everywhere, and needs no crypto. */
function digest(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
