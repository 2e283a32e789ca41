import { ConfigurationError } from "../contracts/errors.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { BaseTool } from "../contracts/tool.js";
import { isSubagentName } from "../engine/subagents/subagent-table.js";
import {
  byDefault,
  checkOptions,
  listOf,
  numberFrom,
  type OptionTable,
  optionOf,
  tableOf,
} from "../json/check-options.js";
import { createBackgroundTools } from "./background-tools.js";
import { BUILTIN_SUBAGENTS } from "./builtin-subagents.js";
import { SubagentCount } from "./subagent-team.js";
import { createTaskTool } from "./task-tool.js";
import { WORKTREE_OPTIONS, type WorktreeOptions } from "./worktrees/worktree-options.js";
import { Worktrees } from "./worktrees/worktrees.js";

/** Options of `createSubagentTools()`. */
export interface SubagentToolsOptions {
  /** Beside `general-purpose` and `explorer`; one of the same name takes the place of a built-in one. */
  readonly subagents?: readonly SubagentDefinition[] | undefined;
  /** Sub-agents of one agent that work at once; further calls wait. Default: 8. */
  readonly maxConcurrent?: number | undefined;
  /**
   * The most sub-agents of one run, at every depth: a model that never stops delegating is stopped here.
   * Default: 1,000.
   */
  readonly maxPerRun?: number | undefined;
  /** The greatest depth of sub-agents: 1 means that they have none of their own. Default: 1. */
  readonly maxDepth?: number | undefined;
  /** Options for sub-agents with `isolation: "worktree"`. Default: such sub-agents are refused. */
  readonly worktrees?: WorktreeOptions | undefined;
}

const definition = optionOf(
  (value) => typeof value === "object" && value !== null && isSubagentName(Reflect.get(value, "name")),
  "a sub-agent, as of defineSubagent()",
);

const OPTIONS = {
  subagents: byDefault([], listOf(definition, "sub-agents")),
  maxConcurrent: byDefault(8, numberFrom(1, "sub-agents", 1_000)),
  maxPerRun: byDefault(1_000, numberFrom(1, "sub-agents")),
  maxDepth: byDefault(1, numberFrom(1, "levels", 16)),
  worktrees: tableOf(WORKTREE_OPTIONS),
} satisfies OptionTable<SubagentToolsOptions>;

/**
 * The tools `task`, `subagent_output`, `subagent_message` and `subagent_stop`.
 *
 * `task` returns a sub-agent's final text: at most 5,000 characters, the whole as an artifact, and never nothing. Calls of
 * one message run side by side. A sub-agent has the tools, the gate, the hooks and the budgets of its parent, and these
 * tools only above `maxDepth`.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createSubagentTools(options: SubagentToolsOptions = {}): BaseTool[] {
  const { subagents, worktrees, maxPerRun, ...bounds } = checkOptions("createSubagentTools()", options, OPTIONS);
  const byName = new Map([...BUILTIN_SUBAGENTS, ...subagents].map((each) => [each.name, each]));
  requireDistinct(subagents);
  const trees = worktrees && new Worktrees(worktrees);
  const team = { ...bounds, subagents: byName, count: new SubagentCount(maxPerRun), worktrees: trees };
  return [createTaskTool(team), ...createBackgroundTools(team)];
}

function requireDistinct(subagents: readonly SubagentDefinition[]): void {
  const names = subagents.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new ConfigurationError("OPTION_INVALID", {
    message: `createSubagentTools() got two sub-agents named "${twice}". Rename one, or leave it out.`,
    details: { option: "subagents" },
  });
}
