// What of a tool call is worth a person's look: its subject, a word on the outcome, and a few lines where something happened.
import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import type { ToolCall, ToolResult } from "../../../contracts/tool-call.js";
import { safeLine, safeText } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { countChanges, diffLines } from "./diff-lines.js";
import { inSeconds } from "./quantities.js";

/** Of an output, the end is shown: that is where programs say how it went. */
const SHOWN_OUTPUT_LINES = 5;
const SHOWN_ERROR_LINES = 6;
/** Calls shorter than this say nothing about their time. Unit: milliseconds. */
const WORTH_TIMING_MS = 1_000;

/** The argument that says most, in one line. */
export function subjectOf({ name, arguments: args }: Pick<ToolCall, "name" | "arguments">): string {
  const fields = fieldsOf(args);
  const { command, pattern, path, query, url, subagent_type, description } = fields;
  if (name === "call_tool" && typeof fields.name === "string") {
    return safeLine(`${fields.name} ${subjectOf({ name: fields.name, arguments: fields.arguments ?? null })}`);
  }
  if (typeof command === "string") return safeLine(command);
  if (typeof pattern === "string") return safeLine(typeof path === "string" ? `${pattern} in ${path}` : pattern);
  if (typeof description === "string" && name === "task") {
    return safeLine(`${typeof subagent_type === "string" ? `${subagent_type}: ` : ""}${description}`);
  }
  const named = [path, query, url, fields.name, fields.fact, fields.task_id, fields.id, fields.subject, fields.question];
  const known = named.find((value) => typeof value === "string");
  if (typeof known === "string") return safeLine(known);
  const all = JSON.stringify(args);
  return all === undefined || all === "{}" || all === "null" ? "" : safeLine(all);
}

/** How the call ended, in a few words. */
export function outcomeOf(result: ToolResult): string {
  const { exitCode, diff, code } = fieldsOf(result.details);
  const time = result.durationMs >= WORTH_TIMING_MS ? ` · ${inSeconds(result.durationMs)}` : "";
  if (result.status === "denied") return "not allowed";
  if (result.status !== "success") return `${typeof code === "string" ? code : result.status}${time}`;
  if (typeof exitCode === "number") return `${exitCode === 0 ? "ok" : `exit code ${exitCode}`}${time}`;
  if (typeof diff === "string" && diff !== "") {
    const { added, removed } = countChanges(diff);
    return `+${added} −${removed}${time}`;
  }
  const text = outputText(result).trim();
  const lines = text === "" ? 0 : text.split("\n").length;
  return `${lines === 1 ? "1 line" : `${lines} lines`}${time}`;
}

/** Whether a look is worth more than a line: something changed, ran, or went wrong. */
export function detailOf(result: ToolResult, theme: Theme): readonly string[] {
  const { exitCode, diff } = fieldsOf(result.details);
  if (result.isError) {
    const lines = safeText(outputText(result)).trim().split("\n");
    const shown = lines.slice(0, SHOWN_ERROR_LINES).map((line) => theme.red(line));
    return lines.length > SHOWN_ERROR_LINES ? [...shown, theme.dim(`… ${lines.length - SHOWN_ERROR_LINES} more lines`)] : shown;
  }
  if (typeof diff === "string" && diff !== "") return diffLines(diff, theme, safeText);
  if (typeof exitCode !== "number") return [];
  const lines = safeText(outputText(result)).trim().split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return [];
  const left = lines.length - SHOWN_OUTPUT_LINES;
  const shown = lines.slice(-SHOWN_OUTPUT_LINES).map(theme.dim);
  return left > 0 ? [theme.dim(`… ${left} lines before`), ...shown] : shown;
}

/** The text of a result; images and files are named. */
export function outputText({ output }: Pick<ToolResult, "output">): string {
  if (typeof output === "string") return output;
  return output.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
}

export function fieldsOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
