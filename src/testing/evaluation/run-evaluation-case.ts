// One run of one case: set up, run, score, tear down. Whatever goes wrong becomes a result, and nothing is waited for once
// the evaluation was aborted or the time is up.
import { describeThrown } from "../../text/describe-thrown.js";
import { followSignal } from "../../time/follow-signal.js";
import { unlessAborted } from "../../time/unless-aborted.js";
import { evaluatedRun, isRunner } from "./evaluated-run.js";
import type { CaseResult, EvaluatedRun, EvaluationAgent, EvaluationCase } from "./evaluation.js";
import { failedScores, type NamedScorer, type ScoringCost, scoreRun } from "./score-run.js";

/** A teardown is given up after this, unless `timeoutMs` says otherwise. */
const DEFAULT_TEARDOWN_MS = 60_000;

/** The state that all runs of an evaluation share. */
export interface EvaluationWork {
  readonly agent: EvaluationAgent;
  readonly scorers: readonly NamedScorer[];
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly onScoringCost: (cost: ScoringCost) => void;
}

/** Never rejects. */
export async function runEvaluationCase(
  work: EvaluationWork,
  evaluationCase: EvaluationCase,
  repeat: number,
): Promise<CaseResult> {
  const about = { name: evaluationCase.name, repeat };
  if (work.signal.aborted) return { ...about, outcome: "skipped", scores: [] };
  let deadline = new Deadline(work);
  let prepared: unknown;
  let isPrepared = false;
  let result: CaseResult = { ...about, outcome: "skipped", scores: [] };
  try {
    prepared = await deadline.race(
      async () => evaluationCase.setup?.({ repeat, signal: deadline.signal }),
      // It came too late, and still has to be undone.
      (late) => void tornDown(result, evaluationCase, late, work.timeoutMs),
    );
    isPrepared = true;
    const run = await deadline.race(() => runAgent(work, evaluationCase, repeat, deadline.signal, prepared));
    deadline.end();
    // Scorers have as much time again: one that needs more costs its own score.
    deadline = new Deadline(work);
    const scores = await scoreRun(work.scorers, run, evaluationCase, deadline.signal, work.onScoringCost);
    work.signal.throwIfAborted();
    result = { ...about, outcome: "scored", run, scores };
  } catch (thrown) {
    if (!work.signal.aborted) {
      result = { ...about, outcome: "failed", error: describeThrown(thrown), scores: failedScores(work.scorers) };
    }
  } finally {
    deadline.end();
  }
  return isPrepared ? tornDown(result, evaluationCase, prepared, work.timeoutMs) : result;
}

async function runAgent(
  { agent }: EvaluationWork,
  evaluationCase: EvaluationCase,
  repeat: number,
  signal: AbortSignal,
  prepared: unknown,
): Promise<EvaluatedRun> {
  const startedAt = performance.now();
  const given = isRunner(agent) ? agent : await agent(evaluationCase, { repeat, signal, prepared });
  const run = await evaluatedRun(given, { evaluationCase, signal, context: prepared }, startedAt);
  // An engine settles as `aborted`: that is not an answer to score.
  signal.throwIfAborted();
  return run;
}

/** Never rejects. */
async function tornDown(
  result: CaseResult,
  evaluationCase: EvaluationCase,
  prepared: unknown,
  timeoutMs = DEFAULT_TEARDOWN_MS,
): Promise<CaseResult> {
  if (!evaluationCase.teardown) return result;
  const patience = new Deadline({ signal: new AbortController().signal, timeoutMs });
  try {
    await patience.race(async () => evaluationCase.teardown?.(prepared));
    return result;
  } catch (thrown) {
    return withRemark(result, `Its teardown failed: ${describeThrown(thrown)}`);
  } finally {
    patience.end();
  }
}

/** The result with one more thing that went wrong beside the run. */
export function withRemark(result: CaseResult, remark: string): CaseResult {
  return { ...result, error: result.error === undefined ? remark : `${result.error} ${remark}` };
}

/** The signal of one run, and the end of all waiting when it aborts. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #unfollow: () => void;

  constructor({ signal, timeoutMs }: Pick<EvaluationWork, "signal" | "timeoutMs">) {
    this.#unfollow = followSignal(signal, () => this.#controller.abort(signal.reason));
    if (timeoutMs === undefined) return;
    const late = new Error(`It took longer than ${timeoutMs} ms (timeoutMs), and was aborted.`);
    this.#timer = setTimeout(() => this.#controller.abort(late), timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The result of the work, or the reason of the signal as soon as it aborts; a result after that goes to `onLate`. */
  async race<T>(start: () => Promise<T>, onLate?: (late: T) => void): Promise<T> {
    this.signal.throwIfAborted();
    const work = start();
    try {
      return await unlessAborted(work, this.signal);
    } catch (thrown) {
      if (onLate) work.then(onLate, () => {});
      throw thrown;
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#unfollow();
  }
}
