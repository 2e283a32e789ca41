// What of a tool call is worth a person's look: its subject, a word on the outcome, and a few lines where something happened.
import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import type { ToolCall, ToolResult } from "../../../contracts/tool-call.js";
import { isReadOnlyCommand } from "../../../permissions/read-only-command.js";
import { exactLine, safeLine, safeText } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { countChanges, diffLines } from "./diff-lines.js";
import { counted, inSeconds } from "./quantities.js";

/** Of an output, the end is shown: that is where programs say how it went. */
const SHOWN_OUTPUT_LINES = 5;
const SHOWN_ERROR_LINES = 6;
/** Calls shorter than this say nothing about their time. Unit: milliseconds. */
const WORTH_TIMING_MS = 1_000;

const FAILURES: Readonly<Record<Exclude<ToolResult["status"], "success">, string>> = {
  failure: "failed",
  denied: "not allowed",
  aborted: "interrupted",
  timeout: "took too long",
  unknown: "outcome not known",
};

/** The argument that says most, in one line. */
export function callSubject({ name, arguments: args }: Pick<ToolCall, "name" | "arguments">): string {
  const fields = fieldsOf(args);
  const { command, pattern, path, query, url, subagent_type, description } = fields;
  if (name === "call_tool" && typeof fields.name === "string") {
    return exactLine(`${fields.name} ${callSubject({ name: fields.name, arguments: fields.arguments ?? null })}`);
  }
  if (typeof command === "string") return exactLine(command);
  if (typeof pattern === "string") return exactLine(typeof path === "string" ? `${pattern} in ${path}` : pattern);
  if (typeof description === "string" && name === "task") {
    return exactLine(`${typeof subagent_type === "string" ? `${subagent_type}: ` : ""}${description}`);
  }
  const named = [
    path,
    query,
    url,
    fields.name,
    fields.fact,
    fields.task_id,
    fields.id,
    fields.subject,
    fields.question,
  ];
  const known = named.find((value) => typeof value === "string");
  if (typeof known === "string") return exactLine(known);
  const all = JSON.stringify(args);
  return all === undefined || all === "{}" || all === "null" ? "" : exactLine(all);
}

/** How the call ended, in a few words. */
export function callOutcome(result: ToolResult): string {
  const { exitCode, diff, change, lines: written } = fieldsOf(result.details);
  const time = result.durationMs >= WORTH_TIMING_MS ? ` · ${inSeconds(result.durationMs)}` : "";
  if (result.status !== "success") return `${FAILURES[result.status]}${time}`;
  if (typeof exitCode === "number") return `${exitCode === 0 ? "ok" : `exit code ${exitCode}`}${time}`;
  if (typeof diff === "string" && diff !== "") {
    const { added, removed } = countChanges(diff);
    return `+${added} −${removed}${time}`;
  }
  if (change === "created" && typeof written === "number") return `created, ${counted(written, "line")}`;
  const text = outputText(result).trim();
  // What the person has answered.
  if (result.name === "ask_user") return safeLine(text);
  return `${counted(text === "" ? 0 : text.split("\n").length, "line")}${time}`;
}

/** Lines below the call, where a look is worth more than one: something changed, ran, or went wrong. */
export function callDetail(call: Pick<ToolCall, "arguments">, result: ToolResult, theme: Theme): readonly string[] {
  const { exitCode, diff } = fieldsOf(result.details);
  if (result.status === "aborted") return [];
  if (result.isError) {
    const lines = safeText(outputText(result)).trim().split("\n");
    const shown = lines.slice(0, SHOWN_ERROR_LINES).map((line) => theme.red(line));
    return lines.length > SHOWN_ERROR_LINES
      ? [...shown, theme.dim(`… ${lines.length - SHOWN_ERROR_LINES} more lines`)]
      : shown;
  }
  if (typeof diff === "string" && diff !== "") return diffLines(diff, theme, safeText);
  if (typeof exitCode !== "number" || (exitCode === 0 && onlyReads(call))) return [];
  const lines = safeText(outputText(result))
    .trim()
    .split("\n")
    // The outcome says it already.
    .filter((line) => line.trim() !== "" && line !== `[Exit code ${exitCode}]`);
  if (lines.length === 0) return [];
  const left = lines.length - SHOWN_OUTPUT_LINES;
  const shown = lines.slice(-SHOWN_OUTPUT_LINES).map(theme.dim);
  return left > 0 ? [theme.dim(`… ${left} lines before`), ...shown] : shown;
}

function onlyReads({ arguments: args }: Pick<ToolCall, "arguments">): boolean {
  const { command } = fieldsOf(args);
  return typeof command === "string" && isReadOnlyCommand(command);
}

/** The text of a result; images and files are named. */
export function outputText({ output }: Pick<ToolResult, "output">): string {
  if (typeof output === "string") return output;
  return output.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
}

export function fieldsOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
