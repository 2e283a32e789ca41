import { clip } from "../../text/cut.js";
import { withoutControls } from "../../text/terminal-text.js";
import type { EvaluationReport } from "./evaluation.js";
import { formatInterval, formatScore, isNoteworthy, remarks, totals } from "./report-format.js";

/** Rows of the list of what went wrong. */
const MAX_LISTED = 50;
const MAX_CELL_CHARS = 300;

/** Three tables: scores, cases, and what went wrong. */
export function reportMarkdown(report: EvaluationReport): string {
  const { scores, cases, results, confidence, isAborted } = report;
  const percent = Number((confidence * 100).toPrecision(3));
  const kinds = new Map(scores.map(({ scorer, kind }) => [scorer, kind]));
  const wrong = results.filter(isNoteworthy);
  return [
    ...(isAborted ? ["The evaluation was aborted: some runs are missing.", ""] : []),
    ...table(
      ["score", "value", `${percent}% interval`, "method", "runs", "unscored"],
      scores.map((score) => [
        score.scorer,
        formatScore(score.value, score.kind),
        formatInterval(score),
        score.method,
        String(score.count),
        String(score.unscored),
      ]),
    ),
    "",
    totals(report)
      .map(([name, value]) => `${name}: ${value}`)
      .join(" · "),
    "",
    ...table(
      ["case", ...kinds.keys(), "failed"],
      cases.map((each) => [
        each.name,
        ...[...kinds].map(([scorer, kind]) => formatScore(each.scores[scorer] ?? null, kind)),
        `${each.failed} of ${each.runs}`,
      ]),
    ),
    ...(wrong.length === 0
      ? []
      : [
          "",
          ...table(
            ["case", "run", "what went wrong"],
            wrong
              .slice(0, MAX_LISTED)
              .map((result) => [result.name, String(result.repeat), remarks(result).join(" · ")]),
          ),
        ]),
    ...(wrong.length > MAX_LISTED ? ["", `And ${wrong.length - MAX_LISTED} more.`] : []),
    "",
  ].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [row(head), `| ${head.map(() => "---").join(" | ")} |`, ...rows.map(row)];
}

/** One line, which cannot end its cell, become markup or command a terminal. */
function cell(text: string): string {
  return clip(withoutControls(text), MAX_CELL_CHARS)
    .replace(/[\\|`*_<>[\]&#~]/g, "\\$&")
    .replace(/\s+/g, " ")
    .trim();
}
