import { clip } from "../../text/cut.js";
import { asOneLine } from "../../text/one-line.js";
import type { ReportData, TaskReport } from "./report-data.js";

const MAX_CELL_CHARS = 200;
const MAX_SUMMARY_CHARS = 20_000;
const HEADLINES: { readonly [Status in ReportData["status"]]: string } = {
  done: "Done",
  failed: "Failed",
  aborted: "Aborted",
  "needs-approval": "Waiting for approval",
  "budget-exceeded": "Out of budget",
  deadline: "Out of time",
};

/** A report for people. Text of tasks stays in its table cell or in its block. */
export function reportAsMarkdown(
  report: ReportData & { readonly error?: { readonly code: string; readonly message: string } | undefined },
): string {
  const { status, goal, summary, tasks, replans, files, facts, pending, skill, error } = report;
  const parts = [`# ${HEADLINES[status]}: ${inline(goal)}`, totals(report)];
  if (error) parts.push(`**${error.code}**: ${inline(error.message)}`);
  if (skill !== null) parts.push(`Skill: ${inline(skill)}`);
  parts.push("## Result", fenced(summary));
  if (tasks.length > 0) parts.push("## Tasks", table(tasks));
  const reasons = tasks.filter(({ status: one, reason }) => one !== "done" && reason !== null);
  if (reasons.length > 0) parts.push(`## Open\n\n${bullets(reasons.map(({ id, reason }) => `${id}: ${reason}`))}`);
  if (pending.length > 0)
    parts.push(`## Questions\n\n${bullets(pending.map(({ id, tool, reason }) => `${tool} (${id}): ${reason}`))}`);
  if (files.length > 0) parts.push(`## Files changed\n\n${bullets(files)}`);
  if (facts.length > 0) parts.push(`## Facts learned\n\n${bullets(facts)}`);
  const given = replans.map(({ failed }) => failed.map(({ id, reason }) => `${id}: ${reason}`).join("; "));
  if (given.length > 0) parts.push(`## Plans given up\n\n${bullets(given)}`);
  return `${parts.join("\n\n")}\n`;
}

function totals({ tasks, usage, costUsd, durationMs }: ReportData): string {
  const done = tasks.filter(({ status }) => status === "done").length;
  const attempts = tasks.reduce((sum, task) => sum + task.attempts, 0);
  const tokens = `${usage.inputTokens} tokens in, ${usage.outputTokens} out`;
  const cost = costUsd === null ? "cost unknown" : `$${costUsd.toFixed(4)}`;
  return `${done} of ${tasks.length} tasks done, ${attempts} attempts, ${tokens}, ${cost}, ${(durationMs / 1000).toFixed(1)} s`;
}

function table(tasks: readonly TaskReport[]): string {
  const rows = tasks.map(({ id, title, status, attempts, tool, subagent, evidence }) => {
    const by = tool ?? subagent ?? "agent";
    return `| ${[id, title, status, String(attempts), by, evidence.join("; ")].map(cell).join(" | ")} |`;
  });
  return [
    "| Task | Title | State | Attempts | Done by | Evidence |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** On one line, and without a character that would begin formatting, a link, HTML or a new cell. */
function inline(text: string): string {
  return clip(asOneLine(text), 1_000).replace(/[\\`*{}[\]<>|#!~]|(?<!\w)_|_(?!\w)/g, "\\$&");
}

function cell(text: string): string {
  return inline(clip(text, MAX_CELL_CHARS));
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${inline(item)}`).join("\n");
}

/** In a block whose fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${clip(text, MAX_SUMMARY_CHARS)}\n${fence}`;
}
