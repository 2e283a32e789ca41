// The scores of one run. A scorer that throws, takes too long, or answers with something else than a score, costs that score alone.
import type { Usage } from "../../contracts/usage.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { describeValue } from "../../text/describe-value.js";
import { unlessAborted } from "../../time/unless-aborted.js";
import type { CaseScore, EvaluatedRun, EvaluationCase, Scorer } from "./evaluation.js";

/** A scorer and what it is called in the report. */
export interface NamedScorer {
  readonly name: string;
  readonly score: Scorer;
}

/** The cost of a score that a model gave. */
export interface ScoringCost {
  readonly usage: Usage;
  readonly costUsd: number | null;
}

/** By name; in an array by the function's name, numbered where it has none or shares it. */
export function namedScorers(given: readonly Scorer[] | Readonly<Record<string, Scorer>>): NamedScorer[] {
  if (!Array.isArray(given)) return Object.entries(given).map(([name, score]) => ({ name, score }));
  const seen = new Map<string, number>();
  return (given as readonly Scorer[]).map((score, index) => {
    const base = score.name === "" ? `scorer ${index + 1}` : score.name;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return { name: count === 1 ? base : `${base} (${count})`, score };
  });
}

export async function scoreRun(
  scorers: readonly NamedScorer[],
  run: EvaluatedRun,
  evaluationCase: EvaluationCase,
  signal: AbortSignal,
  onCost: (cost: ScoringCost) => void,
): Promise<CaseScore[]> {
  return Promise.all(
    scorers.map(async ({ name, score }) => {
      try {
        const scoring = (async () => score(run, evaluationCase, { signal }))();
        return readScore(name, await unlessAborted(scoring, signal), onCost);
      } catch (thrown) {
        return { scorer: name, value: null, error: describeThrown(thrown) };
      }
    }),
  );
}

/** The scores of a run that failed: all 0, so that a crash cannot raise an average. */
export function failedScores(scorers: readonly NamedScorer[]): CaseScore[] {
  return scorers.map(({ name }) => ({ scorer: name, value: 0, reason: "The run failed." }));
}

function readScore(scorer: string, given: unknown, onCost: (cost: ScoringCost) => void): CaseScore {
  if (typeof given === "boolean") return { scorer, value: given ? 1 : 0, passed: given };
  if (typeof given === "number" && Number.isFinite(given)) return { scorer, value: given };
  if (typeof given === "object" && given !== null && "score" in given) {
    const { score, reason, usage, costUsd } = given as { [key: string]: unknown };
    const read = readScore(scorer, score, onCost);
    if (isUsage(usage)) onCost({ usage, costUsd: typeof costUsd === "number" ? costUsd : null });
    return { ...read, ...(reason !== undefined && { reason: String(reason) }) };
  }
  const hint = typeof given === "function" ? ` Call it first, as in "${scorer}()".` : "";
  throw new TypeError(
    `The scorer "${scorer}" answered ${describeValue(given)}; expected true, false, a finite number, or { score, reason }.${hint}`,
  );
}

/** The usage that a scorer or a foreign run reports may be anything. */
export function isUsage(value: unknown): value is Usage {
  const { inputTokens, outputTokens } = Object(value) as { [key: string]: unknown };
  return Number.isFinite(inputTokens) && Number.isFinite(outputTokens);
}
