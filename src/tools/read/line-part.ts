import { characterBorder } from "../../text/cut.js";
import { type ByteSource, byteChunks, type LineIndex, seekLine } from "./line-reader.js";

const CHUNK_BYTES = 256 * 1024;
/** Represents bytes that are not UTF-8. */
const DAMAGE = "\ufffd";

export interface LinePartRequest {
  readonly source: ByteSource;
  readonly index: LineIndex;
  /** From 1. */
  readonly line: number;
  /** From 1, counted as strings count: in UTF-16 code units. */
  readonly column: number;
  readonly maxChars: number;
  readonly signal: AbortSignal;
}

export interface LinePart {
  /** Whole characters, without the line break. Empty behind the end of the line. */
  readonly text: string;
  /** Its start: one before what was asked for in the middle of a character, behind the end of a shorter line. */
  readonly column: number;
  readonly next: "rest of the line" | "next line" | "end of the file";
}

/**
 * Reads a part of one line with flat memory, however long it is; `null` when the file has fewer lines.
 *
 * Its end is kept in the index, so that the next part begins at once.
 */
export async function readLinePart(request: LinePartRequest): Promise<LinePart | null> {
  const { source, index, line, maxChars, signal } = request;
  const lineStart = await seekLine(source, index, line, signal);
  if (lineStart === null) return null;
  const isKnown = index.part?.line === line && index.part.column <= request.column;
  let { column, offset } = isKnown ? index.part! : { column: 1, offset: lineStart };
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let end: number | undefined;
  let isFull = false;
  let isExact = true;
  for await (const { chunk, offset: at } of byteChunks(source, offset, CHUNK_BYTES, signal)) {
    const found = chunk.indexOf(index.lineBreak);
    text += decoder.decode(found === -1 ? chunk : chunk.subarray(0, found), { stream: true });
    const skipped = text.slice(0, characterBorder(text, request.column - column));
    column += skipped.length;
    offset += Buffer.byteLength(skipped);
    isExact &&= !skipped.includes(DAMAGE);
    text = text.slice(skipped.length);
    if (found !== -1) end = at + found;
    // More than is shown: half a character before it, and a carriage return and the end of the line behind it.
    isFull = text.length > maxChars + 3;
    if (isFull || end !== undefined) break;
  }
  const isComplete = end !== undefined || !isFull;
  if (isComplete) text = (text + decoder.decode()).replace(/\r$/, "");

  const from = characterBorder(text, request.column - column);
  const to = characterBorder(text, from + maxChars);
  const part = { text: text.slice(from, to), column: column + from };
  if (isComplete && to === text.length) {
    return { ...part, next: (end ?? source.size) + 1 < source.size ? "next line" : "end of the file" };
  }
  // The signs shown for bytes that are not UTF-8 do not say how many they were: then the next part is looked for.
  const consumed = text.slice(0, to);
  if (isExact && !consumed.includes(DAMAGE)) {
    index.part = { line, column: column + to, offset: offset + Buffer.byteLength(consumed) };
  }
  return { ...part, next: "rest of the line" };
}
