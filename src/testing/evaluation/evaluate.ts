import pLimit from "p-limit";
import { ConfigurationError } from "../../contracts/errors.js";
import {
  ANYTHING,
  byDefault,
  checkOptions,
  eitherOf,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionRule,
  type OptionTable,
  optionError,
  optionOf,
  recordOf,
  required,
  SIGNAL,
  STRING,
  tableOf,
  withMethods,
} from "../../json/check-options.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { isRunner, promptOf } from "./evaluated-run.js";
import type { EvaluationCase, EvaluationOptions, EvaluationReport } from "./evaluation.js";
import { createEvaluationReport } from "./evaluation-report.js";
import { type EvaluationWork, runEvaluationCase, withRemark } from "./run-evaluation-case.js";
import { namedScorers, type ScoringCost } from "./score-run.js";

/** The longest time a timer takes. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const PROMPT: OptionRule = eitherOf(
  optionOf((value) => typeof value === "string", "a string"),
  listOf(ANYTHING, "content parts"),
);

const CASE = {
  name: required(STRING),
  input: PROMPT,
  prompt: PROMPT,
  expected: ANYTHING,
  metadata: ANYTHING,
  setup: FUNCTION,
  teardown: FUNCTION,
} satisfies OptionTable<EvaluationCase>;

const OPTIONS = {
  cases: required(listOf(tableOf(CASE), "cases")),
  agent: required(eitherOf(FUNCTION, { ...withMethods("run"), expected: "an engine" })),
  scorers: required(eitherOf(listOf(FUNCTION, "scorers"), recordOf(FUNCTION, "scorers by name"))),
  repeats: byDefault(1, numberFrom(1, "runs of each case")),
  concurrency: byDefault(4, numberFrom(1, "runs at a time")),
  timeoutMs: numberFrom(1, "milliseconds", MAX_TIMEOUT_MS),
  confidence: byDefault(
    0.95,
    optionOf((value) => typeof value === "number" && value > 0 && value < 1, "a number between 0 and 1, such as 0.95"),
  ),
  signal: SIGNAL,
  onResult: FUNCTION,
} satisfies OptionTable<EvaluationOptions>;

/**
 * Runs every case, scores what came of it, and reports scores with intervals, tokens, cost and time.
 *
 * Each failure is a result: an agent that throws, a scorer that throws, a run that takes too long. A run that failed
 * counts as 0 for every scorer. Rejects only for wrong options. Results come in the order of the cases and repeats,
 * whatever order they end in. An abort resolves with what was scored by then.
 *
 * @example
 * const report = await evaluate({
 *   cases: [{ name: "capital", input: "What is the capital of France?", expected: "Paris" }],
 *   agent: engine,
 *   scorers: [contains(), noErrors()],
 *   repeats: 5,
 * });
 * console.log(report.toMarkdown());
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export async function evaluate<Expected>(options: EvaluationOptions<Expected>): Promise<EvaluationReport> {
  const settings = checkOptions("evaluate()", options as unknown as EvaluationOptions, OPTIONS);
  const { cases, agent, scorers, repeats, concurrency, onResult, ...rest } = settings;
  checkCases(cases, agent);
  const startedAt = performance.now();
  const signal = rest.signal ?? new AbortController().signal;
  const costs: ScoringCost[] = [];
  const work: EvaluationWork = {
    agent,
    scorers: namedScorers(scorers),
    timeoutMs: rest.timeoutMs,
    signal,
    onScoringCost: (cost) => costs.push(cost),
  };
  const limit = pLimit(concurrency);
  const results = await Promise.all(
    cases.flatMap((evaluationCase) =>
      Array.from({ length: repeats }, (_, index) =>
        limit(async () => {
          const result = await runEvaluationCase(work, evaluationCase, index + 1);
          try {
            onResult?.(result);
            return result;
          } catch (thrown) {
            return withRemark(result, `onResult failed: ${describeThrown(thrown)}`);
          }
        }),
      ),
    ),
  );
  return createEvaluationReport({
    results,
    scorers: work.scorers.map(({ name }) => name),
    costs,
    confidence: rest.confidence,
    isAborted: signal.aborted,
    durationMs: performance.now() - startedAt,
  });
}

function checkCases(cases: EvaluationOptions["cases"], agent: EvaluationOptions["agent"]): void {
  if (cases.length === 0) throw optionError("evaluate()", "cases", cases, "at least one case");
  const names = new Set<string>();
  for (const [index, each] of cases.entries()) {
    if (names.has(each.name)) throw optionError("evaluate()", `cases[${index}].name`, each.name, "a name of its own");
    names.add(each.name);
    if (each.input !== undefined && each.prompt !== undefined) {
      throw new ConfigurationError("OPTION_INVALID", {
        message: `The case "${each.name}" has both "input" and "prompt". They mean the same: leave one out.`,
        details: { option: `cases[${index}].prompt` },
      });
    }
    if (isRunner(agent)) promptOf(each);
  }
}
