import type { Answer } from "../contracts/approval.js";
import {
  ConfigurationError,
  type ErrorCode,
  HarnessError,
  type HarnessErrorOptions,
  RunAbortedError,
  SessionError,
} from "../contracts/errors.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import { ENGINE_PARTS, type EngineParts } from "../engine/engine-parts.js";
import { checkOptions, optionError } from "../json/check-options.js";
import { abortReason, followSignal } from "../time/follow-signal.js";
import { SUBAGENT_TOOL } from "./attempt/make-attempt.js";
import { Journal, unknownScheduler } from "./journal.js";
import {
  SCHEDULER_LIMITS,
  SCHEDULER_RESUME_TABLE,
  SCHEDULER_RUN_TABLE,
  SCHEDULER_TABLE,
  type SchedulerOptions,
  type SchedulerResumeOptions,
  type SchedulerRunOptions,
} from "./options.js";
import { createReport, type SchedulerReport } from "./report/report.js";
import type { ReportData } from "./report/report-data.js";
import { type SchedulerEvent, SchedulerEvents } from "./scheduler-events.js";
import { SchedulerMachine } from "./scheduler-run.js";
import { continueAnswered } from "./waiting-tasks.js";
import type { Work } from "./work.js";

const OWNER = "createScheduler()";

/** A plan at work. It goes on whether or not anybody iterates it; leaving the iteration early aborts it. */
export interface SchedulerRun extends AsyncIterable<SchedulerEvent> {
  /** The session of the plan: what `resume` takes. */
  readonly id: string;
  /**
   * Resolves with what came of the goal, whatever happened. Rejects only for misuse: wrong options, `SESSION_BUSY`,
   * `SESSION_NOT_FOUND`, or a session that cannot be read.
   */
  readonly result: Promise<SchedulerReport>;
  /** Ends the run as `aborted`; what is at work is aborted. It can be resumed. Safe to call twice. */
  abort(reason?: string): void;
}

/** Reaches a goal by a plan: tasks that depend on each other, each done, verified, and kept. */
export interface Scheduler {
  /** Makes a plan for a goal and carries it out. */
  run(goal: string, options?: SchedulerRunOptions): SchedulerRun;
  /**
   * Goes on with a plan after a question, an abort or a crash: what is done is not done again. A plan that is done or has
   * failed returns its report.
   */
  resume(sessionId: string, options?: SchedulerResumeOptions): SchedulerRun;
}

/**
 * A scheduler over an engine: decomposes a goal, carries out what is ready in parallel, verifies every result, replaces what
 * fails, and merges. Every call goes through the engine, its gate and its hooks.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const settings = checkOptions(OWNER, options, SCHEDULER_TABLE);
  const parts = ENGINE_PARTS.get(options.engine);
  if (!parts) throw optionError(OWNER, "engine", options.engine, "an AgentEngine");
  const subagents = readSubagents(settings.subagents, parts);
  const limits = checkOptions(OWNER, settings.limits, SCHEDULER_LIMITS);
  const { prices, provider } = parts.config;
  if (limits.maxCostUsd !== undefined && !prices && !provider.prices)
    throw optionError(
      OWNER,
      "limits.maxCostUsd",
      limits.maxCostUsd,
      "an engine with `prices`, or whose provider knows them",
    );
  const base = { engine: options.engine, parts, options, subagents, limits };
  return {
    run: (goal, runOptions = {}) =>
      offer(parts, Object(runOptions).sessionId ?? parts.config.runtime.newId(), () => {
        checkOptions("scheduler.run()", runOptions, SCHEDULER_RUN_TABLE);
        if (typeof goal !== "string" || goal.trim() === "")
          throw optionError("scheduler.run()", "goal", goal, "a non-empty string");
        return { base, goal, given: runOptions, answers: [] };
      }),
    resume: (sessionId, resumeOptions = {}) =>
      offer(parts, sessionId, () => {
        checkOptions("scheduler.resume()", resumeOptions, SCHEDULER_RESUME_TABLE);
        checkOptions(
          "scheduler.resume()",
          { sessionId },
          { sessionId: { ...SCHEDULER_RUN_TABLE.sessionId, isRequired: true } },
        );
        return { base, goal: null, given: resumeOptions, answers: (resumeOptions.answers ?? []).filter(isAnswer) };
      }),
  };
}

/** A value that is not an answer is ignored, as the engine does: the question still waits. */
function isAnswer(value: unknown): value is Answer {
  return typeof Object(value).id === "string";
}

interface Start {
  readonly base: Pick<Work, "engine" | "parts" | "options" | "subagents" | "limits">;
  /** `null`: the session knows it. */
  readonly goal: string | null;
  readonly given: { readonly signal?: AbortSignal | undefined; readonly context?: unknown };
  readonly answers: Work["answers"];
}

function offer({ config }: EngineParts, id: string, read: () => Start): SchedulerRun {
  const events = new SchedulerEvents(id, () => config.runtime.now());
  const stop = new AbortController();
  const abort = (reason = "the host asked for it") => stop.abort(new RunAbortedError(String(reason)));
  const result = begin(id, events, stop, abort, read).then(
    (report) => {
      events.close();
      return report;
    },
    (error) => {
      events.close(error);
      throw error;
    },
  );
  result.catch(() => {}); // A consumer that only iterates gets the error there.
  return {
    id,
    result,
    abort,
    [Symbol.asyncIterator]: () => ({
      next: () => events.next(),
      async return() {
        abort("its consumer stopped reading");
        events.discard();
        return { value: undefined, done: true };
      },
    }),
  };
}

async function begin(
  id: string,
  events: SchedulerEvents,
  stop: AbortController,
  abort: (reason?: string) => void,
  read: () => Start,
): Promise<SchedulerReport> {
  const { base, goal, given, answers } = read();
  const { signal } = given;
  const unfollow = signal ? followSignal(signal, () => abort(abortReason(signal))) : () => {};
  // A plan cut off by its engine's end has not failed: another process can go on with it.
  const unfollowEngine = followSignal(base.parts.closed, () => abort("the engine was closed"));
  try {
    const journal = await Journal.open(base.parts.config, id);
    try {
      const known = await openPlan(journal, id, goal);
      if (known) {
        events.emit("report", { report: known });
        return known;
      }
      const { progress } = journal;
      markInterrupted(journal);
      await continueAnswered(base.parts.config.store, progress);
      const shared = {
        ...base,
        id,
        journal,
        events,
        answers,
        signal: stop.signal,
        context: given.context,
        began: performance.now(),
      };
      const work: Work = { ...shared, goal: progress.goal!, isResumed: goal === null, skill: null };
      return await new SchedulerMachine(work).run();
    } finally {
      // Results stand; the lock of a process that has ended is free.
      await journal.close().catch(() => {});
    }
  } finally {
    unfollow();
    unfollowEngine();
  }
}

/** Begins a plan's session, or finds what it has. Resolves with the report of a plan that has come to its end. */
async function openPlan(journal: Journal, id: string, goal: string | null): Promise<SchedulerReport | undefined> {
  const { progress, report, isReported } = journal;
  if (goal !== null) {
    if (progress.goal !== null || journal.transcript.open) throw sessionInUse(id);
    await journal.plan({ v: 1, kind: "goal", goal });
    return undefined;
  }
  if (progress.goal === null) throw unknownScheduler(id);
  const isOver = isReported && (report!.status === "done" || report!.status === "failed");
  return isOver ? readReport(report!) : undefined;
}

/** Tasks that an earlier process had at work go on in the attempt they were in. */
function markInterrupted({ progress }: Journal): void {
  for (const task of progress.tasks.values()) {
    task.isInterrupted = task.status === "running";
    if (task.status === "running" || task.status === "retrying") task.status = "pending";
  }
}

/** A report as the session has it; its error is an error again. */
function readReport(kept: ReportData): SchedulerReport {
  const { error, ...data } = kept as ReportData & { error?: HarnessErrorOptions & { code: ErrorCode } };
  return createReport(data, error && new HarnessError(error.code, error));
}

function sessionInUse(id: string): SessionError {
  return new SessionError("SESSION_BUSY", {
    message: `Session "${id}" already has a plan, or has open calls. Resume it, or run the goal under another session id.`,
  });
}

function readSubagents(subagents: readonly SubagentDefinition[], { tools }: EngineParts) {
  const byName = new Map<string, SubagentDefinition>();
  for (const subagent of subagents) {
    const { name, isolation } = subagent;
    if (byName.has(name)) throw optionError(OWNER, "subagents", name, "sub-agents with different names");
    if (isolation === "worktree" && !tools.get(SUBAGENT_TOOL)?.spawns?.find?.(name)) throw noWorktrees(name);
    byName.set(name, subagent);
  }
  return byName;
}

function noWorktrees(name: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `Sub-agent "${name}" works in a work tree, which the engine cannot give it. Put createSubagentTools({ subagents, worktrees }) with this sub-agent among the engine's tools.`,
    details: { option: "subagents" },
  });
}
