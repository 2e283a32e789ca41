import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { Task, TaskStore } from "../../contracts/task.js";
import type { Usage } from "../../contracts/usage.js";
import { ENGINE_PARTS } from "../../engine/engine-parts.js";
import { addUsage, NO_USAGE } from "../../engine/run/usage-meter.js";
import {
  byDefault,
  checkOptions,
  listOf,
  numberFrom,
  type OptionTable,
  optionOf,
  required,
  SIGNAL,
  STRING,
  type WithDefaults,
  withMethods,
} from "../../json/check-options.js";
import { followSignal } from "../../time/follow-signal.js";
import { LONGEST_LEASE_MS } from "../task-fields.js";
import { createMemoryMailbox, type Mailbox } from "./mailbox.js";
import { MemberMail } from "./member-mail.js";
import { createMessageTools } from "./message-tools.js";
import { type MemberSetup, type TeamEngine, TeamMember } from "./team-member.js";

/** Options of `createTeam()`. */
export interface TeamOptions {
  /** Runs the members. */
  readonly engine: TeamEngine;
  /** Each works on one task at a time. The same member may be there several times under different names. */
  readonly members: readonly SubagentDefinition[];
  /** The tasks they share. */
  readonly store: TaskStore;
  /** The time a task stays with a member whose process has died. Unit: milliseconds. Default: 60_000. */
  readonly leaseMs?: number | undefined;
  /** The team's name in the input of hooks. Default: `team`. */
  readonly name?: string | undefined;
  /**
   * The mailbox of the members; `createFileMailbox` makes one that several processes share. Default: one
   * of this team's own.
   */
  readonly mailbox?: Mailbox | undefined;
  /** Names of members in other processes that share `mailbox`. Default: none. */
  readonly teammates?: readonly string[] | undefined;
}

/** The outcome of a team's work. */
export interface TeamReport {
  /**
   * `done`: every task has ended. `stuck`: those that are left wait for tasks that failed or were cancelled.
   * `needs-approval`: those that are left wait for the host, see `waiting`. `aborted`: the signal, or `abort`, or the engine was closed.
   */
  readonly status: "done" | "stuck" | "needs-approval" | "aborted";
  /** All of the store's, as they are at the end. */
  readonly tasks: readonly Task[];
  /** The number of tasks that each member has ended. */
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

/** Agents that work on one list of tasks. */
export interface Team {
  /**
   * Members claim what is ready until nothing is left for them, also what other processes add meanwhile.
   *
   * @throws ConfigurationError `OPTION_INVALID` when `signal` is not an AbortSignal
   */
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
  leaseMs: byDefault(60_000, numberFrom(1_000, "milliseconds", LONGEST_LEASE_MS)),
  name: byDefault("team", STRING),
  mailbox: withMethods("send", "take", "watch"),
  teammates: byDefault([], listOf(STRING, "names of members")),
} satisfies OptionTable<TeamOptions>;

type Settings = WithDefaults<TeamOptions, typeof OPTIONS>;

/**
 * Several agents that work off one list of tasks, in this process; teams of other processes may share the list.
 *
 * A member claims the oldest task that is ready, runs it in a session of its own, and marks it `completed` with its final
 * text as the result, or `failed` with the reason. The results of a task's blockers are in its prompt. A member whose
 * process dies loses its task after `leaseMs`.
 *
 * Members of a team of two or more have the tools `message_send` and `message_read`. What comes for a member reaches its
 * model before the next step; one that has no task while others work reads it in a run of its own.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createTeam(options: TeamOptions): Team {
  const settings = checkOptions("createTeam()", options, OPTIONS);
  return { run: (signal) => startTeam(settings, signal) };
}

function startTeam(settings: Settings, signal?: AbortSignal): TeamRun {
  checkOptions("run()", { signal }, { signal: SIGNAL });
  const stop = new AbortController();
  const abort = () => stop.abort();
  const ends = [signal, ENGINE_PARTS.get(settings.engine)?.closed].filter((each) => each !== undefined);
  const unfollow = ends.map((each) => followSignal(each, abort));
  const setups = setupsOf(settings, stop.signal);
  const working = settings.members.map((definition, index) => new TeamMember(definition, setups[index]!));
  const work = (member: TeamMember) =>
    member.work().catch((error) => {
      abort();
      throw error;
    });
  const result = allEnded(working.map(work))
    .finally(() => Promise.all(setups.map(({ mail }) => mail?.close())))
    .then(() => reportOf(working, settings.store, stop.signal))
    .finally(() => {
      for (const each of unfollow) each();
    });
  return { result, abort };
}

/** Rejects with what went wrong first, once all have ended. */
async function allEnded(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}

function setupsOf(settings: Settings, signal: AbortSignal): MemberSetup[] {
  const { engine, members, store, leaseMs, name: teamName, teammates, mailbox = createMemoryMailbox() } = settings;
  const waitingTasks = new Set<string>();
  const made = new Map<string, string>();
  const everybody = [...new Set([...members.map(({ name }) => name), ...teammates])];
  return members.map(({ name }) => {
    const others = everybody.filter((other) => other !== name);
    const mail = others.length > 0 ? new MemberMail(name, mailbox) : null;
    const tools = mail ? createMessageTools(mail, mailbox, others) : [];
    return { engine, store, leaseMs, signal, teamName, waitingTasks, made, mail, tools };
  });
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
    usage: members.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    costUsd: costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + cost!, 0),
  };
}
