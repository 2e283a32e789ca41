// The options of a host. read-options.ts checks them.

import type { Answer } from "../../contracts/approval.js";
import type { FitMedia } from "../../contracts/content.js";
import type { ContextPolicy, ContextSource } from "../../contracts/context.js";
import type { ConfigurationError } from "../../contracts/errors.js";
import type { HookDispatcher, HookMap } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { Message, UserMessage } from "../../contracts/message.js";
import type { PermissionGate, PermissionMode } from "../../contracts/permission.js";
import type {
  PriceLookup,
  PromptSection,
  ProviderAdapter,
  ReasoningEffort,
  ToolChoice,
} from "../../contracts/provider.js";
import type { Runtime } from "../../contracts/runtime.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { BaseTool, Registry } from "../../contracts/tool.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import type { ToolSchema } from "../../schema/input-schema.js";
import type { Approver } from "../calls/permission/approval.js";
import type { RetryOptions, RetrySettings } from "../model/retry.js";
import type { RunawayLimits } from "../run/loop-detector.js";
import type { Limits, ResolvedLimits } from "./limits.js";
import type { OutputSchema } from "./output-schema.js";

/** Handed to each model request as it is. */
export interface ModelOptions {
  /** Default: the provider's own. */
  readonly temperature?: number | undefined;
  /** The effort of hidden reasoning that is asked for. Default: the provider's own. */
  readonly reasoning?: ReasoningEffort | undefined;
  /** Whether, and which, tools must be called. Default: the model chooses. */
  readonly toolChoice?: ToolChoice | undefined;
  /** Passed on to the adapter, which documents what it takes. */
  readonly providerOptions?: JsonValue | undefined;
}

/** The lifetime of questions to the host, and those who may answer them. */
export interface ApprovalOptions {
  /** An answer that comes later counts as a denial. Unit: milliseconds. Default: they never expire. */
  readonly expiresAfterMs?: number | undefined;
  /**
   * Answers that a resume brings, or finds in the session, count only when `signAnswer` signed them with this key. An
   * approver and hooks of this process need no signature. Default: every answer counts.
   */
  readonly key?: string | undefined;
}

/** The parts of an `AgentEngine`. Only `provider` is required. `Output` is what `output` turns a final answer into. */
export interface EngineOptions<Output = unknown> {
  /** The model. */
  readonly provider: ProviderAdapter;
  /** The tools the model may call. A registry may change between runs. Default: none. */
  readonly tools?: readonly BaseTool[] | Registry | undefined;
  /** Text, or ordered sections. */
  readonly systemPrompt?: string | readonly PromptSection[] | undefined;
  /** Each adds a section after the system prompt, in this order, loaded at run start. */
  readonly contextSources?: readonly ContextSource[] | undefined;
  /** Decides each tool call. Default: tools that only read run, everything else asks. */
  readonly permissions?: PermissionGate | undefined;
  /** The default stance, handed to the gate. */
  readonly mode?: PermissionMode | undefined;
  /** Answers what the gate asks, in this process. Without it such a call suspends the run as `needs-approval`. */
  readonly approver?: Approver | undefined;
  /** The lifetime of questions to the host, and those who may answer them. */
  readonly approvals?: ApprovalOptions | undefined;
  /** Functions by hook point, or a dispatcher such as `HookRunner`. Default: none. */
  readonly hooks?: HookMap | HookDispatcher | undefined;
  /** Shrinks what the model is sent. Default: nothing does. */
  readonly compaction?: ContextPolicy | undefined;
  /** Default: in memory, for this engine. */
  readonly sessions?: SessionStore | undefined;
  /** Keeps outputs that are too large for the transcript. Default: they are cut. */
  readonly artifacts?: ArtifactStore | undefined;
  /** Turns, tokens, time and cost after which a run ends. `Limits` has the defaults. */
  readonly limits?: Limits | undefined;
  /** Schema of a structured final answer: zod, Standard Schema or JSON Schema. */
  readonly output?: ToolSchema<Output> | undefined;
  /** `false`: the provider's failures are final. */
  readonly retry?: RetryOptions | false | undefined;
  /** Start calls that only read while the model still streams. Default: `true`. */
  readonly eagerTools?: boolean | undefined;
  /** Default: reminded after 3 and stopped after 6 repetitions of one call. */
  readonly runaway?: RunawayLimits | false | undefined;
  /** The prices of model calls. Default: those the provider knows. */
  readonly prices?: PriceLookup | undefined;
  /** Temperature and the like, for every request. */
  readonly modelOptions?: ModelOptions | undefined;
  /**
   * Makes images and files fit that are over the limits of the model's vendor. The library resizes nothing itself. Default:
   * they are left out of requests, with a line for the model and the notice `MEDIA_LEFT_OUT`.
   */
  readonly fitMedia?: FitMedia | undefined;
  /** Clock, ids and randomness, for tests and replay. */
  readonly runtime?: Partial<Runtime> | undefined;
}

/** A message of a history: as the transcript has it, or with a string as its content. */
export type HistoryMessage =
  | Message
  | { readonly role: "user"; readonly content: string; readonly origin?: UserMessage["origin"] | undefined }
  | { readonly role: "assistant"; readonly content: string };

/** The options of one run, which override the engine's. `Output` is the type of an answer that `output` has read. */
export interface RunOptions<Output = unknown> {
  /** Goes on with this session, or begins it. Default: a new one. */
  readonly sessionId?: string | undefined;
  /**
   * The entry of the session that the prompt follows; `null`: none, it is the first. What came after that entry stays in the session,
   * as a branch of its own. A function finds it among the session's entries, to which no other run adds until this one has ended; a
   * `ConfigurationError` that it throws refuses the run. Default: the newest.
   */
  readonly after?: string | null | ((entries: readonly SessionEntry[]) => string | null | undefined) | undefined;
  /** Messages a new session begins with; with `after`, those between that entry and the prompt. */
  readonly history?: readonly HistoryMessage[] | undefined;
  /** Handed to tools as `context.app`. */
  readonly context?: unknown;
  /** Another model for this run. Default: the engine's. */
  readonly provider?: ProviderAdapter | undefined;
  /** Take the place of the engine's tools. */
  readonly tools?: readonly BaseTool[] | Registry | undefined;
  /** Tools of this run alone, beside the engine's and whatever `subagent` may use of them. */
  readonly extraTools?: readonly BaseTool[] | undefined;
  /** Sections of the system prompt for this run alone, after the engine's. A `subagent` has its own prompt instead. */
  readonly contextSources?: readonly ContextSource[] | undefined;
  /** Default: the engine's. */
  readonly mode?: PermissionMode | undefined;
  /**
   * Runs as this sub-agent, without a parent: with its system prompt, model, turns and output, and with those of the
   * engine's tools and rights that it may use.
   */
  readonly subagent?: SubagentDefinition | undefined;
  /** Each takes the place of the engine's limit of that name. */
  readonly limits?: Limits | undefined;
  /** Schema of this run's structured final answer. Default: the engine's. */
  readonly output?: ToolSchema<Output> | undefined;
  /** Aborts the run, which then ends as `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Tokens this run should use, input and output: a model that stops early is asked to continue until 90% of them are used, or
   * two continuations in a row add little. Not a limit; see `limits.maxTokens`. Default: none.
   */
  readonly tokenBudget?: number | undefined;
}

/** The options of one resume, which override the engine's. */
export type ResumeOptions<Output = unknown> = Omit<RunOptions<Output>, "sessionId" | "after" | "history"> & {
  readonly answers?: readonly Answer[] | undefined;
};

/** The options of one `execute`, which override the engine's. */
export type ExecuteOptions = Pick<RunOptions, "sessionId" | "signal" | "context"> & {
  /**
   * A question that nobody in this process answers stays open in the session, and the call with it; the result has the
   * code `PERMISSION_ASK` and the questions as `details.pending`. Make the same call again, with `answers`, to go on.
   * Default: it is denied.
   */
  readonly suspend?: boolean | undefined;
  /**
   * The call may have been made before, and what became of it is not known: its tool's `onUnknown` decides, as after a
   * crash, whether it is made now, the host is asked first, or the result is `unknown`. Default: `false`.
   */
  readonly mayHaveRun?: boolean | undefined;
  /** Answers to the questions that the same call has left in the session. */
  readonly answers?: readonly Answer[] | undefined;
};

/** A runtime that keeps its contract, or says how it did not. */
export interface CheckedRuntime extends Runtime {
  /** A value that was not what the contract says; one of our own took its place. Runs do not go on with it. */
  readonly problem: ConfigurationError | null;
}

/** Options with every default filled in. */
export interface EngineConfig {
  readonly provider: ProviderAdapter;
  readonly tools: EngineOptions["tools"];
  readonly system: readonly PromptSection[];
  readonly contextSources: readonly ContextSource[];
  readonly gate: PermissionGate;
  readonly mode: PermissionMode | undefined;
  readonly approver: Approver | undefined;
  readonly approvals: ApprovalOptions;
  readonly hooks: HookDispatcher | null;
  readonly compaction: ContextPolicy | undefined;
  readonly store: SessionStore;
  readonly artifacts: ArtifactStore | undefined;
  readonly limits: ResolvedLimits;
  readonly output: OutputSchema | null;
  readonly retry: RetryOptions | false;
  /** The retries of model calls, for a run with the engine's own limits. */
  readonly retrySettings: RetrySettings;
  readonly eagerTools: boolean;
  readonly runaway: RunawayLimits | null;
  readonly prices: PriceLookup | undefined;
  readonly modelOptions: ModelOptions;
  readonly fitMedia: FitMedia | undefined;
  readonly runtime: CheckedRuntime;
}
