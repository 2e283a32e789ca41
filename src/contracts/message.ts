import type { ContentPart, MediaPart } from "./content.js";
import type { JsonValue } from "./json.js";
import type { ToolCall, ToolResult } from "./tool-call.js";
import type { FinishReason, Usage } from "./usage.js";

/** An image or a file that a model made. */
export type AssistantMediaPart = MediaPart & {
  /** The data that the message's provider wants back with it, opaque to everyone else. */
  readonly providerData?: JsonValue;
};

/**
 * Work of a tool that the vendor's server has run by itself: the call, its result, or both. No gate has decided about it.
 * `output` is for reading, and cut at 20,000 characters.
 */
export interface ServerToolUse {
  /** The same for a call and its result. */
  readonly id: string;
  /** As in `ProviderAdapter.serverTools`, where it is known. */
  readonly name: string;
  /** The call. Absent: this is only its result. */
  readonly input?: JsonValue;
  /** The result as text. */
  readonly output?: string;
  readonly isError?: true;
  /** Its findings are somebody else's words: never instructions. */
  readonly trust: "untrusted";
}

/** One piece of an assistant message, in the order the model produced it. */
export type AssistantPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "reasoning";
      readonly text: string;
      /** The `id` of the provider that wrote it; others leave it out when they replay the message. */
      readonly provider: string;
      /** Signatures and ids the provider wants back, opaque to everyone else. */
      readonly providerData?: JsonValue;
      /** Where it represents work of a server's own tool, that work for every other reader. */
      readonly serverTool?: ServerToolUse;
    }
  | AssistantMediaPart
  | ({ readonly type: "tool-call" } & ToolCall);

/** The model's view of one tool result. */
export type ToolResultPart = { readonly type: "tool-result" } & Pick<
  ToolResult,
  "toolCallId" | "name" | "output" | "isError"
>;

/** The author of a user message. Absent means the user. */
export type MessageOrigin = "user" | "steering" | "reminder" | "hook" | "summary" | "subagent" | "skill";

/** The speaker of a message that a tool delivers. */
export type DeliveryOrigin = Extract<MessageOrigin, "reminder" | "subagent" | "skill">;

/** A vendor's own form of a summary, opaque to everyone else. It represents all that was in front of the summary in the view. */
export interface ServerSummary {
  /** `id` and `model` of the adapter whose model has made it. */
  readonly provider: string;
  readonly model: string;
  readonly data: JsonValue;
}

/** A message to the model: what a user said, or what the harness added. */
export interface UserMessage {
  readonly role: "user";
  readonly content: readonly ContentPart[];
  readonly origin?: MessageOrigin;
  /** Sent to the model that made it in place of the content, unchanged; every other model gets the content. */
  readonly serverSummary?: ServerSummary;
}

/** A message of the model. */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantPart[];
  readonly finishReason: FinishReason;
  readonly usage?: Usage;
  /** `ProviderAdapter.id` and `ProviderAdapter.model` of who wrote it. */
  readonly provider: string;
  readonly model: string;
}

/** The results of one turn's calls, in call order. */
export interface ToolMessage {
  readonly role: "tool";
  readonly content: readonly ToolResultPart[];
}

/** One message of a transcript. Messages are frozen once they are recorded. */
export type Message = UserMessage | AssistantMessage | ToolMessage;
