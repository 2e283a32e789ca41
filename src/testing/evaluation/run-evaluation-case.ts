// One run of one case: set up, run, score, tear down. Whatever goes wrong becomes a result, and nothing is waited for once
// the evaluation was aborted or the time is up.
import { describeThrown } from "../../text/describe-thrown.js";
import { followSignal } from "../../time/follow-signal.js";
import { evaluatedRun, isRunner } from "./evaluated-run.js";
import type { CaseResult, EvaluatedRun, EvaluationAgent, EvaluationCase } from "./evaluation.js";
import { failedScores, type NamedScorer, type ScoringCost, scoreRun } from "./score-run.js";

/** What all runs of an evaluation share. */
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
  const deadline = new Deadline(work);
  let prepared: unknown;
  let result: CaseResult;
  try {
    prepared = await deadline.race(async () => evaluationCase.setup?.({ repeat, signal: deadline.signal }));
    const run = await deadline.race(() => runAgent(work, evaluationCase, repeat, deadline.signal, prepared));
    const { scorers, onScoringCost } = work;
    const scores = await deadline.race(() => scoreRun(scorers, run, evaluationCase, deadline.signal, onScoringCost));
    result = { ...about, outcome: "scored", run, scores };
  } catch (thrown) {
    result = work.signal.aborted
      ? { ...about, outcome: "skipped", scores: [] }
      : { ...about, outcome: "failed", error: describeThrown(thrown), scores: failedScores(work.scorers) };
  } finally {
    deadline.end();
  }
  return tornDown(result, evaluationCase, prepared);
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
  // An engine settles as `aborted`: that is no answer to be scored.
  signal.throwIfAborted();
  return run;
}

async function tornDown(result: CaseResult, evaluationCase: EvaluationCase, prepared: unknown): Promise<CaseResult> {
  try {
    await evaluationCase.teardown?.(prepared);
    return result;
  } catch (thrown) {
    const error = `Its teardown failed: ${describeThrown(thrown)}`;
    return { ...result, error: result.error === undefined ? error : `${result.error} ${error}` };
  }
}

/** The signal of one run, and the end of all waiting when it aborts. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #unfollow: () => void;

  constructor({ signal, timeoutMs }: EvaluationWork) {
    this.#unfollow = followSignal(signal, () => this.#controller.abort(signal.reason));
    if (timeoutMs === undefined) return;
    const late = new Error(`The run took longer than timeoutMs, ${timeoutMs} ms, and was aborted.`);
    this.#timer = setTimeout(() => this.#controller.abort(late), timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What the work comes to, or the reason of the signal as soon as it aborts. */
  async race<T>(start: () => Promise<T>): Promise<T> {
    const { signal } = this;
    signal.throwIfAborted();
    let stop = () => {};
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
    });
    try {
      return await Promise.race([start(), aborted]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#unfollow();
  }
}
