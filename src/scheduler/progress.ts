// All a scheduler knows, rebuilt from its records: one reducer for what happens now and for what an earlier process has
// recorded, so that both always agree.
import type { PendingRequest } from "../contracts/approval.js";
import type { Usage } from "../contracts/usage.js";
import { addUsage } from "../engine/run/usage-meter.js";
import type { PlannedTask } from "./plan/plan.js";
import type { PlanRecord, TaskRecord } from "./records.js";
import type { ReplanReport, TaskState } from "./report/report-data.js";
import { addSpent, NOTHING_SPENT, type Spent } from "./spent.js";

/** One task of the plan that counts. */
export class TaskProgress {
  status: TaskState = "pending";
  /** The failures of this plan. */
  failures = 0;
  output: string | null = null;
  reason: string | null = null;
  evidence: readonly string[] = [];
  facts: readonly string[] = [];
  spent: Spent = NOTHING_SPENT;
  /** The questions it waits for while it is `needs-approval`. */
  requests: readonly PendingRequest[] = [];
  /** The usage of the attempt that waits. */
  soFar: Pick<Spent, "usage" | "costUsd"> = NOTHING_SPENT;
  /** An earlier process may have begun the attempt. */
  isInterrupted = false;
  /** This process has begun an attempt. */
  wasEntered = false;

  constructor(
    readonly task: PlannedTask,
    /** Number of the newest attempt; 0 before the first. */
    public attempts: number,
  ) {}
}

export class Progress {
  goal: string | null = null;
  /** `undefined` until a skill was looked for. */
  skill: string | null | undefined;
  /** The newest plan that was proposed, until it is approved. */
  proposed: { readonly number: number; readonly tasks: readonly PlannedTask[] } | null = null;
  /** The reason why the host did not approve the newest plan. */
  refusal: string | null = null;
  /** Plans that were proposed so far. */
  plans = 0;
  /** The tasks of the plan that counts, and those that earlier plans have done; in order. Empty until a plan is approved. */
  readonly tasks = new Map<string, TaskProgress>();
  readonly replans: ReplanReport[] = [];
  /** Digests of calls that were begun and whose end is not known, under any plan. */
  readonly unknownCalls = new Set<string>();
  /** Attempts begun, under all plans. */
  attempts = 0;
  usage: Usage = NOTHING_SPENT.usage;
  costUsd: number | null = 0;
  /** Attempts made under plans that were given up, by task id: their sessions' numbers are not used again. */
  readonly #attempts = new Map<string, number>();
  readonly #spent = new Map<string, Spent>();

  applyPlan(record: PlanRecord): void {
    switch (record.kind) {
      case "goal":
        this.goal = record.goal;
        break;
      case "skill":
        this.skill = record.skill;
        break;
      case "proposed":
        this.proposed = record;
        this.plans = record.number;
        this.count(record.usage, record.costUsd);
        break;
      case "approved":
        this.#begin(record.tasks ?? this.proposed!.tasks);
        this.proposed = null;
        break;
      case "refused":
        this.refusal = record.reason;
    }
  }

  applyTask(record: TaskRecord): void {
    const task = this.tasks.get(record.task)!;
    if (record.kind === "started" && record.attempt > task.attempts) this.attempts++;
    task.attempts = record.attempt;
    task.requests = [];
    task.soFar = NOTHING_SPENT;
    switch (record.kind) {
      case "started":
        task.status = "running";
        break;
      case "waiting":
        task.status = "needs-approval";
        task.requests = record.requests;
        task.soFar = record.soFar;
        task.reason = record.requests.map(({ reason }) => reason).join(" ");
        break;
      case "failed":
        task.status = record.isFinal ? "failed" : "retrying";
        if (!record.isCutOff) task.failures++;
        if (record.unknownCall !== undefined) this.unknownCalls.add(record.unknownCall);
        task.reason = record.isCutOff ? null : record.reason;
        this.#spend(task, record.spent);
        break;
      case "done": {
        const { output, reason, evidence, facts } = record;
        Object.assign(task, { status: "done", output, reason, evidence, facts });
        this.#spend(task, record.spent);
      }
    }
  }

  /** The tasks that stand there, by id. */
  idsOf(status: TaskState): ReadonlyMap<string, PlannedTask> {
    return new Map(this.withStatus(status).map(({ task }) => [task.id, task]));
  }

  /** The usage of everything, including what waits for the host. */
  get used(): Pick<Spent, "usage" | "costUsd"> {
    let { usage, costUsd } = this;
    for (const { soFar } of this.withStatus("needs-approval")) {
      usage = addUsage(usage, soFar.usage);
      costUsd = costUsd === null || soFar.costUsd === null ? null : costUsd + soFar.costUsd;
    }
    return { usage, costUsd };
  }

  withStatus(status: TaskState): TaskProgress[] {
    return [...this.tasks.values()].filter((task) => task.status === status);
  }

  /** A new plan takes the place of what is not done. */
  #begin(tasks: readonly PlannedTask[]): void {
    const before = [...this.tasks.values()];
    const failed = before.filter(({ status }) => status === "failed");
    if (before.length > 0) {
      this.replans.push({
        failed: failed.map(({ task: { id, title }, reason }) => ({ id, title, reason: reason ?? "" })),
      });
    }
    this.tasks.clear();
    for (const task of before) {
      this.#attempts.set(task.task.id, task.attempts);
      this.#spent.set(task.task.id, task.spent);
      if (task.status === "done") this.tasks.set(task.task.id, task);
    }
    for (const task of tasks) {
      if (this.tasks.get(task.id)?.status === "done") continue;
      const fresh = new TaskProgress(task, this.#attempts.get(task.id) ?? 0);
      fresh.spent = this.#spent.get(task.id) ?? NOTHING_SPENT;
      this.tasks.set(task.id, fresh);
    }
  }

  #spend(task: TaskProgress, spent: Spent): void {
    task.spent = addSpent(task.spent, spent);
    this.count(spent.usage, spent.costUsd);
  }

  /** Adds to what the plan has used. */
  count(usage: Usage, costUsd: number | null): void {
    this.usage = addUsage(this.usage, usage);
    this.costUsd = this.costUsd === null || costUsd === null ? null : this.costUsd + costUsd;
  }
}
