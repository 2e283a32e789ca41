// What a call was about, read from its arguments: names differ from tool to tool, so the usual ones are tried.
import type { ContentPart } from "../contracts/message.js";
import { bestLines } from "./facts.js";

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

/** A call in a few words: `read_file src/a.ts`, `bash "npm test"`. */
export function describeCall(name: string, args: unknown): string {
  const path = pathOf(args);
  if (path !== null) return `${name} ${path}`;
  const text =
    commandOf(args) ?? textField(args, ["pattern", "query", "url", "description", "subject", "prompt", "id"]);
  return text === null ? name : `${name} ${JSON.stringify(oneLine(text, 120))}`;
}

/** What an output says, without its images. */
export function textOfOutput(output: string | readonly ContentPart[]): string {
  if (typeof output === "string") return output;
  return output.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}

/** Why a command failed, in a line; `null` when it did not. Reads the exit code that shells report in their output. */
export function failureOf(output: string, isError: boolean): string | null {
  const code = /exit(?:ed with)?(?: code| status)?:? (\d+)/i.exec(output)?.[1];
  if (!isError && (code === undefined || code === "0")) return null;
  const said = bestLines(output, 320).find((line) => !/^\W*(?:the command )?exit/i.test(line));
  if (code === undefined) return said ?? oneLine(output, 160);
  return said === undefined ? `exit code ${code}` : `exit code ${code}: ${said}`;
}

/** Text on one line, cut to a length without parting a character. */
export function oneLine(text: string, maxChars: number): string {
  return cut(text.replace(/\s+/g, " ").trim(), maxChars);
}

/** The beginning of a text. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = Math.max(0, maxChars - 1);
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return `${text.slice(0, isPair ? end - 1 : end)}…`;
}

/** Beginning and end of a text, with a note of what is missing between. */
export function headAndTail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const note = ` […${text.length - maxChars} characters left out…] `;
  if (maxChars <= note.length + 20) return cut(text, maxChars);
  const room = maxChars - note.length;
  const tailStart = text.length - Math.floor(room / 3);
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(tailStart));
  return cut(text, Math.ceil((room * 2) / 3)).replace(/…$/, "") + note + text.slice(isPair ? tailStart + 1 : tailStart);
}
