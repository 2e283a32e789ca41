// The nouns of an evaluation: what is tried, who is tried, how it is scored, and what is reported.
import type { ContentPart } from "../../contracts/content.js";
import type { HarnessError } from "../../contracts/errors.js";
import type { Message } from "../../contracts/message.js";
import type { RunResult, RunStatus } from "../../contracts/run.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import type { Usage } from "../../contracts/usage.js";
import type { RunOptions } from "../../engine/options/options.js";
import type { SessionExport } from "../../sessions/export-session.js";
import type { RunReplay } from "../cassette/replay-run.js";

/** One thing to try. */
export interface EvaluationCase<Expected = unknown> {
  /** Names the case in the report. Unique. */
  readonly name: string;
  /** The prompt. An agent that is an engine needs one; a function may do without. */
  readonly input?: string | readonly ContentPart[] | undefined;
  /** The same as `input`, for those who call it so. Only one of them may be there. */
  readonly prompt?: string | readonly ContentPart[] | undefined;
  /** The value that scorers compare with. */
  readonly expected?: Expected | undefined;
  /** Anything else scorers and readers of the results may need. */
  readonly metadata?: unknown;
  /**
   * Called before each run of the case. What it returns is the run's `context` for an engine, and `prepared` for a function.
   * If it throws, the run counts as failed.
   */
  setup?(about: { readonly repeat: number; readonly signal: AbortSignal }): unknown;
  /** Called after each run and its scoring with what `setup` returned, also when the run failed; not when `setup` did. */
  teardown?(prepared: unknown): unknown;
}

/** The arguments of an agent that is a function, besides the case. */
export interface EvaluationContext {
  /** From 1. */
  readonly repeat: number;
  /** Aborts when the evaluation does, and when the run has used up `timeoutMs`. */
  readonly signal: AbortSignal;
  /** The value that the case's `setup` returned. */
  readonly prepared: unknown;
}

/** A runner of prompts as an `AgentEngine` is one. */
export interface PromptRunner {
  run(input: string | readonly ContentPart[], options?: RunOptions): Promise<RunResult>;
}

/**
 * The return value of an agent that is a function: an engine that is to run the case, alone or with a `close` to call afterwards;
 * a run, or its result; a replay, which is run and verified; a session, read from a store or exported; or any other value,
 * which is the answer itself.
 */
export type AgentAnswer =
  | PromptRunner
  | { readonly engine: PromptRunner; close?(): unknown }
  | { readonly result: Promise<RunResult>; readonly idle: Promise<void> }
  | RunResult
  | RunReplay
  | AsyncIterable<SessionEntry>
  | SessionExport
  | string
  | number
  | boolean
  | object;

/** The agent on trial: an engine, which runs each case in a session of its own, or a function. */
export type EvaluationAgent<Expected = unknown> =
  | PromptRunner
  | ((
      evaluationCase: EvaluationCase<Expected>,
      context: EvaluationContext,
    ) => AgentAnswer | null | Promise<AgentAnswer | null>);

/** A tool call of a run, with its result if it has one. */
export interface EvaluatedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly output?: ToolResult["output"] | undefined;
  readonly isError: boolean;
}

/** The run to score, whatever it came from. */
export interface EvaluatedRun {
  readonly status: RunStatus;
  /** The final answer. */
  readonly text: string;
  /** The structured answer; for an agent that returned any other value than a string, that value. */
  readonly output?: unknown;
  readonly error?: HarnessError | undefined;
  messages(): readonly Message[];
  /** The calls of the whole transcript, in order. */
  readonly toolCalls: readonly EvaluatedCall[];
  readonly usage: Usage;
  /** `null` when it is not known. */
  readonly costUsd: number | null;
  readonly turns: number;
  /** Wall-clock time. For a session that was recorded, from its first entry to its last. */
  readonly durationMs: number;
  readonly sessionId?: string | undefined;
}

/** A verdict on a run. `true` and `false` make a pass rate, numbers a mean. */
export type Score =
  | boolean
  | number
  | {
      readonly score: boolean | number;
      /** Shown in the report. */
      readonly reason?: string | undefined;
      /** The usage of scoring itself, where a model was asked. */
      readonly usage?: Usage | undefined;
      readonly costUsd?: number | null | undefined;
    };

/** Scores a run. One that throws, or takes longer than `timeoutMs`, has no score for this run; the others are not affected. */
export type Scorer<Expected = unknown> = (
  run: EvaluatedRun,
  evaluationCase: EvaluationCase<Expected>,
  context: { readonly signal: AbortSignal },
) => Score | Promise<Score>;

/** Options of `evaluate()`. */
export interface EvaluationOptions<Expected = unknown> {
  /** The cases to try the agent on. At least one; their names differ. */
  readonly cases: readonly EvaluationCase<Expected>[];
  /** Called for each case and repeat. */
  readonly agent: EvaluationAgent<Expected>;
  /** By name, or in an array, where a function's own name counts. */
  readonly scorers: readonly Scorer<Expected>[] | Readonly<Record<string, Scorer<Expected>>>;
  /** Runs of each case. Default: 1. */
  readonly repeats?: number | undefined;
  /** Runs at a time. Default: 4. Cases whose setups share something need 1. */
  readonly concurrency?: number | undefined;
  /**
   * A run that takes longer is aborted and counts as failed; a scorer that takes longer costs its score. Unit: milliseconds.
   * Default: none.
   */
  readonly timeoutMs?: number | undefined;
  /** The confidence of the intervals. Default: 0.95. */
  readonly confidence?: number | undefined;
  /** Ends the evaluation. What was scored by then is in the report; the rest is `skipped`. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each run, in the order in which they end. */
  readonly onResult?: ((result: CaseResult) => void) | undefined;
}

/** One scorer's verdict on one run. */
export interface CaseScore {
  readonly scorer: string;
  /** `null` when the scorer failed: see `error`. */
  readonly value: number | null;
  /** The answer of a scorer that answers `true` or `false`; `value` is then 1 or 0. */
  readonly passed?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
}

/** One run of one case. */
export interface CaseResult {
  readonly name: string;
  /** From 1. */
  readonly repeat: number;
  /** `failed`: there is nothing to score, and every score counts as 0. `skipped`: the evaluation was aborted before its end. */
  readonly outcome: "scored" | "failed" | "skipped";
  /** Present when scored. */
  readonly run?: EvaluatedRun | undefined;
  /** The reason of a failure. */
  readonly error?: string | undefined;
  /** In the order of the scorers; empty when skipped. */
  readonly scores: readonly CaseScore[];
}

/** A mean or a rate with its interval. */
export interface Estimate {
  readonly value: number;
  /** `null` for both when there are too few runs for an interval. */
  readonly low: number | null;
  readonly high: number | null;
  /** The method of the interval, in words. */
  readonly method: string;
}

/** One scorer's verdicts on all runs. */
export interface ScoreSummary extends Estimate {
  readonly scorer: string;
  /** `rate` when every score was `true` or `false`. */
  readonly kind: "rate" | "mean";
  /** Scores that count. */
  readonly count: number;
  /** Scores that are missing because the scorer failed. */
  readonly unscored: number;
}

/** One case over its repeats. */
export interface CaseSummary {
  readonly name: string;
  readonly runs: number;
  readonly failed: number;
  readonly skipped: number;
  /** Mean score by scorer; `null` where no run has one. */
  readonly scores: Readonly<Record<string, number | null>>;
}

/** The result of an evaluation. */
export interface EvaluationReport {
  /** By case in the given order, then by repeat, whatever order they ended in. */
  readonly results: readonly CaseResult[];
  readonly scores: readonly ScoreSummary[];
  readonly cases: readonly CaseSummary[];
  readonly confidence: number;
  readonly failed: number;
  readonly skipped: number;
  readonly isAborted: boolean;
  /** Tokens of the runs that were scored; scoring itself is apart. */
  readonly usage: Usage;
  /** `null` when the cost of a run is not known. */
  readonly costUsd: number | null;
  /** The usage of scorers that asked a model. */
  readonly scoring: { readonly usage: Usage; readonly costUsd: number | null };
  /** Wall-clock time of the whole. */
  readonly durationMs: number;
  /** Wall-clock time of a run. */
  readonly runMs: Estimate | null;
  /** Tables: scores, cases, and what went wrong. */
  toMarkdown(): string;
  /** One page that needs no network and runs no script. */
  toHtml(): string;
}
