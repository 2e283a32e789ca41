import type { JsonObject, JsonValue } from "../../contracts/json.js";
import { byDefault, checkOptions, FLAG, type OptionTable, oneOf, TEXT } from "../../json/check-options.js";
import { cutIntoPieces } from "./wire-pieces.js";

/** One streamed chat completion. */
export interface ChatAnswer {
  readonly reasoning?: string;
  readonly text?: string;
  /** Images that the model makes, after the text. `data` is base64. */
  readonly images?: readonly { readonly mediaType: string; readonly data: string }[] | undefined;
  readonly toolCalls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly arguments: JsonValue | string;
  }[];
  /** Default: `"tool_calls"` when there are calls, else `"stop"`. `null` leaves it out. */
  readonly finishReason?: string | null;
  /** Sent in a chunk of its own at the end. Default: left out. */
  readonly usage?: JsonObject;
  /** UTF-16 units of text and arguments in one chunk. Default: everything in one. */
  readonly pieceSize?: number;
  /** Default: `"fault-model"`. */
  readonly model?: string;
}

/** The chunks of an answer in the wire format of OpenAI's chat completions. `arguments` as text are sent as they are. */
export function chatChunks(answer: ChatAnswer): JsonObject[] {
  const {
    reasoning = "",
    text = "",
    images = [],
    toolCalls = [],
    usage,
    pieceSize = Number.POSITIVE_INFINITY,
  } = answer;
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: answer.model ?? "fault-model" };
  const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const chunks = [chunk({ role: "assistant", content: "" })];
  for (const piece of cutIntoPieces(reasoning, pieceSize)) chunks.push(chunk({ reasoning_content: piece }));
  for (const piece of cutIntoPieces(text, pieceSize)) chunks.push(chunk({ content: piece }));
  for (const { mediaType, data } of images) {
    const url = `data:${mediaType};base64,${data}`;
    chunks.push(chunk({ images: [{ type: "image_url", image_url: { url } }] }));
  }
  for (const [index, call] of toolCalls.entries()) {
    const { id = `call_${index + 1}`, name } = call;
    const json = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    chunks.push(chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }));
    for (const piece of cutIntoPieces(json, pieceSize)) {
      chunks.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  const { finishReason = toolCalls.length > 0 ? "tool_calls" : "stop" } = answer;
  if (finishReason !== null) chunks.push(chunk({}, finishReason));
  if (usage) chunks.push({ ...head, choices: [], usage });
  return chunks;
}

/** The form of chunks as server-sent events. */
export interface SseOptions {
  /** Whether `data: [DONE]` comes at the end. Default: `true`. */
  readonly done?: boolean | undefined;
  /** Default: `"\n"`. */
  readonly newline?: "\n" | "\r\n" | "\r" | undefined;
  /** A comment before every event, as servers send it to keep a connection alive. */
  readonly comment?: string | undefined;
  /** Whether each event has its `type` as a name, as OpenAI's responses and Anthropic have it. Default: `false`. */
  readonly named?: boolean | undefined;
}

const SSE_OPTIONS = {
  done: byDefault(true, FLAG),
  newline: byDefault("\n", oneOf("\n", "\r\n", "\r")),
  comment: TEXT,
  named: byDefault(false, FLAG),
} satisfies OptionTable<SseOptions>;

/** The body of an event stream. Texts among the chunks are sent as data without being encoded. */
export function sse(chunks: readonly (JsonObject | string)[], options: SseOptions = {}): string {
  const { done, newline, comment, named } = checkOptions("sse()", options, SSE_OPTIONS);
  const ping = comment === undefined ? "" : `: ${comment}${newline}${newline}`;
  const data = [...chunks, ...(done ? ["[DONE]"] : [])];
  return data
    .map(
      (item) =>
        `${ping}${named ? nameOf(item, newline) : ""}data: ${typeof item === "string" ? item : JSON.stringify(item)}${newline}${newline}`,
    )
    .join("");
}

function nameOf(item: JsonObject | string, newline: string): string {
  return typeof item === "object" && typeof item.type === "string" ? `event: ${item.type}${newline}` : "";
}
