import type { RunResult } from "../contracts/run.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { Task, TaskStore } from "../contracts/task.js";
import type { Usage } from "../contracts/usage.js";
import {
  checkOptions,
  listOf,
  numberFrom,
  type OptionTable,
  optionOf,
  required,
  withMethods,
} from "../json/check-options.js";
import { followSignal } from "../time/follow-signal.js";
import { TeamMember } from "./team-member.js";

/** What a team needs of an engine; an `AgentEngine` has it. */
export interface TeamEngine {
  run(
    prompt: string,
    options: { readonly sessionId: string; readonly subagent: SubagentDefinition; readonly signal: AbortSignal },
  ): Promise<RunResult>;
}

export interface TeamOptions {
  readonly engine: TeamEngine;
  /** Each works on one task at a time. The same member may be there several times under different names. */
  readonly members: readonly SubagentDefinition[];
  readonly store: TaskStore;
  /** How long a task stays with a member whose process has died. Unit: milliseconds. Default: 60_000. */
  readonly leaseMs?: number | undefined;
}

/** What came of a team's work. */
export interface TeamReport {
  /**
   * `done`: every task has ended. `stuck`: those that are left wait for tasks that failed or were cancelled.
   * `needs-approval`: those that are left wait for the host, see `waiting`. `aborted`: the signal, or `abort`.
   */
  readonly status: "done" | "stuck" | "needs-approval" | "aborted";
  /** All of the store's, as they are at the end. */
  readonly tasks: readonly Task[];
  /** Who ended how many tasks. */
  readonly members: readonly { readonly name: string; readonly completed: number; readonly failed: number }[];
  /** Sessions of tasks that were given back because they wait for an answer. */
  readonly waiting: readonly { readonly taskId: string; readonly sessionId: string }[];
  readonly usage: Usage;
  /** `null` when the price of a model that was used is not known. */
  readonly costUsd: number | null;
}

/** A team at work. */
export interface TeamRun {
  /** Rejects when the store fails. */
  readonly result: Promise<TeamReport>;
  /** Stops every member; what they hold is given back. */
  abort(): void;
}

export interface Team {
  /** Members claim what is ready until nothing is left for them, also what other processes add meanwhile. */
  run(signal?: AbortSignal): TeamRun;
}

const OPTIONS = {
  engine: required(withMethods("run")),
  members: required(
    listOf(
      optionOf(
        (value) => typeof value === "object" && value !== null && typeof Reflect.get(value, "name") === "string",
        "a sub-agent, as of defineSubagent()",
      ),
      "sub-agents",
    ),
  ),
  store: required(withMethods("claim", "update", "renew", "release", "list", "watch")),
  leaseMs: numberFrom(1_000, "milliseconds"),
} satisfies OptionTable<TeamOptions>;

/**
 * Several agents that work off one list of tasks, in this process; teams of other processes may share the list.
 *
 * A member claims the oldest task that is ready, runs it in a session of its own, and marks it `completed` with its final
 * text as the result, or `failed` with the reason. The results of a task's blockers are in its prompt. A member whose
 * process dies loses its task after `leaseMs`.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createTeam(options: TeamOptions): Team {
  checkOptions("createTeam()", options, OPTIONS);
  return { run: (signal) => startTeam(options, signal) };
}

function startTeam({ engine, members, store, leaseMs = 60_000 }: TeamOptions, signal?: AbortSignal): TeamRun {
  const stop = new AbortController();
  const abort = () => stop.abort();
  const unfollow = signal ? followSignal(signal, abort) : () => {};
  const working = members.map((definition) => new TeamMember(definition, engine, store, leaseMs, stop.signal));
  const result = Promise.all(working.map((member) => member.work()))
    .catch((error) => {
      abort();
      throw error;
    })
    .then(() => reportOf(working, store, stop.signal))
    .finally(unfollow);
  return { result, abort };
}

async function reportOf(members: readonly TeamMember[], store: TaskStore, signal: AbortSignal): Promise<TeamReport> {
  const tasks = await store.list();
  const waiting = members.flatMap((member) => member.waiting);
  const isOpen = tasks.some(({ status }) => status === "pending" || status === "in_progress");
  const left = waiting.length > 0 ? "needs-approval" : "stuck";
  const costs = members.map(({ costUsd }) => costUsd);
  return {
    status: signal.aborted ? "aborted" : isOpen ? left : "done",
    tasks,
    members: members.map(({ name, completed, failed }) => ({ name, completed, failed })),
    waiting,
    usage: members.reduce((sum, { usage }) => addUsage(sum, usage), { inputTokens: 0, outputTokens: 0 }),
    costUsd: costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + cost!, 0),
  };
}

function addUsage(a: Usage, b: Usage): Usage {
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}
