import type { FitMedia } from "./content.js";
import type { ProviderError } from "./errors.js";
import type { JsonSchema, JsonValue } from "./json.js";
import type { AssistantMediaPart, Message, ServerToolUse } from "./message.js";
import type { ToolCall, ToolDefinition } from "./tool-call.js";
import type { FinishReason, Usage } from "./usage.js";

/** One ordered piece of the system prompt. `id` names who added it, e.g. `"system"` or a context source's id. */
export interface PromptSection {
  readonly id: string;
  readonly text: string;
}

/** Whether the model may, must or must not call tools. Default: `"auto"`. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** The amount of hidden reasoning. Default: the provider's own. */
export type ReasoningEffort = "none" | "low" | "medium" | "high";

/**
 * One request to a model.
 *
 * `messages` and `tools` are the engine's own growing arrays: valid until the stream ends, never to be changed.
 * Copy what you keep. Within an epoch they only grow at the end, so prompt caches hit.
 */
export interface ProviderRequest {
  /** In order; joined as the vendor wants it. */
  readonly system: readonly PromptSection[];
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
  readonly toolChoice?: ToolChoice;
  /** Schema of a structured final answer; a provider without support for it may ignore it, the engine validates. */
  readonly output?: JsonSchema;
  /** Default: the vendor's. */
  readonly maxOutputTokens?: number;
  /** Default: the vendor's. */
  readonly temperature?: number;
  /** Default: the vendor's. */
  readonly reasoning?: ReasoningEffort;
  /** Handed to the vendor's request as it is. */
  readonly providerOptions?: JsonValue;
  /** The server's own tools that may be used, of those that the adapter has. Default: none. */
  readonly serverTools?: readonly string[];
  /** Asks for a compaction of `messages` by the server in place of an answer. Only for adapters that say `compacts`. Default: an answer. */
  readonly compact?: { readonly instructions?: string };
  /** Asked about images and files that are over the vendor's limits. Default: they are left out. */
  readonly fitMedia?: FitMedia;
  /** Aborts when the run is aborted or the attempt has timed out. */
  readonly signal: AbortSignal;
  /** The root run's session; a stable key for a provider's prompt cache. */
  readonly sessionId: string;
  /** Since when the prefix is stable. Absent when nobody keeps account of it. */
  readonly epoch?: RequestEpoch;
}

/** A stretch of requests of one agent whose system prompt, tools and messages only grow at the end. */
export interface RequestEpoch {
  /** Another one when an epoch begins. */
  readonly id: string;
  /** The transcript the requests belong to: a sub-agent has one of its own. */
  readonly transcriptId: string;
  /** The reason why it began: `"start"`, `"system"`, `"tools"`, `"compaction"`, … */
  readonly cause: string;
}

/** `id` and `model` of the adapter that wrote a message. */
export interface ModelAuthor {
  readonly id: string;
  readonly model: string;
}

/** A vendor's reason why a prompt cache did not hit as it might have. `withCacheGuard` passes it on. */
export interface CacheMissReason {
  /** In the vendor's words, such as `"tools_changed"`. */
  readonly reason: string;
  /** Unit: tokens. */
  readonly missedTokens?: number;
}

/** The `code` of a provider's own notices. */
export type ProviderNotice = "MEDIA_LEFT_OUT" | "SERVER_STATE";

/**
 * The events of a model's stream, one piece at a time.
 *
 * `index` numbers the tool calls of one message. `tool-call-end` is legal without start and deltas; a start without
 * an end becomes a malformed call. `media` is an image or a file that the model made, whole: previews are not sent. `providerData` with
 * `serverWork: true` is work of the server's own tools: a message that ends with it needs no text. `restart` voids everything since the last `message-start`. `waiting` says, before
 * `message-start` and more often than silence is allowed, that the request waits for its turn on our side, so that it is not taken for silence;
 * after it, or with `isServer`, that the server is at work without anything of its message, which is believed for ten times the limit on silence.
 * `notice` is for the host, and may come before `message-start` as well: the request was sent without an image or a file of the
 * transcript, or the whole of it went out again because the server has lost what it kept. `compaction` is the reply to a request
 * that says `compact`: the vendor's form of its messages, which goes back as the `data` of a `ServerSummary`.
 */
export type ProviderEvent =
  | { readonly type: "waiting"; readonly isServer?: true }
  | { readonly type: "notice"; readonly code: ProviderNotice; readonly message: string; readonly details?: JsonValue }
  | {
      readonly type: "message-start";
      readonly id?: string;
      readonly model?: string;
      /** The provider that answers, when it is not the adapter itself: the message is recorded as its own. */
      readonly by?: ModelAuthor;
    }
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "reasoning-end"; readonly providerData?: JsonValue; readonly serverTool?: ServerToolUse }
  | { readonly type: "compaction"; readonly data: JsonValue }
  | { readonly type: "media"; readonly part: AssistantMediaPart }
  | { readonly type: "tool-call-start"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: "tool-call-delta"; readonly index: number; readonly json: string }
  | { readonly type: "tool-call-end"; readonly index: number; readonly call: ToolCall }
  | { readonly type: "restart"; readonly attempt: number; readonly delayMs: number; readonly error: ProviderError }
  | {
      readonly type: "message-end";
      readonly finishReason: FinishReason;
      readonly usage?: Usage;
      readonly cacheMiss?: CacheMissReason;
    };

/**
 * A model behind one API. Implement this to plug in your own.
 *
 * `id` and `model` are stable names (`"openai"`, `"gpt-5"`); they are recorded with each message and looked up in
 * price tables.
 */
export interface ProviderAdapter {
  readonly id: string;
  readonly model: string;
  /** Unit: tokens. Absent: unknown, and compaction is triggered by the provider's overflow error alone. */
  readonly contextWindow?: number;
  /** Unit: tokens. */
  readonly maxOutputTokens?: number;
  /** The list prices of this provider's calls. Used when the host gives no `prices`; decorators pass it on. */
  readonly prices?: PriceLookup;
  /** The warning about a model that the adapter knows nothing of; a run gives it once, as the notice `MODEL_UNKNOWN`. */
  readonly unknown?: string;
  /** The names of the server's own tools that it may ask for: no gate decides about their calls, only whether they are offered. */
  readonly serverTools?: readonly string[];
  /** The one of them whose programs may call the run's own tools: requests that offer it have tools for programs alone, too. */
  readonly programs?: string;
  /** Whether it understands requests that say `compact`. */
  readonly compacts?: true;
  /**
   * Answers one request as a stream of events: `message-start` first, `message-end` last, once each.
   *
   * Failures are thrown as `ProviderError`, never yielded; any other thrown value is treated as a failure that must
   * not be retried. After `request.signal` aborts, the engine no longer waits for the stream, and calls `return()`.
   *
   * @throws ProviderError `RATE_LIMITED`, `OVERLOADED`, `CONTEXT_TOO_LONG`, `AUTH`, …
   */
  stream(request: ProviderRequest): AsyncIterable<ProviderEvent>;
}

/**
 * The cost of one model call in US dollars; `null` when the price is not known, never a guess.
 * Asked with zero usage before the first request of a run whose cost is limited.
 */
export type PriceLookup = (model: { readonly provider: string; readonly model: string }, usage: Usage) => number | null;
