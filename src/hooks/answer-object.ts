/*
 * The JSON object in what a hook says, which may stand between other lines: what a shell, a package manager or a logger
 * prints at its start, colours, progress.
 *
 * An object begins where a line begins with `{`, and ends with its last brace, on that line or a later one. Of several,
 * the last counts that has a field of an answer. What begins like an object and is not one, behind that one, is an answer
 * that cannot be read.
 */
import type { JsonObject } from "../contracts/json.js";

/** The meaning of a text. */
export type ReadObject =
  | { readonly kind: "object"; readonly object: JsonObject }
  | { readonly kind: "none" }
  /** It begins like an object, and `reason` says why it is not one. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Colours, titles and links of terminals: JSON never holds the byte they begin with. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are control sequences.
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
/** Characters that are looked at, over all beginnings, for each character of the text. */
const MAX_LOOKS = 16;

/** The last object of a text that has one of the fields; without one, the last object. */
export function readLastObject(given: string, fields: readonly string[]): ReadObject {
  const text = given.replace(TERMINAL, "");
  let looksLeft = (text.length + 1) * MAX_LOOKS;
  let last: JsonObject | undefined;
  let answer: JsonObject | undefined;
  let broken: { readonly reason: string; readonly indent: number } | undefined;
  let at = 0;
  while (at < text.length) {
    const [, indent = "", brace] = /^([^\S\r\n]*)(\{?)/.exec(text.slice(at, at + 1000)) ?? [];
    if (!brace || (broken && indent.length > broken.indent)) {
      at = nextLine(text, at);
      continue;
    }
    const start = at + indent.length;
    // Among thousands of braces that nothing closes, one line has to do.
    const end = looksLeft > 0 ? endOfObject(text, start) : endOfLineObject(text, start);
    looksLeft -= (end === -1 ? text.length : end) - start;
    const read = end === -1 ? "an object in it does not end" : parsed(text.slice(start, end));
    if (typeof read === "string") {
      broken = { reason: read, indent: indent.length };
      at = nextLine(text, start);
      continue;
    }
    last = read;
    if (fields.some((field) => Object.hasOwn(read, field))) {
      answer = read;
      broken = undefined;
    }
    // One more may follow on the same line, of a program that ends no lines.
    at = /^[^\S\r\n]*\{/.test(text.slice(end, end + 1000)) ? end : nextLine(text, end);
  }
  if (broken) return { kind: "unreadable", reason: broken.reason };
  const object = answer ?? last;
  return object ? { kind: "object", object } : { kind: "none" };
}

/** Behind the brace that closes the one at `start`; -1 when none does. */
function endOfObject(text: string, start: number): number {
  const marks = /["{}]|\\./gs;
  marks.lastIndex = start;
  let depth = 0;
  let isInString = false;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '"') isInString = !isInString;
    if (isInString) continue;
    if (mark[0] === "{") depth++;
    if (mark[0] === "}" && --depth === 0) return marks.lastIndex;
  }
  return -1;
}

function endOfLineObject(text: string, start: number): number {
  const end = endOfObject(text.slice(start, nextLine(text, start)), 0);
  return end === -1 ? -1 : start + end;
}

function parsed(json: string): JsonObject | string {
  try {
    return JSON.parse(json);
  } catch (error) {
    return (error as Error).message;
  }
}

function nextLine(text: string, from: number): number {
  const breaks = /[\r\n]/g;
  breaks.lastIndex = from;
  return breaks.test(text) ? breaks.lastIndex : text.length;
}
