import { isHarnessError } from "../../contracts/errors.js";
import type { HookOutcome, HookPayloads, ToolNotice } from "../../contracts/hook.js";
import type { Label } from "../../contracts/label.js";
import type { RunResult } from "../../contracts/run.js";
import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { Task, TaskStore } from "../../contracts/task.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { Usage } from "../../contracts/usage.js";
import { ENGINE_PARTS } from "../../engine/engine-parts.js";
import { madeFrom } from "../../engine/made-from.js";
import { addUsage, NO_USAGE } from "../../engine/run/usage-meter.js";
import { labelOfTool } from "../../labels/read-label.js";
import { clip, lastCharacters } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { followSignal } from "../../time/follow-signal.js";
import { ignoreFailure } from "../../time/is-promise.js";
import type { MemberMail } from "./member-mail.js";
import { mailPrompt, memberPrompt } from "./member-prompt.js";

/** A lease that runs out is not a change of its task, so that members also look now and then. */
const LOOK_EVERY_MS = 1_000;
const MAX_RESULT_CHARS = 100_000;
/** The part of the mail read without a task that a member's next task begins with. */
const MAX_EARLIER_MAIL_CHARS = 20_000;
/** The most often in a row that a member without a task answers its mail: two that always reply would never end. */
const MAX_REPLIES = 10;
/** The labels of a result that somebody else has made, and of mail: who wrote it, and after what, is not known. */
const OTHERS_RESULT = labelOfTool("task_get");
const MAIL = labelOfTool("message_read");
let count = 0;

/** The part of an engine that a team uses; an `AgentEngine` has it. */
export interface TeamEngine {
  run(
    prompt: string,
    options: {
      readonly sessionId: string;
      readonly subagent: SubagentDefinition;
      readonly signal: AbortSignal;
      readonly extraTools?: readonly BaseTool[];
    },
  ): Promise<RunResult>;
  /** Runs the hooks `TaskCompleted` and `TeammateIdle`. */
  notify?<P extends ToolNotice>(point: P, payload: HookPayloads[P], sessionId: string): Promise<HookOutcome | null>;
}

/** The parts of a member beside its definition. */
export interface MemberSetup {
  readonly engine: TeamEngine;
  readonly store: TaskStore;
  readonly leaseMs: number;
  readonly signal: AbortSignal;
  readonly teamName: string;
  /** Ids of tasks that this team has given back because they wait for the host. */
  readonly waitingTasks: Set<string>;
  /** The sessions in which this team has made the results of tasks, by the ids of these. */
  readonly made: Map<string, string>;
  /** `null` for a member that has nobody to write to. */
  readonly mail: MemberMail | null;
  readonly tools: readonly BaseTool[];
}

/** One member of a team: claims a task, does it, and claims the next, until nothing is left for it. */
export class TeamMember {
  readonly name: string;
  completed = 0;
  failed = 0;
  usage: Usage = NO_USAGE;
  costUsd: number | null = 0;
  /** Tasks that were given back because they wait for the host. */
  readonly waiting: { readonly taskId: string; readonly sessionId: string }[] = [];
  /** Unique to this member of this process. */
  readonly #owner: string;
  #isIdle = false;
  #replies = 0;
  #earlierMail = "";

  constructor(
    private readonly definition: SubagentDefinition,
    private readonly setup: MemberSetup,
  ) {
    this.name = definition.name;
    this.#owner = `${definition.name}-${++count}-${Math.random().toString(36).slice(2, 8)}`;
  }

  async work(): Promise<void> {
    const { signal, store, mail } = this.setup;
    const watch = new AbortController();
    const unfollow = followSignal(signal, () => watch.abort());
    const changes = store.watch(watch.signal)[Symbol.asyncIterator]();
    const nextChange = () => {
      const next = changes.next();
      ignoreFailure(next); // It may fail during a task, when nobody waits for it.
      return next;
    };
    let change: ReturnType<typeof nextChange> | null = nextChange();
    try {
      while (!signal.aborted) {
        const task = await this.#claim();
        if (task) await this.#do(task);
        else if (!(await this.#mayBeIdle()) || !(await this.#mayGetMore())) return;
        else if (this.#mayReply()) await this.#reply();
        else if (await isChanged(LOOK_EVERY_MS, change, this.#replies < MAX_REPLIES ? mail : null)) {
          change = (await change)?.done ? null : nextChange();
        }
      }
    } finally {
      unfollow();
      watch.abort();
      await change?.catch(() => {});
    }
  }

  /** A task that waits for the host is not tried again: it would ask the same once more. */
  async #claim(): Promise<Task | undefined> {
    const { store, leaseMs, waitingTasks } = this.setup;
    if (waitingTasks.size === 0) {
      const task = await store.claim({ owner: this.#owner, leaseMs });
      if (!task || !waitingTasks.has(task.id)) return task;
      await store.release(task.id, { owner: this.#owner }).catch(ignoreLostTask);
    }
    for (const { id } of await store.list({ ready: true })) {
      if (waitingTasks.has(id)) continue;
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
    const { store, waitingTasks } = this.setup;
    const isAnyAtWork = async () => (await store.list({ status: "in_progress" })).length > 0;
    if (await isAnyAtWork()) return true;
    // One that ended after the claim may have made others ready, which somebody else may have taken by now.
    const ready = await store.list({ ready: true });
    return ready.some(({ id }) => !waitingTasks.has(id)) || (await isAnyAtWork());
  }

  /** Runs the hooks of a member that has run out of tasks, once each time; `false` when one of them ends its work. */
  async #mayBeIdle(): Promise<boolean> {
    if (this.#isIdle) return true;
    this.#isIdle = true;
    const { engine, teamName } = this.setup;
    const payload = { teammateName: this.name, teamName };
    const outcome = await engine.notify?.("TeammateIdle", payload, this.#owner);
    return outcome?.continue ?? true;
  }

  #mayReply(): boolean {
    const { mail } = this.setup;
    return mail !== null && !mail.isEmpty && this.#replies < MAX_REPLIES;
  }

  /** A member without a task reads its mail in a run of its own. */
  async #reply(): Promise<void> {
    const { mail, signal } = this.setup;
    const sessionId = `mail-${++this.#replies}-${this.#owner}`;
    const read = mail!.read()!;
    this.#earlierMail = lastCharacters(`${this.#earlierMail}\n\n${read}`.trim(), MAX_EARLIER_MAIL_CHARS);
    try {
      await this.#run(mailPrompt(read), sessionId, signal, [MAIL]);
    } catch {
      // A run that cannot be started takes no task from anybody: the next task reports why.
    }
  }

  async #do(task: Task): Promise<void> {
    const { store, leaseMs, signal, mail } = this.setup;
    this.#isIdle = false;
    this.#replies = 0;
    const lost = new AbortController();
    const unfollow = followSignal(signal, () => lost.abort());
    const renewing = setInterval(() => void this.#renew(task, lost), leaseMs / 3);
    try {
      await mail?.look();
      const sessionId = `task-${task.id}-${task.version}-${this.#owner}`;
      const { prompt, results } = await memberPrompt(task, store, this.#earlierMail);
      const origins = results.map((id) => this.setup.made.get(id) ?? OTHERS_RESULT);
      if (this.#earlierMail !== "") origins.push(MAIL);
      this.#earlierMail = "";
      await this.#settle(task, await this.#run(prompt, sessionId, lost.signal, origins));
    } catch (error) {
      await this.#end(task, "failed", `The run could not be started: ${describeThrown(error)}`);
    } finally {
      clearInterval(renewing);
      unfollow();
    }
  }

  /** `origins`: the sessions or labels of what the prompt was made from, beside the task. */
  async #run(
    prompt: string,
    sessionId: string,
    signal: AbortSignal,
    origins: readonly (string | Label)[],
  ): Promise<RunResult> {
    const { engine, tools } = this.setup;
    const more = tools.length > 0 ? { extraTools: tools } : {};
    const options = { sessionId, subagent: this.definition, signal, ...more };
    const config = ENGINE_PARTS.get(engine)?.config;
    const result = await engine.run(prompt, config ? await madeFrom(config, origins, options) : options);
    this.#count(result);
    return result;
  }

  async #renew({ id }: Task, lost: AbortController): Promise<void> {
    const { store, leaseMs } = this.setup;
    try {
      await store.renew(id, { owner: this.#owner, leaseMs });
    } catch (error) {
      if (isHarnessError(error, "TASK_CONFLICT") || isHarnessError(error, "TASK_NOT_FOUND")) lost.abort();
    }
  }

  async #settle(task: Task, { status, text, error, sessionId }: RunResult): Promise<void> {
    const { store, signal, waitingTasks } = this.setup;
    if (status === "completed") return this.#end(task, "completed", text, sessionId);
    if (status === "needs-approval") {
      waitingTasks.add(task.id);
      this.waiting.push({ taskId: task.id, sessionId });
    } else if (!signal.aborted)
      return this.#end(task, "failed", error?.message ?? `It ended as ${status}. ${text}`, sessionId);
    await store.release(task.id, { owner: this.#owner }).catch(ignoreLostTask);
  }

  async #end(task: Task, status: "completed" | "failed", result: string, sessionId?: string): Promise<void> {
    const { id, version, subject, description } = task;
    const { store, engine, teamName } = this.setup;
    try {
      const options = { ifVersion: version, owner: this.#owner };
      await store.update(id, { status, result: clip(result, MAX_RESULT_CHARS) }, options);
      if (sessionId !== undefined) this.setup.made.set(id, sessionId);
      this[status]++;
    } catch (error) {
      return ignoreLostTask(error);
    }
    if (status === "failed") return;
    const by = { teammateName: this.name, teamName };
    const payload = { taskId: id, taskSubject: subject, taskDescription: description, ...by };
    await engine.notify?.("TaskCompleted", payload, this.#owner);
  }

  #count({ usage, costUsd }: RunResult): void {
    this.usage = addUsage(this.usage, usage);
    this.costUsd = this.costUsd === null || costUsd === null ? null : this.costUsd + costUsd;
  }
}

/** Ignores that somebody else has the task by now: its result here does not count. */
function ignoreLostTask(error: unknown): void {
  if (!isHarnessError(error, "TASK_CONFLICT") && !isHarnessError(error, "TASK_NOT_FOUND")) throw error;
}

/** Whether a task has changed, as soon as one has; `false` after `ms`, or when there is mail. `null`: the store's watch has ended. */
async function isChanged(ms: number, change: Promise<unknown> | null, mail: MemberMail | null): Promise<boolean> {
  let end = () => {};
  const other = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const forget = mail?.onMail(() => resolve(false));
    end = () => {
      clearTimeout(timer);
      forget?.();
    };
  });
  return Promise.race(change ? [change.then(() => true), other] : [other]).finally(end);
}
