// The state that the tools for sub-agents of one engine share.
import { ToolError } from "../contracts/errors.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { ToolContext } from "../contracts/tool.js";
import { nearestNames } from "../text/nearest-names.js";
import type { Worktrees } from "./worktrees/worktrees.js";

/** The most sub-agents that a model is shown by name. */
export const MAX_LISTED = 100;

/** The state that the tools of one engine share. */
export interface SubagentTeam {
  readonly subagents: ReadonlyMap<string, SubagentDefinition>;
  readonly maxConcurrent: number;
  readonly count: SubagentCount;
  readonly maxDepth: number;
  /** Absent where there are not. */
  readonly worktrees?: Worktrees | undefined;
}

/** @throws ToolError `SUBAGENT_UNKNOWN` */
export function findSubagent(subagents: ReadonlyMap<string, SubagentDefinition>, name: string): SubagentDefinition {
  const found = subagents.get(name);
  if (found) return found;
  const names = [...subagents.keys()];
  const [nearest] = nearestNames(name, names, 1);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  throw new ToolError("SUBAGENT_UNKNOWN", {
    message: `There is no sub-agent ${JSON.stringify(name.slice(0, 80))}.${hint} There are: ${names.slice(0, MAX_LISTED).join(", ")}.`,
  });
}

/** Runs whose sub-agents are counted; the oldest are forgotten first. */
const MAX_COUNTED_RUNS = 1_000;

/** The number of sub-agents that each run of a main agent has had, at every depth. */
export class SubagentCount {
  readonly #counts = new Map<string, number>();

  constructor(private readonly maxPerRun: number) {}

  /** @throws ToolError `TOOL_FAILED` when the run may have no more */
  add(name: string, { rootCall, runId }: ToolContext): void {
    const run = rootCall?.runId ?? runId;
    const count = this.#counts.get(run) ?? 0;
    if (count >= this.maxPerRun) {
      throw new ToolError("TOOL_FAILED", {
        message: `The sub-agent "${name}" was not started: this run has had ${count} sub-agents, which is the limit. Do the work yourself, or finish with what you have.`,
      });
    }
    this.#counts.set(run, count + 1);
    if (this.#counts.size > MAX_COUNTED_RUNS) this.#counts.delete(this.#counts.keys().next().value!);
  }
}
