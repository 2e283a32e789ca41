import type { ProviderError } from "./errors.js";
import type { JsonValue } from "./json.js";
import type { Message } from "./message.js";
import type { ModelAuthor, PromptSection, ProviderEvent } from "./provider.js";
import type { CallDescription, ToolCall, ToolDefinition } from "./tool-call.js";
import type { Usage } from "./usage.js";
import type { ArtifactStore } from "./workspace.js";

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
  /** The look of a call in its messages, where its tool is there and says so. Never throws. */
  describe?(call: ToolCall): CallDescription | undefined;
}

/** The room for the next view. */
export interface ContextBudget {
  /** Unit: tokens. `null`: the window is unknown. */
  readonly contextWindow: number | null;
  /** Tokens kept free for the model's reply. */
  readonly reservedOutputTokens: number;
  /** Set when a compaction was asked for, by a tool or the host. */
  readonly requested?: { readonly focus?: string };
  /** The store to which large results can be moved: the engine's. */
  readonly artifacts?: ArtifactStore;
  /**
   * Asks the PreCompact hooks. Call it once a compaction is due and before any work is done for it. For a policy that
   * does not, the engine asks after its work.
   */
  permit?(): Promise<CompactionPermit>;
  /** Counts a model call of the policy's own towards the run's usage and budgets. Returns its cost in US dollars. */
  spend?(usage: Usage, model: { readonly provider: string; readonly model: string }): number | null;
  /** The model of the next request, where its vendor compacts. */
  readonly compactor?: ServerCompactor;
}

/** A model whose vendor's server can compact what it was sent. */
export interface ServerCompactor extends ModelAuthor {
  /**
   * Asks for a compaction of messages that are the beginning of the view; all else is as in the next request. Its calls are not counted:
   * tell `spend`. The stream ends when the run does.
   */
  compact(messages: readonly Message[], instructions: string | null): AsyncIterable<ProviderEvent>;
}

/** Whether hooks let a compaction happen. */
export interface CompactionPermit {
  /** `false` when a `PreCompact` hook blocked it. */
  readonly allowed: boolean;
  /** Wishes of hooks, and of the tool or host that asked for the compaction, for what it preserves. */
  readonly instructions: string | null;
}

/** The record of one compaction. */
export interface CompactionReport {
  /** The name of the stage that did it. */
  readonly stage: string;
  /** Size of the view before and after. Unit: tokens. */
  readonly beforeTokens: number;
  readonly afterTokens: number;
  readonly removedTurns: number;
  readonly durationMs: number;
  /** The cost of model calls made for it; 0 without any, `null` when a price is not known. */
  readonly costUsd: number | null;
  /** Stages that were tried before and made no progress, and why; a stage with nothing to do is not listed. */
  readonly skippedStages?: readonly { readonly stage: string; readonly reason: string }[];
}

/** The parts of a request. Unit: tokens. `used` is the sum of the categories. */
export interface ContextUsage {
  readonly system: number;
  readonly tools: number;
  readonly skills: number;
  readonly memory: number;
  /** The messages of users and the model. */
  readonly messages: number;
  readonly toolResults: number;
  readonly used: number;
  /** Kept for the model's reply. */
  readonly reserved: number;
  /** Left of the window; `null` when it is not known. */
  readonly free: number | null;
  /** The model's; `null` when it is not known. */
  readonly contextWindow: number | null;
}

/**
 * Replaces the messages from entry `from` to entry `to`, both included, in the view. Edits that share one report object
 * are reported as one compaction.
 */
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
  recover(view: View, error: ProviderError, budget?: ContextBudget): Promise<readonly ViewEdit[]>;
  /** Tokens of the request by category, for hosts that show them. */
  usage?(view: View, budget: ContextBudget): ContextUsage;
}

/** Adds a section to the system prompt, loaded once at run start. */
export interface ContextSource {
  readonly id: string;
  /**
   * `null` adds nothing. A source that throws ends the run `failed`: with its own error if that is a `RunError`, else with
   * `CONTEXT_SOURCE_FAILED`.
   */
  load(run: {
    /** The root run's session. */
    readonly sessionId: string;
    /** This agent's own transcript. */
    readonly transcriptId: string;
    readonly agentPath: readonly string[];
    readonly app: unknown;
    readonly signal: AbortSignal;
    /** Whether the gate decides by where content comes from. A section counts as the host's own words: leave out what is not. */
    readonly usesLabels?: boolean;
    /** This source's section in the current epoch. Returning it as it is keeps the prompt prefix stable. */
    readonly previous?: PromptSection;
    /** Whether the run goes on with an earlier one; otherwise it begins with a prompt, which is not among `messages` yet. */
    readonly resumed?: boolean;
    /** The messages so far in this transcript. */
    messages(): readonly Message[];
    /** Records something in the main agent's session before the first model call, as `ToolContext.record` does in a call. */
    record?(name: string, data: JsonValue): Promise<void>;
    /** Tells the host what is left out of the section, by the event `notice` with the code `CONTEXT_LEFT_OUT`. */
    notice?(message: string): void;
  }): Promise<PromptSection | null>;
}
