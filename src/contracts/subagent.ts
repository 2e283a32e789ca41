import type { ContentPart } from "./content.js";
import type { PermissionGate } from "./permission.js";
import type { ProviderAdapter } from "./provider.js";
import type { RunResult } from "./run.js";

/** A child agent: its instructions and what it may use. Rights only narrow on the way down. */
export interface SubagentDefinition {
  /** Appears in `agentPath` and in rules. */
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  /** Names of the parent's tools it may use. Default: all but those that spawn. */
  readonly tools?: readonly string[];
  /** Default: the parent's provider. */
  readonly model?: ProviderAdapter;
  /** Default: 20. */
  readonly maxTurns?: number;
  /** Asked beside the parent's gate; the stricter decision counts. */
  readonly permissions?: PermissionGate;
}

/**
 * Runs a child agent to its end, with a transcript of its own.
 *
 * The child shares the parent's gate, hooks, budgets, approver and abort. Resolves with how it ended; never rejects
 * for what happened inside the child.
 */
export type SpawnSubagent = (
  definition: SubagentDefinition,
  prompt: string | readonly ContentPart[],
) => Promise<RunResult>;
