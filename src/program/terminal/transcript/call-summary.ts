// The summary of a tool call for a person: its title, a word on the outcome, and a few lines where something happened.

import type { CallDescription, ToolCall, ToolResult } from "../../../contracts/tool-call.js";
import { fieldsOf } from "../../../json/is-object.js";
import { isReadOnlyCommand } from "../../../permissions/shell/read-only-command.js";
import { outputText } from "../../../sessions/export-markdown.js";
import { exactLine, safeLine, safeText, textToRead } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { countChanges, diffLines } from "./diff-lines.js";
import { counted, inSeconds } from "./quantities.js";

/** The shown end of an output, where programs report the outcome. */
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

/** A call as it is shown: with how it looks, where its tool says so. */
export interface ShownCall extends Pick<ToolCall, "name" | "arguments"> {
  readonly description?: CallDescription | undefined;
  /** A command of the person's, who wants to see what it says. */
  readonly isOwn?: boolean | undefined;
}

/** The call in one line: the word that names what is done, and the rest. */
export function callLine({ name, arguments: args, description }: ShownCall): { verb: string; subject: string } {
  if (description?.command !== undefined) return { verb: safeLine(name), subject: exactLine(description.command) };
  if (description) {
    const [verb = "", ...rest] = exactLine(description.title).split(" ");
    return { verb, subject: rest.join(" ") };
  }
  const given = Object.values(fieldsOf(args));
  const text = given.find((value) => typeof value === "string") ?? (given.length > 0 ? JSON.stringify(args) : "");
  return { verb: safeLine(name), subject: exactLine(String(text)) };
}

/** The end of the call, in a few words. */
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
  // The person's answer.
  if (result.name === "ask_user") return safeLine(text);
  return `${counted(text === "" ? 0 : text.split("\n").length, "line")}${time}`;
}

/** Lines below the call, where a look is worth more than one: something changed, ran, or went wrong. */
export function callDetail({ description, isOwn }: ShownCall, result: ToolResult, theme: Theme): readonly string[] {
  const { exitCode, diff } = fieldsOf(result.details);
  if (result.status === "aborted") return [];
  if (result.isError) {
    const lines = safeText(outputText(result)).trim().split("\n");
    const shown = lines.slice(0, SHOWN_ERROR_LINES).map((line) => theme.red(line));
    return lines.length > SHOWN_ERROR_LINES
      ? [...shown, theme.dim(`… ${counted(lines.length - SHOWN_ERROR_LINES, "more line")}`)]
      : shown;
  }
  if (typeof diff === "string" && diff !== "") return diffLines(diff, theme, safeText);
  if (typeof exitCode !== "number") return [];
  if (exitCode === 0 && !isOwn && isReadOnlyCommand(description?.command ?? "")) return [];
  const lines = safeText(outputText(result))
    .trim()
    .split("\n")
    // The outcome says it already.
    .filter((line) => line.trim() !== "" && line !== `[Exit code ${exitCode}]`);
  if (lines.length === 0) return [];
  const left = lines.length - SHOWN_OUTPUT_LINES;
  const shown = lines.slice(-SHOWN_OUTPUT_LINES).map(theme.dim);
  return left > 0 ? [theme.dim(`… ${counted(left, "line")} before`), ...shown] : shown;
}

/** Everything that a call has said, below the line that names it. */
export function wholeCall(call: ShownCall, result: ToolResult, theme: Theme): string {
  const { verb, subject } = callLine(call);
  const { diff } = fieldsOf(result.details);
  const isEdit = typeof diff === "string" && diff !== "" && !result.isError;
  const lines = isEdit
    ? diffLines(diff, theme, safeText, Number.POSITIVE_INFINITY)
    : textToRead(outputText(result)).trimEnd().split("\n");
  return [`${theme.bold(verb)} ${subject} ${theme.dim(`· ${callOutcome(result)}`)}`, ...lines].join("\n");
}
