import type { GatedTool, PermissionGate } from "./permission.js";
import type { ProviderAdapter } from "./provider.js";
import type { RunStatus } from "./run.js";
import type { ToolDefinition } from "./tool-call.js";
import type { Usage } from "./usage.js";

/** A child agent: its instructions and what it may use. Rights only narrow on the way down. */
export interface SubagentDefinition {
  /** Appears in `agentPath` and in rules. */
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  /**
   * Names of the parent's tools it may use; a name that ends in `*` means all that begin so, and a server's name
   * (`mcp__github`) all of its tools. Names the parent does not have are left out; an empty list means no tools. Default:
   * all but those that spawn.
   */
  readonly tools?: readonly string[] | undefined;
  /** Names of tools it may not use, also when `tools` names them. */
  readonly disallowedTools?: readonly string[] | undefined;
  /**
   * Tools beside its parent's, such as those of a server that it alone uses. Called when such a sub-agent starts; if that
   * fails, so does the sub-agent. `disallowedTools` and `readOnly` hold for them, `tools` does not; of two tools of one name the
   * parent's counts, and the parent's gate decides about their calls. A fork has none.
   */
  readonly ownTools?: (() => readonly OwnTool[] | Promise<readonly OwnTool[]>) | undefined;
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

/** A tool that a sub-agent brings along: a `BaseTool`, which is checked when the sub-agent starts. */
export interface OwnTool extends GatedTool {
  definition(): ToolDefinition;
  execute(input: never, context: never): unknown;
}

/** The start of a sub-agent: with an empty transcript, with its parent's, or without being waited for. */
export type SubagentKind = "fresh" | "fork" | "background";

/** A sub-agent of a session as this process knows it. */
export interface SubagentInfo {
  /** The `transcriptId` of its session. */
  readonly id: string;
  readonly name: string;
  /** Names from the main agent (`[]`) down to this one. */
  readonly agentPath: readonly string[];
  readonly kind: SubagentKind;
  readonly status: RunStatus | "running";
  /** Counts this process's runs of the sub-agent, and those of its own sub-agents. */
  readonly usage: Usage;
  /** `null` when the price of a model that was used is not known. */
  readonly costUsd: number | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}
