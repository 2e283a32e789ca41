import type { ContentPart } from "./content.js";
import type { PermissionGate } from "./permission.js";
import type { ProviderAdapter } from "./provider.js";
import type { RunResult, RunStatus } from "./run.js";
import type { BaseTool } from "./tool.js";
import type { Usage } from "./usage.js";

/** A child agent: its instructions and what it may use. Rights only narrow on the way down. */
export interface SubagentDefinition {
  /** Appears in `agentPath` and in rules. */
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  /**
   * Names of the parent's tools it may use; a name that ends in `*` means all that begin so. Names the parent does not
   * have are left out: an empty list is no tools. Default: all but those that spawn.
   */
  readonly tools?: readonly string[] | undefined;
  /** Names of tools it may not use, also when `tools` names them. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** Leaves it only tools with the permission `none` or `read_only`. Default: `false`. */
  readonly readOnly?: boolean | undefined;
  /** Default: the parent's provider. */
  readonly model?: ProviderAdapter | undefined;
  /** Default: 20. */
  readonly maxTurns?: number | undefined;
  /** Asked beside the parent's gate; the stricter decision counts. */
  readonly permissions?: PermissionGate | undefined;
  /**
   * `fresh`: an empty transcript. `fork`: the parent's transcript, system prompt and tools, so that its prompt cache is
   * used; `systemPrompt` is not. `background`: as `fresh`, but the call returns at once and the end is delivered later.
   * Default: `fresh`.
   */
  readonly kind?: SubagentKind | undefined;
  /** `worktree`: it works in a git work tree and on a branch of its own. Default: in the parent's directory. */
  readonly isolation?: "worktree" | undefined;
  /** Schema of a structured final answer, as the engine's option `output`. */
  readonly output?: unknown;
}

export type SubagentKind = "fresh" | "fork" | "background";

/**
 * Runs a child agent to its end, with a transcript of its own.
 *
 * The child shares the parent's gate, hooks, budgets, approver and abort. Resolves with how it ended, and a text that is
 * never empty; does not reject for what happened inside the child.
 *
 * A child that asks the host something nobody in this process answers suspends the call: `spawn` then throws to leave the
 * tool, once no other child of the call is at work. After the answer the tool is entered again, possibly in another
 * process, and its n-th `spawn` continues the child of the n-th `spawn` before, or returns how it ended. So a tool must
 * spawn the same children in the same order whenever it is entered for a call.
 *
 * @throws ToolError `SUBAGENT_DEPTH` when the child would be deeper than the tool's `spawns.maxDepth`
 */
export type SpawnSubagent = (
  definition: SubagentDefinition,
  prompt: string | readonly ContentPart[],
  options?: SpawnOptions,
) => Promise<RunResult>;

export interface SpawnOptions {
  /** Take the place of the parent's tools of the same names, where the child may use those: the same work elsewhere. */
  readonly tools?: readonly BaseTool[] | undefined;
}

/** A sub-agent of a session as this process knows it. */
export interface SubagentInfo {
  /** The `transcriptId` of its session. */
  readonly id: string;
  readonly name: string;
  /** Names from the main agent (`[]`) down to this one. */
  readonly agentPath: readonly string[];
  readonly kind: SubagentKind;
  readonly status: RunStatus | "running";
  /** Of this process's runs of it, its own sub-agents included. */
  readonly usage: Usage;
  /** `null` when the price of a model that was used is not known. */
  readonly costUsd: number | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}
