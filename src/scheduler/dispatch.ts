// Carrying out a plan: what is ready begins, as much at once as is allowed; what has failed is tried again, later and with the
// failure as input; what was verified frees what waits for it.
//
// Cost: O(tasks + edges) for the whole plan; each task's dependents are looked at once, when it is done.
import type { PendingRequest } from "../contracts/approval.js";
import { isHarnessError } from "../contracts/errors.js";
import { clip } from "../text/cut.js";
import { describeThrown } from "../text/describe-thrown.js";
import { followSignal } from "../time/follow-signal.js";
import { ActivityWatch } from "./attempt/activity.js";
import { type AttemptEnd, makeAttempt, mayBeMadeAgain } from "./attempt/make-attempt.js";
import { overrunOf, timeLeft } from "./bounds.js";
import { dependentsOf } from "./plan/task-graph.js";
import type { TaskProgress } from "./progress.js";
import type { TaskState } from "./report/report-data.js";
import { useSkill } from "./skill-choice.js";
import { addSpent, NOTHING_SPENT, type Spent } from "./spent.js";
import { looksAtTheWorld, verifyResult } from "./verify/verify.js";
import type { Work } from "./work.js";

const MAX_RETRY_DELAY_MS = 30_000;

/** Works off the plan until nothing is left that could begin. */
export class Dispatcher {
  readonly #ready: TaskProgress[] = [];
  #next = 0;
  #atWork = 0;
  #checking = 0;
  readonly #sleeping = new Set<ReturnType<typeof setTimeout>>();
  /** The number of tasks that each waits for. */
  readonly #blockers = new Map<string, number>();
  readonly #dependents: ReadonlyMap<string, readonly string[]>;
  readonly #watch: ActivityWatch;
  #unfinished = 0;
  #failure: { readonly error: unknown } | null = null;
  #onIdle: () => void = () => {};

  constructor(
    private readonly work: Work,
    /** Called when every task that is left has its result and is only being checked. */
    private readonly onLastCheck: () => void,
  ) {
    const { tasks } = work.journal.progress;
    this.#dependents = dependentsOf([...tasks.values()].map(({ task }) => task));
    this.#watch = new ActivityWatch(work.engine, work.parts.tools, (session) => useSkill(work, session));
  }

  /** @throws what the session's store throws, and the signal's reason once the run is aborted */
  async run(): Promise<void> {
    const { signal, journal } = this.work;
    const { tasks } = journal.progress;
    for (const progress of tasks.values()) {
      if (progress.status === "done") continue;
      const open = progress.task.dependsOn.filter((id) => tasks.get(id)?.status !== "done").length;
      this.#blockers.set(progress.task.id, open);
      if (progress.status === "failed" || (progress.status === "needs-approval" && !this.#isAnswered(progress)))
        continue;
      this.#unfinished++;
      if (open === 0) this.#ready.push(progress);
    }
    const unfollow = followSignal(signal, () => this.#stop());
    try {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
        this.#pump();
      });
    } finally {
      unfollow();
    }
    if (this.#failure) throw this.#failure.error;
    signal.throwIfAborted();
    this.#skipRest();
  }

  #isAnswered({ requests }: TaskProgress): boolean {
    return requests.some(({ id }) => this.work.answers.some((answer) => answer.id === id));
  }

  #pump(): void {
    const { signal, limits } = this.work;
    let isStopped = signal.aborted || this.#failure !== null;
    while (!isStopped && this.#atWork < limits.maxParallel && this.#next < this.#ready.length) {
      isStopped = overrunOf(this.work) !== null;
      if (isStopped) break;
      const progress = this.#ready[this.#next++]!;
      this.#atWork++;
      void this.#attempt(progress).then(
        () => this.#leave(),
        (error) => {
          this.#failure ??= { error };
          this.#stop();
          this.#leave();
        },
      );
    }
    const isIdle = this.#atWork === 0 && this.#sleeping.size === 0;
    if (isIdle && (isStopped || this.#next === this.#ready.length)) this.#onIdle();
  }

  #leave(): void {
    this.#atWork--;
    this.#pump();
  }

  /** Nothing begins any more. */
  #stop(): void {
    for (const timer of this.#sleeping) clearTimeout(timer);
    this.#sleeping.clear();
    this.#pump();
  }

  async #attempt(progress: TaskProgress): Promise<void> {
    const { work } = this;
    const { journal, signal } = work;
    const { task } = progress;
    const mayExist = work.isResumed && !progress.wasEntered;
    progress.wasEntered = true;
    const goesOn = progress.status === "needs-approval" || progress.isInterrupted;
    progress.isInterrupted = false;
    const began = work.parts.config.runtime.now();
    journal.begin(task.id, goesOn ? progress.attempts : progress.attempts + 1);
    this.#report(progress, "running");
    const inputs = task.dependsOn.flatMap((id) => journal.progress.tasks.get(id) ?? []);
    let end: AttemptEnd;
    try {
      end = await makeAttempt(work, this.#watch, { progress, inputs, mayExist });
    } catch (error) {
      signal.throwIfAborted();
      if (isStoreFailure(error)) throw error;
      const reason = `It could not be started: ${describeThrown(error)}`;
      end = { kind: "failed", reason, mayRetry: false, spent: NOTHING_SPENT };
    }
    if (end.kind === "waiting") return this.#wait(progress, end.requests, end.spent);
    if (end.kind === "failed") return this.#fail(progress, this.#timed(end, began), end.reason, end.mayRetry);
    if (end.kind === "cut-off") return this.#beginAgain(progress, this.#timed(end, began), end.reason);
    if (end.kind === "unknown" && !looksAtTheWorld(task.criterion))
      return this.#failUnknown(progress, end, this.#timed(end, began), end.result.output);
    await this.#verify(progress, end, mayExist, began);
  }

  async #verify(
    progress: TaskProgress,
    end: Extract<AttemptEnd, { kind: "result" | "unknown" }>,
    mayExist: boolean,
    began: number,
  ): Promise<void> {
    const { work } = this;
    progress.status = "verifying";
    this.#checking++;
    if (this.#checking === this.#unfinished) this.onLastCheck();
    this.#report(progress, "verifying");
    let check: Awaited<ReturnType<typeof verifyResult>>;
    try {
      check = await verifyResult(work, progress, end.result, mayExist);
    } finally {
      this.#checking--;
    }
    if (check.requests) return this.#wait(progress, check.requests, addSpent(end.spent, check.spent));
    const spent = addSpent(this.#timed(end, began), { ...check.spent, durationMs: 0 });
    if (check.passed) {
      const facts = [...new Set([...check.facts, ...(end.kind === "result" ? end.facts : [])])];
      const { reason, evidence } = check;
      const { attempts: attempt, task } = progress;
      const { output } = end.result;
      const record = { task: task.id, attempt, output, reason, evidence, facts, spent };
      await work.journal.task({ v: 1, kind: "done", ...record });
      return this.#finish(progress);
    }
    if (end.kind === "unknown") {
      return this.#failUnknown(progress, end, spent, `${end.result.output} Its check says: ${check.reason}`);
    }
    const { task } = progress;
    const mayRetry = !task.tool || mayBeMadeAgain(work.parts.tools.get(task.tool.name), task.replayable);
    await this.#fail(progress, spent, withResult(check.reason, end), mayRetry);
  }

  /** A call that may have happened is not made again unasked: the next attempt, if any, begins with the question. */
  #failUnknown(
    progress: TaskProgress,
    { policy, digest }: Extract<AttemptEnd, { kind: "unknown" }>,
    spent: Spent,
    reason: string,
  ): Promise<void> {
    return this.#fail(progress, spent, reason, policy === "ask", digest);
  }

  #timed({ spent }: { readonly spent: TaskProgress["spent"] }, began: number): TaskProgress["spent"] {
    return { ...spent, durationMs: Math.max(0, this.work.parts.config.runtime.now() - began) };
  }

  async #wait(progress: TaskProgress, requests: readonly PendingRequest[], spent: Spent): Promise<void> {
    const { task, attempts: attempt } = progress;
    const { usage, costUsd } = spent;
    await this.work.journal.task({
      v: 1,
      kind: "waiting",
      task: task.id,
      attempt,
      requests,
      soFar: { usage, costUsd },
    });
    this.#unfinished--;
    for (const request of requests) this.work.events.emit("approval-requested", { request, taskId: task.id });
    this.#report(progress, "needs-approval", progress.reason);
  }

  async #fail(
    progress: TaskProgress,
    spent: Spent,
    reason: string,
    mayRetry: boolean,
    unknownCall?: string,
  ): Promise<void> {
    const { journal, limits } = this.work;
    const { task, attempts: attempt, failures } = progress;
    const isFinal = !mayRetry || task.replayable === false || failures + 1 >= limits.maxAttempts;
    const unknown = unknownCall !== undefined && { unknownCall };
    await journal.task({ v: 1, kind: "failed", task: task.id, attempt, reason, isFinal, ...unknown, spent });
    this.#report(progress, isFinal ? "failed" : "retrying", reason);
    if (isFinal) this.#unfinished--;
    else this.#retryLater(progress);
  }

  async #beginAgain(progress: TaskProgress, spent: TaskProgress["spent"], reason: string): Promise<void> {
    const { task, attempts: attempt } = progress;
    const record = { task: task.id, attempt, reason, isFinal: false, isCutOff: true, spent } as const;
    await this.work.journal.task({ v: 1, kind: "failed", ...record });
    this.#report(progress, "retrying", reason);
    this.#ready.push(progress);
  }

  #retryLater(progress: TaskProgress): void {
    const { limits, parts, signal } = this.work;
    const delay = Math.min(limits.retryDelayMs * 2 ** (progress.failures - 1), MAX_RETRY_DELAY_MS);
    const jittered = delay * (0.5 + parts.config.runtime.random() / 2);
    if (signal.aborted) return;
    const timer = setTimeout(
      () => {
        this.#sleeping.delete(timer);
        this.#ready.push(progress);
        this.#pump();
      },
      Math.min(jittered, timeLeft(this.work)),
    );
    this.#sleeping.add(timer);
  }

  #finish(progress: TaskProgress): void {
    this.#unfinished--;
    this.#report(progress, "done", progress.reason);
    const { tasks } = this.work.journal.progress;
    for (const id of this.#dependents.get(progress.task.id) ?? []) {
      const left = this.#blockers.get(id)! - 1;
      this.#blockers.set(id, left);
      if (left === 0) this.#ready.push(tasks.get(id)!);
    }
  }

  /** A task that waits for one that has failed is not begun. */
  #skipRest(): void {
    const { progress } = this.work.journal;
    const next = progress.withStatus("failed");
    for (let at = 0; at < next.length; at++) {
      for (const id of this.#dependents.get(next[at]!.task.id) ?? []) {
        const dependent = progress.tasks.get(id)!;
        if (dependent.status !== "pending") continue;
        dependent.status = "skipped";
        dependent.reason = `"${next[at]!.task.id}" has not been done.`;
        this.#report(dependent, "skipped", dependent.reason);
        next.push(dependent);
      }
    }
  }

  #report({ task, attempts }: TaskProgress, status: TaskState, reason: string | null = null): void {
    const about = { taskId: task.id, status, attempt: attempts };
    this.work.events.emit("task-state", reason === null ? about : { ...about, reason });
  }
}

function withResult(reason: string, { result }: { readonly result: { readonly output: string } }): string {
  return `${reason}\nThe result was:\n${clip(result.output, 2_000)}`;
}

function isStoreFailure(error: unknown): boolean {
  return isHarnessError(error, "SESSION_WRITE") || isHarnessError(error, "SESSION_READ");
}
