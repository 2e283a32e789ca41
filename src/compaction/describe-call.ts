// The subject of a call, read from its arguments: names differ from tool to tool, so the usual ones are tried.

import type { ContentPart } from "../contracts/content.js";
import { clip, sliceCharacters } from "../text/cut.js";
import { splitHeadAndTail } from "../text/head-and-tail.js";
import { bestLines } from "./notes/salient-lines.js";
import { isPageFurniture } from "./notes/tool-boilerplate.js";
import type { TokenCounter } from "./token-count.js";

const PATH_FIELDS = ["path", "file_path", "filePath", "filename", "file", "notebook_path"];
const COMMAND_FIELDS = ["command", "cmd", "script"];

function textField(args: unknown, names: readonly string[]): string | null {
  if (typeof args !== "object" || args === null) return null;
  for (const name of names) {
    const value = (args as Record<string, unknown>)[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

/** The file a call is about. */
export function pathOf(args: unknown): string | null {
  return textField(args, PATH_FIELDS);
}

/** The command line a call runs. */
export function commandOf(args: unknown): string | null {
  return textField(args, COMMAND_FIELDS);
}

/** Whether a call to this tool changes the file it names. */
export function changesFiles(name: string): boolean {
  return /write|edit|create|patch|replace|insert|delete|remove|rename|move|append/i.test(name);
}

/** Whether a call to this tool reads the file it names. */
export function readsFiles(name: string): boolean {
  return /read|view|open|cat\b|show/i.test(name) && !changesFiles(name);
}

/** Whether a call can be repeated to see the same: it reads a file it names. */
export function canReadAgain(name: string, args: unknown): boolean {
  return readsFiles(name) && pathOf(args) !== null;
}

/** A command that only prints files, as far as a quick look shows. */
const PRINTS_FILES = /^\s*(?:cat|head|tail|nl|bat|batcat|less|more|sed -n)\s[^|;&<>`$()]*$/;

/** Whether a result is the text of a file, or a part or a diff of it, rather than what a tool found out. */
export function showsFileText(name: string, args: unknown): boolean {
  const command = commandOf(args);
  if (command !== null) return PRINTS_FILES.test(command);
  return pathOf(args) !== null && (readsFiles(name) || changesFiles(name));
}

/** A call in a few words: `read_file src/a.ts`, `bash "npm test"`. */
export function describeCall(name: string, args: unknown): string {
  const path = pathOf(args);
  if (path !== null) return `${name} ${path}`;
  const text =
    commandOf(args) ?? textField(args, ["pattern", "query", "url", "description", "subject", "prompt", "id"]);
  return text === null ? name : `${name} ${JSON.stringify(oneLine(text, 120))}`;
}

/** The text of an output; images and files as a word. */
export function textOfOutput(output: string | readonly ContentPart[]): string {
  if (typeof output === "string") return output;
  return output.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}

/** Why a command failed, in a line; `null` when it did not. Reads the exit code that shells report in their output. */
export function failureOf(output: string, isError: boolean): string | null {
  const code = /exit(?:ed with)?(?: code| status)?:? (\d+)/i.exec(output)?.[1];
  if (!isError && (code === undefined || code === "0")) return null;
  const reason = bestLines(output, 320).find(
    (line) => !/^\W*(?:the command )?exit/i.test(line) && !isPageFurniture(line),
  );
  if (code === undefined) return reason ?? oneLine(output, 160);
  return reason === undefined ? `exit code ${code}` : `exit code ${code}: ${reason}`;
}

/** A string on one line, cut to a length between characters. */
export function oneLine(text: string, maxChars: number): string {
  return clip(text.replace(/\s+/g, " ").trim(), maxChars);
}

/** The beginning of a string that has too many tokens. */
export function cutToTokens(text: string, maxTokens: number, count: TokenCounter): string {
  const tokens = count(text);
  return tokens <= maxTokens ? text : clip(text, Math.floor((text.length * maxTokens) / tokens));
}

/** Beginning and end of a string, with a note about what is missing between them, of which some is `quoted`. */
export function headAndTail(text: string, maxChars: number, quoted = ""): string {
  if (text.length <= maxChars) return text;
  const missing = `${text.length - maxChars} characters left out`;
  const note = quoted === "" ? ` […${missing}…] ` : ` […${missing}; of them:]\n${quoted}\n[…] `;
  if (maxChars <= note.length + 20) return clip(text, maxChars);
  const room = maxChars - note.length;
  const { head, tail } = splitHeadAndTail(text, Math.ceil((room * 2) / 3), Math.floor(room / 3));
  return head + note + tail;
}

/** The share from the middle of a long string, of what is shown of it. */
const QUOTED_SHARE = 0.4;
/** Shorter extracts quote nothing. Unit: characters. */
const LEAST_QUOTING_CHARS = 200;
const LEAST_QUOTED_WEIGHT = 2;

/** Beginning and end of a string, and of what is missing between them the lines that say most. */
export function gist(text: string, maxChars: number): string {
  if (text.length <= maxChars || maxChars < LEAST_QUOTING_CHARS) return headAndTail(text, maxChars);
  const aside = Math.floor((maxChars * (1 - QUOTED_SHARE)) / 3);
  const middle = sliceCharacters(text, aside, text.length - aside);
  return headAndTail(text, maxChars, bestLines(middle, maxChars * QUOTED_SHARE, LEAST_QUOTED_WEIGHT).join("\n"));
}
