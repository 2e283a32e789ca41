// The state that travels through a run of a scheduler.
import type { Answer } from "../contracts/approval.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { AgentEngine } from "../engine/engine.js";
import type { EngineParts } from "../engine/engine-parts.js";
import type { Journal } from "./journal.js";
import type { ResolvedSchedulerLimits, SchedulerOptions } from "./options.js";
import type { Criterion } from "./plan/plan.js";
import type { SchedulerEvents } from "./scheduler-events.js";

export interface Work {
  /** The session of the plan. */
  readonly id: string;
  readonly goal: string;
  readonly engine: AgentEngine;
  readonly parts: EngineParts;
  readonly options: SchedulerOptions;
  readonly subagents: ReadonlyMap<string, SubagentDefinition>;
  readonly limits: ResolvedSchedulerLimits;
  /** The start of this run of it, by `performance.now()`. */
  readonly began: number;
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
