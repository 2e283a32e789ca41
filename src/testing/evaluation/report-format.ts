// The form of a report's numbers, in tables and on the page alike.
import { clip } from "../../text/cut.js";
import type { CaseResult, EvaluationReport, ScoreSummary } from "./evaluation.js";

/** Longest text of a run that a report shows. Unit: characters. */
const MAX_SHOWN_CHARS = 2_000;

/** A rate in percent, any other number with three digits. */
export function formatScore(value: number | null, kind: ScoreSummary["kind"]): string {
  if (value === null || Number.isNaN(value)) return "–";
  return kind === "rate" ? `${Number((value * 100).toFixed(1))} %` : String(Number(value.toPrecision(3)));
}

/** `81.2 % – 96.4 %`, or a dash. */
export function formatInterval({ low, high, kind }: ScoreSummary): string {
  return low === null || high === null ? "–" : `${formatScore(low, kind)} – ${formatScore(high, kind)}`;
}

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Number(ms.toPrecision(3))} ms`;
  return ms < 120_000 ? `${Number((ms / 1_000).toPrecision(3))} s` : `${Number((ms / 60_000).toPrecision(3))} min`;
}

export function formatCost(costUsd: number | null): string {
  if (costUsd === null) return "not known";
  return `$${costUsd >= 0.01 || costUsd === 0 ? costUsd.toFixed(2) : Number(costUsd.toPrecision(2))}`;
}

/** The cost of the whole, as names and values. */
export function totals(report: EvaluationReport): (readonly [name: string, value: string])[] {
  const { results, failed, skipped, usage, costUsd, scoring, durationMs, runMs } = report;
  const hasScoringCost = scoring.usage.inputTokens + scoring.usage.outputTokens > 0;
  return [
    ["runs", String(results.length)],
    ...(failed > 0 ? [["failed, counted as 0", String(failed)] as const] : []),
    ...(skipped > 0 ? [["skipped after an abort, not counted", String(skipped)] as const] : []),
    ...(usage.inputTokens + usage.outputTokens > 0
      ? [
          ["tokens", `${usage.inputTokens} in, ${usage.outputTokens} out`] as const,
          ["cost", formatCost(costUsd)] as const,
        ]
      : []),
    ...(hasScoringCost ? [["cost of scoring", formatCost(scoring.costUsd)] as const] : []),
    ["time of a run", runMs === null ? "–" : formatDuration(runMs.value)],
    ["time of all", formatDuration(durationMs)],
  ];
}

/** Whether a reader has to look at it: it failed, a scorer failed, or a score is below full marks with a reason. */
export function isNoteworthy({ error, scores }: CaseResult): boolean {
  return error !== undefined || scores.some(({ passed, error: failure }) => passed === false || failure !== undefined);
}

/** The remarks on one run, a line each. */
export function remarks({ error, run, scores }: CaseResult): string[] {
  return [
    ...(error === undefined ? [] : [error]),
    ...scores.flatMap(({ scorer, passed, value, reason, error: failure }) => {
      if (failure !== undefined) return [`${scorer}: ${failure}`];
      if (reason === undefined && passed !== false) return [];
      if (run === undefined) return [];
      const verdict = passed === undefined ? String(value) : passed ? "passed" : "did not pass";
      return [`${scorer}: ${verdict}${reason === undefined ? "" : `. ${reason}`}`];
    }),
  ].map((remark) => clip(remark, MAX_SHOWN_CHARS));
}

/** The final answer, cut. */
export function shownText({ run }: CaseResult): string {
  return clip(run?.text ?? "", MAX_SHOWN_CHARS);
}
