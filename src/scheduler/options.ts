import type { Answer } from "../contracts/approval.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { ToolDefinition } from "../contracts/tool-call.js";
import type { Workspace } from "../contracts/workspace.js";
import type { AgentEngine } from "../engine/engine.js";
import {
  ANYTHING,
  byDefault,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionTable,
  optionOf,
  recordOf,
  required,
  SIGNAL,
  tableOf,
  type WithDefaults,
  withMethods,
} from "../json/check-options.js";
import { LONGEST_TIMER_MS } from "../time/deadlines.js";
import type { Criterion, Plan, PlannedTask } from "./plan/plan.js";
import type { TaskReport } from "./report/report-data.js";

/** The part of a catalog of skills that a scheduler uses; `loadSkills()` makes one. */
export interface SkillChoice {
  select(
    task: string,
    options: { readonly limit: number },
  ): readonly {
    readonly skill: {
      readonly name: string;
      readonly description: string;
      instructions(): Promise<string>;
      readonly guardrails: readonly { readonly text: string }[];
    };
    readonly reasons: readonly string[];
  }[];
  /** Puts a skill in use for an agent, so that the catalog's gate counts its rules. Not needed: only its text counts then. */
  use?(name: string, transcriptId: string): void;
}

/** The result of a task, before it is verified. */
export interface TaskResult {
  readonly taskId: string;
  readonly attempt: number;
  /** A tool's output, or the final text of an agent. */
  readonly output: string;
  /** The tool's details for the host, beside its output. */
  readonly details?: unknown;
}

/** The finding of a result's check. */
export interface Verification {
  readonly passed: boolean;
  readonly reason: string;
  /** The observations: quotes, exit codes, files. */
  readonly evidence: readonly string[];
}

/** A planner's input beside the goal. */
export interface PlanningRequest {
  readonly tools: readonly ToolDefinition[];
  readonly subagents: readonly { readonly name: string; readonly description: string }[];
  readonly predicates: readonly string[];
  /** Kinds of criteria that can be checked here. */
  readonly criteria: readonly Criterion["kind"][];
  readonly maxTasks: number;
  readonly skill?: { readonly name: string; readonly instructions: string } | undefined;
  /** The faults of the plan returned before; empty at first. */
  readonly issues: readonly string[];
  /** Set when an earlier plan has failed: what is done stays done, and the new plan does the rest. */
  readonly earlier?:
    | {
        readonly done: readonly { readonly task: PlannedTask; readonly output: string }[];
        readonly failed: readonly { readonly task: PlannedTask; readonly reason: string }[];
        /** Not begun, because what they need has failed. */
        readonly skipped: readonly PlannedTask[];
      }
    | undefined;
  readonly signal: AbortSignal;
}

/** Makes a plan. Called again with `issues` when the plan is not valid, and with `earlier` when it has failed. */
export type Decomposer = (goal: string, request: PlanningRequest) => Plan | Promise<Plan>;

/**
 * Checks a result in place of its criterion. `about.verify()` checks the criterion, for a verifier that wants more, or
 * something else, for some tasks only. One that throws has not accepted the result.
 */
export type Verifier = (
  task: PlannedTask,
  result: TaskResult,
  about: { readonly goal: string; readonly signal: AbortSignal; verify(): Promise<Verification> },
) => boolean | Partial<Verification> | Promise<boolean | Partial<Verification>>;

/** Makes one answer of the results of all tasks, when all are done. */
export type Merger = (
  tasks: readonly TaskReport[],
  about: {
    readonly goal: string;
    readonly files: readonly string[];
    readonly facts: readonly string[];
    readonly signal: AbortSignal;
  },
) => string | Promise<string>;

/**
 * The host's answer to a plan: `true` or `"allow"`, `false` or `"deny"`, a changed plan, which is approved with that, or
 * `"ask"`, which leaves the question to the engine's approver, or `resume` with an answer. Any other string is a reason
 * against the plan.
 */
export type PlanDecision = boolean | "allow" | "deny" | "ask" | (string & {}) | Plan;

/** Bounds of a scheduler's run. */
export interface SchedulerLimits {
  /** Tasks at work at once. Default: 4. */
  readonly maxParallel?: number | undefined;
  /** Attempts at a task under one plan. Default: 3. */
  readonly maxAttempts?: number | undefined;
  /** Replacements of a plan that has failed. Default: 2. */
  readonly maxReplans?: number | undefined;
  /** Tasks of one plan. Default: 100. */
  readonly maxTasks?: number | undefined;
  /** Wait before the second attempt; it doubles from attempt to attempt, up to 30 seconds. Unit: milliseconds. Default: 200. */
  readonly retryDelayMs?: number | undefined;
  /**
   * Input and output tokens of the whole plan: planner, agents, judges, those of earlier processes included. Looked at
   * before anything begins, and an agent gets what is left; agents at work at once may together use more. The report is
   * then `budget-exceeded`, and `resume` goes on under a higher limit. Default: none.
   */
  readonly maxTokens?: number | undefined;
  /** As `maxTokens`, for the cost. Needs prices, of the engine or of its provider. Unit: US dollars. Default: none. */
  readonly maxCostUsd?: number | undefined;
  /** Attempts at all tasks under all plans. The report is then `budget-exceeded`. Default: none. */
  readonly maxTotalAttempts?: number | undefined;
  /**
   * Time of one `run` or `resume`. Nothing begins after it, and agents at work end; a tool call at work ends by itself. The
   * report is then `deadline`. Unit: milliseconds. Default: none.
   */
  readonly deadlineMs?: number | undefined;
  /**
   * Time of each call of `predicates`, `decomposer`, `verifier`, `merger` and `skills`; while a verifier waits for
   * `verify()`, it does not count. Its signal aborts then, and the call has failed. Unit: milliseconds. Default: 60_000.
   */
  readonly partTimeoutMs?: number | undefined;
  /**
   * The wait for `approvePlan`, which may ask a person. The plan is then left as a question, as for `"ask"`.
   * Unit: milliseconds. Default: no limit.
   */
  readonly approvalTimeoutMs?: number | undefined;
}

/** Options of a `Scheduler`. */
export interface SchedulerOptions {
  /** Plans, and does the tasks. */
  readonly engine: AgentEngine;
  /** The sub-agents a plan may name. One with `isolation: "worktree"` works through the engine's tool `task`, which knows it. */
  readonly subagents?: readonly SubagentDefinition[] | undefined;
  /** The best skill for the goal guides the plan and the agents. */
  readonly skills?: SkillChoice | undefined;
  /** The place where criteria of the kind `file` look. Without it plans cannot have them. */
  readonly workspace?: (Pick<Workspace, "files"> & Partial<Pick<Workspace, "fileState">>) | undefined;
  /** Checks that plans may name. They return whether a result is accepted. */
  readonly predicates?: Readonly<Record<string, (result: TaskResult) => boolean | Promise<boolean>>> | undefined;
  /** Default: the engine's model makes the plan. */
  readonly decomposer?: Decomposer | undefined;
  /** Default: each result is checked against its criterion. */
  readonly verifier?: Verifier | undefined;
  /** Default: the results of the tasks that no other task depends on. */
  readonly merger?: Merger | undefined;
  /** `SchedulerLimits` has the defaults. */
  readonly limits?: SchedulerLimits | undefined;
  /** Asked about each valid plan before anything of it is done. Default: plans are not asked about. */
  readonly approvePlan?:
    | ((
        plan: Plan,
        about: { readonly number: number; readonly signal: AbortSignal },
      ) => PlanDecision | Promise<PlanDecision>)
    | undefined;
}

/** Options of `run()`. */
export interface SchedulerRunOptions {
  /** The session of the plan; must be new, or one without a plan. Default: a new one. */
  readonly sessionId?: string | undefined;
  /** Aborts the run. */
  readonly signal?: AbortSignal | undefined;
  /** Handed to tools as `context.app`. */
  readonly context?: unknown;
}

/** Options of `resume()`. */
export interface SchedulerResumeOptions {
  /** To the questions of the report's `pending`. */
  readonly answers?: readonly Answer[] | undefined;
  /** Aborts the run. */
  readonly signal?: AbortSignal | undefined;
  /** Handed to tools as `context.app`. */
  readonly context?: unknown;
}

export const SCHEDULER_LIMITS = {
  maxParallel: byDefault(4, numberFrom(1, "tasks")),
  maxAttempts: byDefault(3, numberFrom(1, "attempts")),
  maxReplans: byDefault(2, numberFrom(0, "plans")),
  maxTasks: byDefault(100, numberFrom(1, "tasks")),
  retryDelayMs: byDefault(200, numberFrom(0, "milliseconds")),
  maxTokens: numberFrom(1, "tokens"),
  maxCostUsd: numberFrom(0, "US dollars", undefined, true),
  maxTotalAttempts: numberFrom(1, "attempts"),
  deadlineMs: numberFrom(1, "milliseconds", LONGEST_TIMER_MS, true),
  partTimeoutMs: byDefault(60_000, numberFrom(1, "milliseconds", LONGEST_TIMER_MS, true)),
  approvalTimeoutMs: numberFrom(1, "milliseconds", LONGEST_TIMER_MS, true),
} satisfies OptionTable<SchedulerLimits>;

/** Limits with their defaults. */
export type ResolvedSchedulerLimits = WithDefaults<SchedulerLimits, typeof SCHEDULER_LIMITS>;

const SUBAGENT = optionOf(
  (value) => typeof Object(value).name === "string" && typeof Object(value).systemPrompt === "string",
  "a sub-agent, as of defineSubagent()",
);

export const SCHEDULER_TABLE = {
  engine: required(withMethods("run", "resume", "execute")),
  subagents: byDefault([], listOf(SUBAGENT, "sub-agents")),
  skills: withMethods("select"),
  workspace: optionOf((value) => typeof Object(Object(value).files).stat === "function", "a workspace"),
  predicates: recordOf(FUNCTION, "functions"),
  decomposer: FUNCTION,
  verifier: FUNCTION,
  merger: FUNCTION,
  limits: byDefault({}, tableOf(SCHEDULER_LIMITS)),
  approvePlan: FUNCTION,
} satisfies OptionTable<SchedulerOptions>;

export const SCHEDULER_RUN_TABLE = {
  sessionId: optionOf(
    (value) => typeof value === "string" && /^[^\0]{1,400}$/s.test(value),
    "a string of 1 to 400 characters",
  ),
  signal: SIGNAL,
  context: ANYTHING,
} satisfies OptionTable<SchedulerRunOptions>;

export const SCHEDULER_RESUME_TABLE = {
  answers: optionOf(Array.isArray, "an array of answers"),
  signal: SIGNAL,
  context: ANYTHING,
} satisfies OptionTable<SchedulerResumeOptions>;
