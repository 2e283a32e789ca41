// Numbers over all runs of an evaluation, and the two ways to read them.
import { addUsage, NO_USAGE } from "../../engine/run/usage-meter.js";
import type { CaseResult, CaseSummary, Estimate, EvaluationReport, ScoreSummary } from "./evaluation.js";
import { reportMarkdown } from "./evaluation-markdown.js";
import { reportHtml } from "./report-html.js";
import type { ScoringCost } from "./score-run.js";
import { estimateMean, estimateRate, mean } from "./statistics.js";

/** The results of an evaluation. */
export interface EvaluationOutcome {
  readonly results: readonly CaseResult[];
  /** Their names, in order. */
  readonly scorers: readonly string[];
  readonly costs: readonly ScoringCost[];
  readonly confidence: number;
  readonly isAborted: boolean;
  readonly durationMs: number;
}

export function createEvaluationReport(outcome: EvaluationOutcome): EvaluationReport {
  const { results, scorers, costs, confidence, isAborted, durationMs } = outcome;
  const groups = [...groupByCase(results).values()];
  const runs = results.flatMap(({ run }) => run ?? []);
  const count = (kind: CaseResult["outcome"]) => results.filter((result) => result.outcome === kind).length;
  const report: EvaluationReport = {
    ...{ results, confidence, isAborted, durationMs },
    scores: scorers.flatMap((scorer) => summarizeScorer(scorer, groups, confidence) ?? []),
    cases: groups.map((group) => summarizeCase(group, scorers)),
    failed: count("failed"),
    skipped: count("skipped"),
    ...sumOf(runs),
    scoring: sumOf(costs),
    runMs: runTime(groups, confidence),
    toMarkdown: () => reportMarkdown(report),
    toHtml: () => reportHtml(report),
  };
  return report;
}

function groupByCase(results: readonly CaseResult[]): Map<string, CaseResult[]> {
  const groups = new Map<string, CaseResult[]>();
  for (const result of results) {
    const group = groups.get(result.name);
    if (group) group.push(result);
    else groups.set(result.name, [result]);
  }
  return groups;
}

/** `null` when every run was skipped. A run that failed counts as 0, in a rate as in a mean. */
function summarizeScorer(
  scorer: string,
  groups: readonly (readonly CaseResult[])[],
  confidence: number,
): ScoreSummary | null {
  const found = groups.map((group) =>
    group.flatMap(({ outcome, scores }) =>
      scores.filter((score) => score.scorer === scorer).map(({ value, passed }) => ({ outcome, value, passed })),
    ),
  );
  const values = found.map((group) => group.flatMap(({ value }) => value ?? [])).filter(({ length }) => length > 0);
  const all = found.flat();
  if (all.length === 0) return null;
  const about = { scorer, count: values.flat().length, unscored: all.filter(({ value }) => value === null).length };
  if (values.length === 0)
    return { ...about, kind: "mean", value: Number.NaN, low: null, high: null, method: "no scores" };
  const isRate = all.every(
    ({ outcome, value, passed }) => outcome === "failed" || value === null || passed !== undefined,
  );
  const estimate = isRate ? estimateRate(values, confidence) : estimateMean(values, confidence);
  return { ...about, kind: isRate ? "rate" : "mean", ...estimate };
}

function summarizeCase(group: readonly CaseResult[], scorers: readonly string[]): CaseSummary {
  const scoreOf = (scorer: string) => {
    const values = group.flatMap(({ scores }) => scores.find((score) => score.scorer === scorer)?.value ?? []);
    return values.length === 0 ? null : mean(values);
  };
  const count = (kind: CaseResult["outcome"]) => group.filter(({ outcome }) => outcome === kind).length;
  return {
    name: group[0]!.name,
    runs: group.length,
    failed: count("failed"),
    skipped: count("skipped"),
    scores: Object.fromEntries(scorers.map((scorer) => [scorer, scoreOf(scorer)])),
  };
}

function sumOf(costs: readonly ScoringCost[]): ScoringCost {
  let [usage, costUsd]: [ScoringCost["usage"], number | null] = [NO_USAGE, 0];
  for (const each of costs) {
    usage = addUsage(usage, each.usage);
    costUsd = costUsd === null || each.costUsd === null ? null : costUsd + each.costUsd;
  }
  return { usage, costUsd };
}

function runTime(groups: readonly (readonly CaseResult[])[], confidence: number): Estimate | null {
  const times = groups.map((group) => group.flatMap(({ run }) => run?.durationMs ?? []));
  const measured = times.filter(({ length }) => length > 0);
  return measured.length === 0 ? null : estimateMean(measured, confidence);
}
