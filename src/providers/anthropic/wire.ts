// The parts of the Messages API that are used here, typed by structure, so that any version of the SDK and its Bedrock
// and Vertex clients fit.
// Source: https://platform.claude.com/docs/en/api/messages and the types of @anthropic-ai/sdk 1.12 (read 2026-11).
import type { Fields } from "../../json/is-object.js";

/** A ready SDK client: `new Anthropic(…)`, a Bedrock or Vertex client, or anything with the same method. */
export interface AnthropicClient {
  readonly messages: {
    create(body: AnthropicBody, options?: AnthropicCallOptions): PromiseLike<AsyncIterable<unknown>>;
  };
}

/** The options passed to the SDK with each request. */
export interface AnthropicCallOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** Always 0: the engine retries. */
  readonly maxRetries?: number | undefined;
  /** Sent beside the client's own. */
  readonly headers?: Record<string, string> | undefined;
}

/** The fields that every request's body has. */
export interface AnthropicBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly object[];
  readonly thinking?: object | undefined;
  readonly tools?: readonly object[] | undefined;
  readonly output_config?: object | undefined;
  readonly fallbacks?: unknown;
  readonly thread?: unknown;
  readonly diagnostics?: unknown;
  readonly compaction?: unknown;
  readonly context_management?: unknown;
  readonly stop_sequences?: unknown;
  readonly stream: true;
}

/** The effort a model makes for an answer. */
export type AnthropicEffort = "low" | "medium" | "high" | "xhigh" | "max";

/** One message as it goes over the wire. */
export interface AnthropicMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly AnthropicBlock[];
}

/** One content block. */
export type AnthropicBlock = { readonly type: string } & Fields;

/** The amount of thinking before an answer. */
export type AnthropicThinking =
  /** The model decides when and how much to think (Claude 4.6 and later). */
  | { readonly type: "adaptive"; readonly display?: "summarized" | "omitted" | undefined }
  /** At most `budget_tokens` tokens: at least 1,024, and fewer than the output limit (up to Claude 4.5). */
  | {
      readonly type: "enabled";
      readonly budget_tokens: number;
      readonly display?: "summarized" | "omitted" | undefined;
    }
  /** Not before the answer, and as little as can be between calls (Claude Sonnet 5.5). */
  | { readonly type: "between_tools" }
  | { readonly type: "disabled" };
