import { isHarnessError } from "../contracts/errors.js";
import type { RunResult } from "../contracts/run.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { Task, TaskStore } from "../contracts/task.js";
import type { Usage } from "../contracts/usage.js";
import { clip } from "../text/cut.js";
import { describeThrown } from "../text/describe-thrown.js";
import { followSignal } from "../time/follow-signal.js";
import type { TeamEngine } from "./team.js";

/** A lease that runs out is not a change of its task, so that members also look now and then. */
const LOOK_EVERY_MS = 1_000;
const MAX_RESULT_CHARS = 100_000;
const MAX_BLOCKER_CHARS = 10_000;
let count = 0;

/** One member of a team: claims a task, does it, and claims the next, until nothing is left for it. */
export class TeamMember {
  readonly name: string;
  completed = 0;
  failed = 0;
  usage: Usage = { inputTokens: 0, outputTokens: 0 };
  costUsd: number | null = 0;
  /** Tasks that were given back because they wait for the host. */
  readonly waiting: { readonly taskId: string; readonly sessionId: string }[] = [];
  /** Unique to this member of this process. */
  readonly #owner: string;

  constructor(
    private readonly definition: SubagentDefinition,
    private readonly engine: TeamEngine,
    private readonly store: TaskStore,
    private readonly leaseMs: number,
    private readonly signal: AbortSignal,
  ) {
    this.name = definition.name;
    this.#owner = `${definition.name}-${++count}-${Math.random().toString(36).slice(2, 8)}`;
  }

  async work(): Promise<void> {
    const watch = new AbortController();
    const unfollow = followSignal(this.signal, () => watch.abort());
    const changes = this.store.watch(watch.signal)[Symbol.asyncIterator]();
    let change = changes.next();
    try {
      while (!this.signal.aborted) {
        const task = await this.#claim();
        if (task) await this.#do(task);
        else if (!(await this.#mayGetMore())) return;
        else if (await isChanged(LOOK_EVERY_MS, change)) change = changes.next();
      }
    } finally {
      unfollow();
      watch.abort();
      await change.catch(() => {});
    }
  }

  /** A task that waits for the host is not tried again by the one that has given it back. */
  async #claim(): Promise<Task | undefined> {
    const { store, leaseMs } = this;
    if (this.waiting.length === 0) return store.claim({ owner: this.#owner, leaseMs });
    const mine = new Set(this.waiting.map(({ taskId }) => taskId));
    for (const { id } of await store.list({ ready: true })) {
      if (mine.has(id)) continue;
      try {
        return await store.claim({ owner: this.#owner, leaseMs, id });
      } catch (error) {
        if (!isHarnessError(error, "TASK_CONFLICT") && !isHarnessError(error, "TASK_BLOCKED")) throw error;
      }
    }
    return undefined;
  }

  /** Whether somebody is at work whose end, or whose death, could leave something to do. */
  async #mayGetMore(): Promise<boolean> {
    return (await this.store.list({ status: "in_progress" })).length > 0;
  }

  async #do(task: Task): Promise<void> {
    const lost = new AbortController();
    const unfollow = followSignal(this.signal, () => lost.abort());
    const renewing = setInterval(() => void this.#renew(task, lost), this.leaseMs / 3);
    try {
      const sessionId = `task-${task.id}-${task.version}-${this.#owner}`;
      const prompt = await this.#promptFor(task);
      const result = await this.engine.run(prompt, { sessionId, subagent: this.definition, signal: lost.signal });
      this.#count(result);
      await this.#settle(task, result);
    } catch (error) {
      await this.#end(task, "failed", `The run could not be started: ${describeThrown(error)}`);
    } finally {
      clearInterval(renewing);
      unfollow();
    }
  }

  async #renew({ id }: Task, lost: AbortController): Promise<void> {
    try {
      await this.store.renew(id, { owner: this.#owner, leaseMs: this.leaseMs });
    } catch (error) {
      if (isHarnessError(error, "TASK_CONFLICT") || isHarnessError(error, "TASK_NOT_FOUND")) lost.abort();
    }
  }

  async #settle(task: Task, { status, text, error, sessionId }: RunResult): Promise<void> {
    if (status === "completed") return this.#end(task, "completed", text);
    if (status === "needs-approval") this.waiting.push({ taskId: task.id, sessionId });
    else if (!this.signal.aborted) return this.#end(task, "failed", error?.message ?? `It ended as ${status}. ${text}`);
    await this.store.release(task.id, { owner: this.#owner }).catch(ignoreLoss);
  }

  async #end({ id, version }: Task, status: "completed" | "failed", result: string): Promise<void> {
    try {
      const options = { ifVersion: version, owner: this.#owner };
      await this.store.update(id, { status, result: clip(result, MAX_RESULT_CHARS) }, options);
      this[status]++;
    } catch (error) {
      ignoreLoss(error);
    }
  }

  async #promptFor({ id, subject, description, blockedBy }: Task): Promise<string> {
    const parts = [`Your task (${id}): ${subject}`];
    if (description !== "") parts.push(description);
    for (const blocker of blockedBy) {
      const done = await this.store.get(blocker);
      if (done?.result === undefined) continue;
      const text = typeof done.result === "string" ? done.result : JSON.stringify(done.result);
      parts.push(`The result of task ${done.id}, "${done.subject}":\n${clip(text, MAX_BLOCKER_CHARS)}`);
    }
    parts.push("Your final message is the task's result: others go on with it.");
    return parts.join("\n\n");
  }

  #count({ usage, costUsd }: RunResult): void {
    const { inputTokens, outputTokens } = this.usage;
    this.usage = { inputTokens: inputTokens + usage.inputTokens, outputTokens: outputTokens + usage.outputTokens };
    this.costUsd = this.costUsd === null || costUsd === null ? null : this.costUsd + costUsd;
  }
}

/** Somebody else has the task by now: what came of it here does not count. */
function ignoreLoss(error: unknown): void {
  if (!isHarnessError(error, "TASK_CONFLICT") && !isHarnessError(error, "TASK_NOT_FOUND")) throw error;
}

/** Whether something has changed, as soon as it has; `false` after `ms`. */
async function isChanged(ms: number, change: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([change.then(() => true), later]).finally(() => clearTimeout(timer));
}
