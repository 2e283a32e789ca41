import type { JsonValue } from "../../contracts/json.js";
import type { AssistantMediaPart } from "../../contracts/message.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import type { FinishReason, Usage } from "../../contracts/usage.js";
import type { RecordedRequest } from "./recorded-request.js";

/** A tool call to play. `toolCall(name, args)` makes one; a `ToolCall` of a transcript is one, too. */
export interface ScriptedToolCall {
  readonly type?: "tool-call";
  /** Default: `call_1`, `call_2`, … counted per provider. */
  readonly id?: string;
  readonly name: string;
  /** Handed out as it is, not copied. Default: `{}`. */
  readonly arguments?: JsonValue;
  /** Streams this text as the arguments, and marks the call as malformed. */
  readonly malformed?: string;
}

/** The timing, pieces and failures of a turn. Absent everywhere: it is played at once, in whole pieces, without failing. */
export interface TurnSettings {
  /** Default: `tool-calls` when the turn has calls, otherwise `stop`. */
  readonly finishReason?: FinishReason | undefined;
  /** `"none"` sends no usage. Default: the provider's option `usage`. */
  readonly usage?: Usage | "none" | undefined;
  /** Wait before the first event. Unit: milliseconds. Default: 0. */
  readonly delayMs?: number | undefined;
  /** Wait before each delta. Unit: milliseconds. Default: 0. */
  readonly chunkDelayMs?: number | undefined;
  /** Length of a string or reasoning delta. Unit: characters; a surrogate pair is not split. Default: the whole text. */
  readonly chunkSize?: number | undefined;
  /** Length of a tool-argument delta. Unit: characters. Default: the whole arguments. */
  readonly argumentChunkSize?: number | undefined;
  /** Thrown as it is, before the first event or after `errorAfterChunks`. */
  readonly error?: unknown;
  /** Throws `error` once this many deltas were sent; at the latest instead of `message-end`. */
  readonly errorAfterChunks?: number | undefined;
  /** Streamed first and then voided by a `restart` event, like an attempt whose connection broke. */
  readonly restartAfter?: ScriptedContent | undefined;
}

/** Content of one kind each, played in the order reasoning, text, calls; use an array for any other order. */
export interface ScriptedTurn extends TurnSettings {
  readonly reasoning?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Played word for word instead of content: for streams no well-behaved model would send. */
  readonly events?: readonly ProviderEvent[];
}

/** One piece of a turn: text, a call, a part of an assistant message, or content with settings. */
export type ScriptedPiece =
  | string
  | ScriptedToolCall
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string; readonly providerData?: JsonValue }
  | AssistantMediaPart
  | ScriptedTurn;

/** One piece, or several played in their order as one message; their settings are merged, later ones win. */
export type ScriptedContent = ScriptedPiece | readonly ScriptedPiece[];

/** The answer to one request: content, an `Error` to throw, or a function of the request that returns either. */
export type Turn = ScriptedContent | Error | TurnFunction;

/** Called once for the request it answers, when its stream is first read. What it throws, the stream throws. */
export type TurnFunction = (
  request: RecordedRequest,
  /** Counts the requests of this provider from 0. */
  index: number,
) => ScriptedContent | Error | Promise<ScriptedContent | Error>;

/** A turn that answers with text. */
export function text(text: string, settings?: TurnSettings): ScriptedTurn {
  return { ...settings, text };
}

/** A tool call: a turn of its own, or a piece of one, as in `["Let me look.", toolCall("grep", { pattern: "x" })]`. */
export function toolCall(
  name: string,
  args: JsonValue = {},
  about?: Pick<ScriptedToolCall, "id" | "malformed">,
): ScriptedToolCall {
  return { ...about, type: "tool-call", name, arguments: args };
}
