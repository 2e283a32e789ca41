// What travels through a run of a scheduler.
import type { Answer } from "../contracts/approval.js";
import { RunError } from "../contracts/errors.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { AgentEngine } from "../engine/engine.js";
import type { EngineParts } from "../engine/engine-parts.js";
import { describeThrown } from "../text/describe-thrown.js";
import { followSignal } from "../time/follow-signal.js";
import { isThenable } from "../time/is-promise.js";
import type { SchedulerEvents } from "./events.js";
import type { Journal } from "./journal.js";
import type { DEFAULT_SCHEDULER_LIMITS, SchedulerOptions } from "./options.js";
import type { Criterion } from "./plan/plan.js";

export interface Work {
  /** The session of the plan. */
  readonly id: string;
  readonly goal: string;
  readonly engine: AgentEngine;
  readonly parts: EngineParts;
  readonly options: SchedulerOptions;
  readonly subagents: ReadonlyMap<string, SubagentDefinition>;
  readonly limits: typeof DEFAULT_SCHEDULER_LIMITS;
  readonly journal: Journal;
  readonly events: SchedulerEvents;
  /** Aborts with the run; its reason is a `RunAbortedError`. */
  readonly signal: AbortSignal;
  readonly context: unknown;
  readonly answers: readonly Answer[];
  /** An earlier process has worked on this plan. */
  readonly isResumed: boolean;
  skill: ChosenSkill | null;
}

export interface ChosenSkill {
  readonly name: string;
  readonly instructions: string;
}

/** The shell that criteria of the kind `command` are run with. */
export const SHELL_TOOL = "bash";

/** Kinds of criteria that can be checked with what the scheduler was given. */
export function possibleCriteria({ parts, options }: Pick<Work, "parts" | "options">): Criterion["kind"][] {
  const kinds: Criterion["kind"][] = [];
  if (parts.tools.get(SHELL_TOOL)) kinds.push("command");
  if (options.workspace) kinds.push("file");
  if (Object.keys(options.predicates ?? {}).length > 0) kinds.push("predicate");
  kinds.push("judge");
  return kinds;
}

/**
 * Calls a part that the host has brought, named as its option is.
 *
 * @throws RunError `HOOK_FAILED` when the part fails
 * @throws the signal's reason once the run is aborted
 */
export async function callHostPart<T>(signal: AbortSignal, part: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await unlessAborted(signal, call);
  } catch (cause) {
    signal.throwIfAborted();
    const message = `The scheduler's ${part} failed: ${describeThrown(cause)}. Correct it, and resume the session.`;
    throw new RunError("HOOK_FAILED", { message, details: { part }, cause });
  }
}

/** Waits for a function of the host, which may ignore the signal. @throws the signal's reason as soon as it aborts */
export async function unlessAborted<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const value = work();
  if (!isThenable(value)) return value;
  let unfollow = () => {};
  const aborted = new Promise<never>((_, reject) => {
    unfollow = followSignal(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    unfollow();
  }
}
