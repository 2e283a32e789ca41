// idle → loading-skill → decomposing → dispatching → verifying → merging → done | failed. Only this file moves a run from one
// state to the next, and only it ends one.
import { type HarnessError, isHarnessError, RunError } from "../contracts/errors.js";
import { isObject } from "../json/is-object.js";
import { clip } from "../text/cut.js";
import { describeThrown } from "../text/describe-thrown.js";
import { type Overrun, overrunOf } from "./bounds.js";
import { Dispatcher } from "./dispatch.js";
import { callHostPart, type PartContext } from "./host-part.js";
import { approvePlan, proposedPlan, refusedPlan } from "./plan/approve-plan.js";
import { makePlan } from "./plan/decompose.js";
import type { TaskProgress } from "./progress.js";
import { describeShortfall, mergeResults } from "./report/merge.js";
import { createReport, type SchedulerReport } from "./report/report.js";
import type { ReportData, TaskReport } from "./report/report-data.js";
import type { SchedulerState } from "./scheduler-events.js";
import { findSkill, loadSkill } from "./skill-choice.js";
import type { Work } from "./work.js";

const MAX_REPORTED_CHARS = 20_000;

/** The end of a run. */
interface End {
  readonly status: ReportData["status"];
  readonly summary: string;
  readonly error?: HarnessError | undefined;
}

export class SchedulerMachine {
  #state: SchedulerState = "idle";
  readonly #began: number;

  constructor(private readonly work: Work) {
    this.#began = work.parts.config.runtime.now();
  }

  /** Runs the plan to its end. Rejects only when the session cannot be kept at all. */
  async run(): Promise<SchedulerReport> {
    const end = await this.#reachGoal().catch((error) => this.#failedBy(error));
    const { work } = this;
    const data = this.#reportData(end);
    let { error } = end;
    await work.journal.keepReport(withoutMethods(data, error)).catch((failure: HarnessError) => {
      error ??= failure;
    });
    if (end.status !== "needs-approval") this.#move(end.status === "done" ? "done" : "failed");
    const report = createReport(data, error);
    work.events.emit("report", { report });
    return report;
  }

  async #reachGoal(): Promise<End> {
    const { work } = this;
    const { progress } = work.journal;
    await this.#chooseSkill();
    let isPlanned = progress.tasks.size > 0 && !progress.proposed;
    for (;;) {
      const before = isPlanned ? null : overrunOf(work);
      if (before) return this.#overrun(before);
      const waits = isPlanned ? undefined : await this.#decompose();
      if (waits) return waits;
      this.#move("dispatching");
      await new Dispatcher(work, () => this.#move("verifying")).run();
      if (progress.withStatus("needs-approval").length > 0) return this.#waiting();
      const over = this.#mayGoOn() ? overrunOf(work) : null;
      if (over) return this.#overrun(over);
      if (!this.#hasFailed()) break;
      if (progress.plans > work.limits.maxReplans) return this.#unreached();
      isPlanned = false;
    }
    if (this.#state === "dispatching") this.#move("verifying");
    this.#move("merging");
    return this.#merge();
  }

  #hasFailed(): boolean {
    return this.work.journal.progress.withStatus("failed").length > 0;
  }

  /** Whether something of the plan is left to begin, or another plan is. */
  #mayGoOn(): boolean {
    const { limits, journal } = this.work;
    const { progress } = journal;
    const left = progress.withStatus("pending").length + progress.withStatus("retrying").length;
    return left > 0 || (this.#hasFailed() && progress.plans <= limits.maxReplans);
  }

  #overrun({ status, why }: Overrun): End {
    return { status, summary: describeShortfall(why, [...this.work.journal.progress.tasks.values()]) };
  }

  async #chooseSkill(): Promise<void> {
    const { work } = this;
    const { journal, options, events } = work;
    this.#move("loading-skill");
    if (journal.progress.skill === undefined) {
      const found = await callHostPart(work, "skills", () => findSkill(options.skills, work.goal));
      if (found) events.emit("skill-selected", { name: found.skill.name, reasons: found.reasons });
      await journal.plan({ v: 1, kind: "skill", skill: found?.skill.name ?? null });
    }
    const { skill } = journal.progress;
    if (skill) work.skill = await callHostPart(work, "skills", () => loadSkill(options.skills, work.goal, skill));
  }

  /** Makes the next plan, or goes on with the one that waits for approval. Resolves with an end, or with nothing to go on. */
  async #decompose(): Promise<End | undefined> {
    const { work } = this;
    const { journal, events } = work;
    const { progress } = journal;
    this.#move("decomposing");
    if (progress.refusal !== null) throw refusedPlan(progress.refusal);
    if (!progress.proposed) {
      const number = progress.plans + 1;
      const { plan, spent } = await makePlan(work, number);
      const { usage, costUsd } = spent;
      await journal.plan({ v: 1, kind: "proposed", number, tasks: plan.tasks, usage, costUsd });
      events.emit("plan", { number, plan });
    }
    const { number, tasks } = progress.proposed!;
    const approval = await approvePlan(work, number, proposedPlan(work.goal, tasks));
    if (approval.kind === "waiting") return { status: "needs-approval", summary: approval.request.reason };
    if (approval.kind === "refused") throw refusedPlan(approval.reason);
    const { plan, isChanged } = approval;
    events.emit("plan-approved", { number, plan, isChanged });
    return undefined;
  }

  async #merge(): Promise<End> {
    const { work } = this;
    const tasks = [...work.journal.progress.tasks.values()];
    const { merger } = work.options;
    if (!merger) return { status: "done", summary: mergeResults(tasks) };
    const { files, facts } = this.#findings();
    const about = { goal: work.goal, files, facts };
    try {
      const call = ({ signal }: PartContext) => merger(tasks.map(taskReport), { ...about, signal });
      const summary = await callHostPart(work, "merger", call);
      return { status: "done", summary: String(summary) };
    } catch (error) {
      if (!isHarnessError(error, "HOOK_FAILED")) throw error;
      // All tasks are done: their results are in the report as they are.
      return { status: "failed", summary: mergeResults(tasks), error };
    }
  }

  #unreached(): End {
    const { progress } = this.work.journal;
    const plans = progress.plans === 1 ? "The plan has" : `All ${progress.plans} plans have`;
    return { status: "failed", summary: describeShortfall(`${plans} failed.`, [...progress.tasks.values()]) };
  }

  #waiting(): End {
    const tasks = [...this.work.journal.progress.tasks.values()];
    return { status: "needs-approval", summary: describeShortfall("What is left waits for the host.", tasks) };
  }

  #failedBy(thrown: unknown): End {
    const tasks = [...this.work.journal.progress.tasks.values()];
    if (this.work.signal.aborted) {
      const error = isHarnessError(this.work.signal.reason) ? this.work.signal.reason : undefined;
      return { status: "aborted", summary: describeShortfall(error?.message ?? "The run was aborted.", tasks), error };
    }
    const over = isHarnessError(thrown, "PLAN_INVALID") && hasComeToLimit(thrown) ? overrunOf(this.work) : null;
    if (over) return this.#overrun(over);
    const error = isHarnessError(thrown)
      ? thrown
      : new RunError("INTERNAL", { message: `The scheduler failed: ${describeThrown(thrown)}`, cause: thrown });
    return { status: "failed", summary: describeShortfall(error.message, tasks), error };
  }

  #move(state: SchedulerState): void {
    if (state === this.#state) return;
    const previous = this.#state;
    this.#state = state;
    this.work.events.emit("state", { state, previous });
  }

  #findings(): { readonly files: readonly string[]; readonly facts: readonly string[] } {
    const tasks = [...this.work.journal.progress.tasks.values()];
    return {
      files: [...new Set(tasks.flatMap(({ spent }) => spent.files))],
      facts: [...new Set(tasks.flatMap(({ facts }) => facts))],
    };
  }

  #reportData({ status, summary }: End): ReportData {
    const { id, goal, journal, parts } = this.work;
    const { progress, transcript } = journal;
    const tasks = [...progress.tasks.values()];
    const asked = progress.proposed && transcript.open ? this.#planQuestions() : [];
    return {
      status,
      goal,
      sessionId: id,
      summary,
      tasks: tasks.map(taskReport),
      replans: [...progress.replans],
      skill: progress.skill ?? null,
      ...this.#findings(),
      pending: [...asked, ...tasks.flatMap(({ requests }) => requests)],
      ...progress.used,
      durationMs: Math.max(0, parts.config.runtime.now() - this.#began),
    };
  }

  #planQuestions() {
    const { open } = this.work.journal.transcript;
    return open ? open.calls.flatMap(({ id }) => open.askedBy(id).map(({ request }) => request)) : [];
  }
}

/** Whether it was a limit that ended the planner: the plan's own one is raised, and the planner goes on. */
function hasComeToLimit({ details }: HarnessError): boolean {
  const status = isObject(details) ? details.status : undefined;
  return status === "budget-exceeded" || status === "deadline";
}

function taskReport(progress: TaskProgress): TaskReport {
  const { task, status, attempts, output, reason, evidence, facts, spent } = progress;
  const { id, title, tool, subagent, dependsOn, criterion } = task;
  return {
    id,
    title,
    status,
    attempts,
    ...(tool && { tool: tool.name }),
    ...(subagent !== undefined && { subagent }),
    dependsOn,
    criterion,
    output: output === null ? null : clip(output, MAX_REPORTED_CHARS),
    reason,
    evidence,
    facts,
    ...spent,
  };
}

/** The report as the session keeps it. */
function withoutMethods(data: ReportData, error: HarnessError | undefined): ReportData {
  return error ? ({ ...data, error: error.toJSON() } as ReportData) : data;
}
