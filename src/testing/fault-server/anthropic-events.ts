import type { JsonObject, JsonValue } from "../../contracts/json.js";
import { cutIntoPieces } from "./wire-pieces.js";

/** One streamed message of Anthropic's API. */
export interface AnthropicAnswer {
  readonly thinking?: string | undefined;
  /** Ends the thinking. */
  readonly signature?: string | undefined;
  /** The data of a block of redacted thinking. */
  readonly redacted?: string | undefined;
  readonly text?: string | undefined;
  /** `arguments` as a string are sent as they are. */
  readonly toolCalls?:
    | readonly { readonly id?: string | undefined; readonly name: string; readonly arguments: JsonValue }[]
    | undefined;
  /** Default: `"tool_use"` when there are calls, else `"end_turn"`. `null` leaves the end of the message out. */
  readonly stopReason?: string | null | undefined;
  /** The usage at the end of the message. Default: 12 output tokens. */
  readonly usage?: JsonObject | undefined;
  /** UTF-16 units in one delta. Default: everything in one. */
  readonly pieceSize?: number | undefined;
  /** Default: `"fault-model"`. */
  readonly model?: string | undefined;
}

/** The events of a message in the wire format of Anthropic's Messages API. Write them with `namedSse`. */
export function anthropicEvents(answer: AnthropicAnswer): JsonObject[] {
  const { toolCalls = [], usage = { output_tokens: 12 }, model = "fault-model" } = answer;
  const head = { id: "msg_1", type: "message", role: "assistant", model, content: [] };
  const atStart = { input_tokens: 25, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const events: JsonObject[] = [
    { type: "message_start", message: { ...head, stop_reason: null, stop_sequence: null, usage: atStart } },
    { type: "ping" },
    ...blocksOf(answer).flatMap(({ block, deltas }, index): JsonObject[] => [
      { type: "content_block_start", index, content_block: block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
  ];
  const { stopReason = toolCalls.length > 0 ? "tool_use" : "end_turn" } = answer;
  if (stopReason === null) return events;
  const end = { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage };
  return [...events, end, { type: "message_stop" }];
}

/** The body of an event stream whose events have names: the `type` of each. */
export function namedSse(events: readonly JsonObject[]): string {
  return events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

interface Block {
  readonly block: JsonObject;
  readonly deltas: readonly JsonObject[];
}

function blocksOf(answer: AnthropicAnswer): Block[] {
  const { thinking, signature, redacted, text = "", toolCalls = [], pieceSize } = answer;
  const deltas = (type: string, field: string, said: string) =>
    cutIntoPieces(said, pieceSize).map((piece) => ({ type, [field]: piece }));
  const blocks: Block[] = [];
  if (thinking !== undefined) {
    const signed = signature === undefined ? [] : [{ type: "signature_delta", signature }];
    const block = { type: "thinking", thinking: "", signature: "" };
    blocks.push({ block, deltas: [...deltas("thinking_delta", "thinking", thinking), ...signed] });
  }
  if (redacted !== undefined) blocks.push({ block: { type: "redacted_thinking", data: redacted }, deltas: [] });
  if (text !== "") blocks.push({ block: { type: "text", text: "" }, deltas: deltas("text_delta", "text", text) });
  for (const [at, { id = `toolu_${at + 1}`, name, arguments: given }] of toolCalls.entries()) {
    const json = typeof given === "string" ? given : JSON.stringify(given);
    const first = { type: "input_json_delta", partial_json: "" };
    const rest = json === "{}" ? [] : deltas("input_json_delta", "partial_json", json);
    blocks.push({ block: { type: "tool_use", id, name, input: {} }, deltas: [first, ...rest] });
  }
  return blocks;
}
