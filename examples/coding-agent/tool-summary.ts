// What of a tool call is worth a look: its subject, a word on the outcome, and a few lines of the result.
import type { JsonValue, ToolCall, ToolResult } from "loopwright";
import { readTestReport } from "./test-report.js";

const MAX_EXCERPT_LINES = 6;

/** The argument that says most, in one line. */
export function subjectOf({ arguments: args }: ToolCall): string {
  const { command, pattern, path, name, fact, subagent_type, description } = fieldsOf(args);
  if (typeof command === "string") return command;
  if (typeof pattern === "string") return typeof path === "string" ? `${pattern} in ${path}` : pattern;
  if (typeof subagent_type === "string" && typeof description === "string") return `${subagent_type}: ${description}`;
  const said = [path, name, fact].find((value) => typeof value === "string");
  return said === undefined ? JSON.stringify(args) : String(said);
}

/** How the call ended, in a word or two. */
export function outcomeOf(result: ToolResult): string {
  const { exitCode, diff, code } = fieldsOf(result.details);
  if (result.status === "failure" && typeof code === "string") return code;
  if (result.status !== "success") return result.status;
  if (typeof exitCode === "number") return exitCode === 0 ? "ok" : `exit code ${exitCode}`;
  if (typeof diff === "string") return `+${count(diff, /^\+(?!\+\+ )/gm)} -${count(diff, /^-(?!-- )/gm)}`;
  const lines = count(String(result.output).trim(), /^/gm);
  return lines === 1 ? "1 line" : `${lines} lines`;
}

/** The lines worth showing below the call. */
export function excerptOf(result: ToolResult): readonly string[] {
  const lines = String(result.output).trimEnd().split("\n");
  if (result.isError) return lines.slice(0, MAX_EXCERPT_LINES);
  const { exitCode, diff } = fieldsOf(result.details);
  if (typeof diff === "string") return diff.split("\n").filter((line) => /^[-+ ](?!-- |\+\+ )/.test(line));
  if (typeof exitCode === "number") return testLines(String(result.output)) ?? lines.slice(-MAX_EXCERPT_LINES);
  return result.name === "grep" ? lines.slice(0, MAX_EXCERPT_LINES) : [];
}

/** Of a test report, what failed and how many passed; `undefined` for any other output. */
function testLines(output: string): readonly string[] | undefined {
  const report = readTestReport(output);
  if (report === null) return undefined;
  const { passed, failed } = report;
  return [...[...failed].map((name) => `✖ ${name}`), `pass ${passed.size}, fail ${failed.size}`];
}

function fieldsOf(value: JsonValue | undefined): { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
