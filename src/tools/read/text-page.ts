import type { SeenPart } from "../../contracts/workspace.js";
import { firstCharacters } from "../../text/cut.js";
import { quoteName } from "../../text/quote-name.js";
import { readLinePart } from "./line-part.js";
import { type ByteSource, type LineIndex, type RawLine, readLines } from "./line-reader.js";

/** Unit: characters. */
export const MAX_PAGE_CHARS = 80_000;
const MAX_LINE_CHARS = 2_000;

export interface PageRequest {
  readonly source: ByteSource;
  readonly index: LineIndex;
  readonly path: string;
  /** The first line, from 1. */
  readonly offset: number;
  /** The most lines. */
  readonly limit: number;
  /** Whether to read on to the end to count the lines. */
  readonly countAll: boolean;
  readonly signal: AbortSignal;
}

/** The lines of a page as data. */
export type PageValue = {
  /** Without line numbers and notes. */
  readonly text: string;
  readonly firstLine: number;
  readonly lines: number;
  readonly hasMore: boolean;
  /** Lines of which there is more than `text` has: their rest is read with `column`. */
  readonly cutLines: number[];
};

/** The text of a page, and the part of the file it shows. */
export interface TextPage {
  readonly text: string;
  readonly seen: SeenPart;
  readonly value?: PageValue;
}

type Piece = Exclude<SeenPart, string>["cut"][number];

/** Lines as `N⇥text`, and behind them, unless that is the whole file, which lines these are and how to go on. */
export async function readPage({
  source,
  index,
  path,
  offset,
  limit,
  countAll,
  signal,
}: PageRequest): Promise<TextPage> {
  const shown: string[] = [];
  const plain: string[] = [];
  const cut: Piece[] = [];
  let chars = 0;
  let isDamaged = false;
  const accept = (line: RawLine) => {
    if (shown.length >= limit) return false;
    const number = offset + shown.length;
    const { text, plainText, isValid, cutAt } = lineText(line, number);
    const rendered = `${number}\t${text}`;
    if (chars + rendered.length + 1 > MAX_PAGE_CHARS) return false;
    chars += rendered.length + 1;
    shown.push(rendered);
    plain.push(plainText);
    if (cutAt !== undefined) cut.push({ line: number, fromColumn: 1, toColumn: cutAt, isEnd: false });
    isDamaged ||= !isValid;
    return true;
  };
  const { hasMore } = await readLines(source, index, offset, accept, { countAll, signal });

  const total = index.total?.toLocaleString("en-US");
  if (index.total === 0) return emptyPage(path);
  if (shown.length === 0) return { text: noSuchLine(path, total!, offset), seen: NOTHING };
  const last = offset + shown.length - 1;
  const notes: string[] = [];
  if (hasMore) {
    const of = total ? `of ${total}` : `of a file of ${source.size.toLocaleString("en-US")} bytes`;
    notes.push(`[Lines ${offset}-${last} ${of}. Continue with offset=${last + 1}.]`);
  } else if (offset > 1) {
    notes.push(`[Lines ${offset}-${last} of ${total}: the end of the file.]`);
  }
  if (isDamaged) notes.push("[Some bytes are not UTF-8 and are shown as \ufffd. The file cannot be edited as text.]");
  return {
    text: notes.length > 0 ? `${shown.join("\n")}\n\n${notes.join("\n")}` : shown.join("\n"),
    seen: { from: offset, to: last, isLast: !hasMore, cut },
    value: {
      text: plain.join("\n"),
      firstLine: offset,
      lines: plain.length,
      hasMore,
      cutLines: cut.map(({ line }) => line),
    },
  };
}

function emptyPage(path: string): TextPage {
  const value = { text: "", firstLine: 1, lines: 0, hasMore: false, cutLines: [] };
  return { text: `${quoteName(path)} is empty.`, seen: "all", value };
}

const NOTHING: SeenPart = { from: 1, to: 0, isLast: false, cut: [] };

function noSuchLine(path: string, total: string, line: number): string {
  return `${quoteName(path)} has ${plural(total, "line")}; there is no line ${line}.`;
}

export type PartRequest = Omit<PageRequest, "limit" | "countAll"> & {
  /** The first character, from 1, counted as strings count. */
  readonly column: number;
};

/** A page of one line as `N⇥text`, and behind it which characters these are and how to go on. */
export async function readPart({ source, index, path, offset, column, signal }: PartRequest): Promise<TextPage> {
  const part = await readLinePart({ source, index, line: offset, column, maxChars: MAX_PAGE_CHARS, signal });
  if (!part && index.total === 0) return emptyPage(path);
  if (!part) return { text: noSuchLine(path, index.total!.toLocaleString("en-US"), offset), seen: NOTHING };
  const { text } = part;
  const last = part.column + text.length - 1;
  if (text === "" && column > 1) {
    const length = plural(last.toLocaleString("en-US"), "character");
    return {
      text: `Line ${offset} of ${quoteName(path)} has ${length}; there is no character ${column}.`,
      seen: NOTHING,
    };
  }
  const goOn = {
    "rest of the line": `. Continue with offset=${offset}, column=${last + 1}.`,
    "next line": `${text === "" ? "" : ": the end of the line"}. Continue with offset=${offset + 1}.`,
    "end of the file": ": the end of the file.",
  };
  const characters = text === "" ? " is empty" : `, characters ${part.column}-${last}`;
  const notes = [`[Line ${offset}${characters}${goOn[part.next]}]`];
  if (text.includes("\ufffd")) notes.push("[Where it says \ufffd, bytes may not be UTF-8.]");
  const isEnd = part.next !== "rest of the line";
  return {
    text: `${offset}\t${text}\n\n${notes.join("\n")}`,
    seen: {
      from: offset,
      to: offset,
      isLast: part.next === "end of the file",
      cut: [{ line: offset, fromColumn: part.column, toColumn: last, isEnd }],
    },
    value: {
      text,
      firstLine: offset,
      lines: 1,
      hasMore: part.next !== "end of the file",
      cutLines: isEnd ? [] : [offset],
    },
  };
}

interface LineText {
  readonly text: string;
  /** Without a note, where it is cut. */
  readonly plainText: string;
  readonly isValid: boolean;
  /** The number of characters shown of a line that was cut. */
  readonly cutAt?: number;
}

function lineText({ bytes, byteLength }: RawLine, number: number): LineText {
  const isWhole = bytes.length === byteLength;
  // A cut may have gone through a character: `stream` leaves half a one out.
  const decoded = isWhole
    ? bytes.toString("utf8")
    : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
  const text = decoded.endsWith("\r") ? decoded.slice(0, -1) : decoded;
  const isValid = !text.includes("\ufffd") || bytes.includes("\ufffd");
  if (isWhole && text.length <= MAX_LINE_CHARS) return { text, plainText: text, isValid };
  const kept = firstCharacters(text, MAX_LINE_CHARS);
  const rest = `it has ${byteLength.toLocaleString("en-US")} bytes; go on with offset=${number}, column=${kept.length + 1}`;
  return { text: `${kept}… [line cut: ${rest}]`, plainText: kept, isValid, cutAt: kept.length };
}

function plural(count: string, noun: string): string {
  return `${count} ${noun}${count === "1" ? "" : "s"}`;
}
