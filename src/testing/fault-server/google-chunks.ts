import type { JsonObject, JsonValue } from "../../contracts/json.js";
import { cutIntoPieces } from "./wire-pieces.js";

/** One streamed answer of the Gemini API. */
export interface GoogleAnswer {
  readonly thoughts?: string | undefined;
  readonly text?: string | undefined;
  /** Images and files that the model makes, after the text; signed when there is a signature. `data` is base64. */
  readonly media?: readonly { readonly mediaType: string; readonly data: string }[] | undefined;
  readonly toolCalls?:
    | readonly { readonly id?: string | undefined; readonly name: string; readonly arguments: JsonValue }[]
    | undefined;
  /** On the first call, or on an empty part at the end when there are no calls. */
  readonly signature?: string | undefined;
  /** Default: `"STOP"`. `null` leaves it out. */
  readonly finishReason?: string | null | undefined;
  /** The usage in the last chunk. Default: 9 tokens in, 4 out. */
  readonly usage?: JsonObject | undefined;
  /** UTF-16 units of text in one chunk. Default: everything in one. */
  readonly pieceSize?: number | undefined;
  /** Default: `"fault-model"`. */
  readonly model?: string | undefined;
}

/** The chunks of an answer in the wire format of Google's `streamGenerateContent`. Write them with `sse(…, { done: false })`. */
export function googleChunks(answer: GoogleAnswer): JsonObject[] {
  const { thoughts = "", text = "", media = [], toolCalls = [], signature, pieceSize, finishReason = "STOP" } = answer;
  const { usage = { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 } } = answer;
  const head = { modelVersion: answer.model ?? "fault-model", responseId: "resp_1" };
  const signed: JsonObject = signature === undefined ? {} : { thoughtSignature: signature };
  const parts: JsonObject[] = [
    ...cutIntoPieces(thoughts, pieceSize).map((piece) => ({ text: piece, thought: true })),
    ...cutIntoPieces(text, pieceSize).map((piece) => ({ text: piece })),
    ...media.map(({ mediaType: mimeType, data }): JsonObject => ({ inlineData: { mimeType, data }, ...signed })),
    ...toolCalls.map(({ id, name, arguments: args }, at) => ({
      functionCall: { ...(id !== undefined && { id }), name, args },
      ...(at === 0 && signed),
    })),
    ...(toolCalls.length === 0 && signature !== undefined ? [{ text: "", ...signed }] : []),
  ];
  const chunks: JsonObject[] = parts.map((part) => ({
    candidates: [{ content: { role: "model", parts: [part] }, index: 0 }],
    usageMetadata: { promptTokenCount: usage.promptTokenCount ?? 9 },
    ...head,
  }));
  if (finishReason === null) return chunks;
  const end = { content: { role: "model", parts: [{ text: "" }] }, finishReason, index: 0 };
  return [...chunks, { candidates: [end], usageMetadata: usage, ...head }];
}
