import type { ProviderError } from "./errors.js";
import type { Message } from "./message.js";
import type { PromptSection, Usage } from "./provider.js";
import type { ToolDefinition } from "./tool.js";

/** The messages sent to the model: the transcript after compaction. */
export interface View {
  /** Frozen messages in one array that only grows between edits. Valid until the next edit; do not keep it. */
  readonly messages: readonly Message[];
  /** For each message, the id of the entry that completed it: what a `ViewEdit` refers to. */
  readonly entryIds: readonly string[];
  readonly system: readonly PromptSection[];
  readonly tools: readonly ToolDefinition[];
  /** Usage of the newest model call and how many messages it had been sent, to count only what came since. */
  readonly lastUsage?: { readonly usage: Usage; readonly messageCount: number };
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

export interface ContextBudget {
  /** Unit: tokens. `null`: the window is unknown. */
  readonly contextWindow: number | null;
  /** Tokens kept free for the answer. */
  readonly reservedOutputTokens: number;
  /** Set when a compaction was asked for, by a tool or the host. */
  readonly requested?: { readonly focus?: string };
}

/** What one compaction did. */
export interface CompactionReport {
  readonly stage: string;
  readonly beforeTokens: number;
  readonly afterTokens: number;
  readonly removedTurns: number;
  readonly durationMs: number;
  readonly costUsd: number | null;
}

/** Replaces the messages from entry `from` to entry `to`, both included, in the view. */
export interface ViewEdit {
  readonly stage: string;
  readonly from: string;
  readonly to: string;
  readonly replacement: readonly Message[];
  readonly report: CompactionReport;
}

/**
 * Shrinks the view. Pure: reads the view, returns edits; the engine records and applies them in order.
 * An edit must not part a call from its result; the engine refuses one that does.
 */
export interface ContextPolicy {
  /** Asked before each model call; `[]` when the view fits. */
  prepare(view: View, budget: ContextBudget): Promise<readonly ViewEdit[]>;
  /** Asked after the provider said that the request is too long; `[]` means that nothing more can be done. */
  recover(view: View, error: ProviderError): Promise<readonly ViewEdit[]>;
}

/** Adds a section to the system prompt, loaded once at run start. */
export interface ContextSource {
  readonly id: string;
  /** `null` adds nothing. A source that throws ends the run `failed`. */
  load(run: {
    readonly sessionId: string;
    readonly agentPath: readonly string[];
    readonly app: unknown;
    readonly signal: AbortSignal;
  }): Promise<PromptSection | null>;
}
