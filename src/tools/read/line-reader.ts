/*
 * Reads pages of lines from files of any size with flat memory: bytes are read in chunks, line breaks only counted until
 * the page begins. Line starts found on the way are kept as marks, so that the next page begins at once.
 */

const CHUNK_BYTES = 512 * 1024;
/** A smaller chunk will do where the page begins: most pages are smaller. */
const PAGE_CHUNK_BYTES = 128 * 1024;
/** Line breaks that lie further apart are sparse. */
const SPARSE_BYTES = 48;
/** The kept beginning of a longer line. Four bytes a character at most. */
const KEPT_LINE_BYTES = 8_200;

/** Bytes that can be read from any position. */
export interface ByteSource {
  readonly size: number;
  /** Fills `target` from byte `position` on; answers how many bytes there were, 0 at the end. */
  read(target: Uint8Array, position: number): Promise<number>;
}

/** The index of one state of a file. Grows while it is read. */
export interface LineIndex {
  /** LF, or CR for files that have no LF. */
  readonly lineBreak: 10 | 13;
  /** Starts of lines, from 1, ascending; the first is the first line's. */
  readonly marks: { readonly line: number; readonly offset: number }[];
  /** Number of lines, once the end was seen. */
  total?: number;
  /** The end of the last part of a long line: at the start of character `column`, from 1. */
  part?: { readonly line: number; readonly column: number; readonly offset: number };
}

export interface RawLine {
  /** Without the line break; the beginning of a very long line. */
  readonly bytes: Buffer;
  readonly byteLength: number;
}

export interface LinePage {
  /** The number of lines accepted. */
  readonly count: number;
  /** Whether the file has lines after these. */
  readonly hasMore: boolean;
}

/** `start`: where the text begins, behind a byte order mark. `sample`: the first bytes, which show the kind of line breaks. */
export function createLineIndex(start: number, sample: Uint8Array): LineIndex {
  const lineBreak = !sample.includes(10) && sample.includes(13) ? 13 : 10;
  return { lineBreak, marks: [{ line: 1, offset: start }] };
}

/**
 * Reads lines from number `first`, from 1, until `accept` answers false for one; that one is not in the page. The bytes
 * it is given are good only during the call.
 *
 * Sets `index.total` when it comes to the end; with `countAll`, it reads on to the end only for that.
 */
export async function readLines(
  source: ByteSource,
  index: LineIndex,
  first: number,
  accept: (line: RawLine) => boolean,
  options: { readonly countAll: boolean; readonly signal: AbortSignal },
): Promise<LinePage> {
  const start = await seekLine(source, index, first, options.signal);
  let count = 0;
  if (start === null) return { count, hasMore: false };
  const page = new LineAssembler((line) => {
    const isAccepted = accept(line);
    if (isAccepted) count++;
    return isAccepted;
  });
  for await (const { chunk, offset } of chunksInTurn(source, start, PAGE_CHUNK_BYTES, options.signal)) {
    if (page.add(chunk, offset, index.lineBreak)) continue;
    mark(index, first + count, page.lineStart);
    if (options.countAll) await seekLine(source, index, Number.POSITIVE_INFINITY, options.signal);
    return { count, hasMore: true };
  }
  const hasMore = !page.finish();
  if (hasMore) mark(index, first + count, page.lineStart);
  index.total = first - 1 + count + (hasMore ? 1 : 0);
  return { count, hasMore };
}

/** The start of a line; `null` when the file has fewer lines, which are then counted in `index.total`. */
export async function seekLine(
  source: ByteSource,
  index: LineIndex,
  line: number,
  signal: AbortSignal,
): Promise<number | null> {
  if (index.total !== undefined && line > index.total) return null;
  const from = index.marks.findLast((each) => each.line <= line)!;
  if (from.line === line && from.offset < source.size) return from.offset;
  let at = from.line;
  let last = -1;
  for await (const { chunk, offset } of byteChunks(source, from.offset, CHUNK_BYTES, signal)) {
    const breaks = countBytes(chunk, index.lineBreak);
    if (at + breaks >= line) {
      let position = -1;
      for (let missing = line - at; missing > 0; missing--) position = chunk.indexOf(index.lineBreak, position + 1);
      const start = offset + position + 1;
      if (start < source.size) {
        mark(index, line, start);
        return start;
      }
    }
    at += breaks;
    last = chunk.at(-1)!;
    if (breaks > 0) mark(index, at, offset + chunk.lastIndexOf(index.lineBreak) + 1);
  }
  index.total = last === -1 || last === index.lineBreak ? at - 1 : at;
  return null;
}

function mark(index: LineIndex, line: number, offset: number): void {
  const { marks } = index;
  const position = marks.findLastIndex((each) => each.line <= line);
  if (marks[position]?.line !== line) marks.splice(position + 1, 0, { line, offset });
}

/** The bytes from an offset on, each chunk good until the next is asked for. */
async function* chunksInTurn(source: ByteSource, from: number, chunkBytes: number, signal: AbortSignal) {
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, source.size - from + 1)));
  for (let offset = from; ; ) {
    const length = await source.read(buffer, offset);
    signal.throwIfAborted();
    if (length === 0) return;
    yield { chunk: buffer.subarray(0, length), offset };
    offset += length;
  }
}

/** The same for many chunks: two buffers take turns, so that one fills while the other is looked at. */
export async function* byteChunks(source: ByteSource, from: number, chunkBytes: number, signal: AbortSignal) {
  const size = Math.max(1, Math.min(chunkBytes, source.size - from + 1));
  let [filled, filling] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  let offset = from;
  let reading = source.read(filled, offset);
  try {
    for (;;) {
      const length = await reading;
      signal.throwIfAborted();
      if (length === 0) return;
      reading = source.read(filling, offset + length);
      yield { chunk: filled.subarray(0, length), offset };
      offset += length;
      [filled, filling] = [filling, filled];
    }
  } finally {
    // Nobody may be left writing into a buffer, or reading a file that is about to be closed.
    await reading.catch(() => undefined);
  }
}

/** Puts lines together that lie across chunks. */
class LineAssembler {
  /** The start of the line that was not taken, or not complete yet. */
  lineStart = -1;
  readonly #take: (line: RawLine) => boolean;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #byteLength = 0;

  constructor(take: (line: RawLine) => boolean) {
    this.#take = take;
  }

  /** Takes the lines a chunk completes; `false` when one was refused. */
  add(chunk: Buffer, offset: number, lineBreak: number): boolean {
    if (this.lineStart === -1) this.lineStart = offset;
    let from = 0;
    for (let end = chunk.indexOf(lineBreak); end !== -1; end = chunk.indexOf(lineBreak, from)) {
      if (!this.#complete(chunk.subarray(from, end))) return false;
      from = end + 1;
      this.lineStart = offset + from;
    }
    this.#keep(chunk.subarray(from));
    return true;
  }

  /** Takes a last line that has no line break; `false` when it was refused. */
  finish(): boolean {
    return this.#byteLength === 0 || this.#complete(Buffer.alloc(0));
  }

  #keep(part: Buffer): void {
    this.#byteLength += part.length;
    const room = KEPT_LINE_BYTES - this.#keptBytes;
    if (room <= 0 || part.length === 0) return;
    // The chunk's buffer is used again for the next one.
    const kept = Buffer.from(part.subarray(0, room));
    this.#kept.push(kept);
    this.#keptBytes += kept.length;
  }

  #complete(part: Buffer): boolean {
    // Nearly every line lies in one chunk and needs no copy.
    if (this.#byteLength === 0) {
      const bytes = part.length > KEPT_LINE_BYTES ? part.subarray(0, KEPT_LINE_BYTES) : part;
      return this.#take({ bytes, byteLength: part.length });
    }
    this.#keep(part);
    const line = { bytes: Buffer.concat(this.#kept), byteLength: this.#byteLength };
    this.#kept = [];
    this.#keptBytes = 0;
    this.#byteLength = 0;
    return this.#take(line);
  }
}

/** The number of times a byte occurs. Looking for the next one is fastest while they are far apart, counting words where not. */
function countBytes(bytes: Buffer, byte: number): number {
  let count = 0;
  let from = 0;
  while (count * SPARSE_BYTES <= from + SPARSE_BYTES) {
    const found = bytes.indexOf(byte, from);
    if (found === -1) return count;
    from = found + 1;
    count++;
  }
  return count + countInWords(bytes.subarray(from), byte);
}

/** Four words of four bytes at a time: a file of short lines would cost a call each otherwise. */
function countInWords(bytes: Buffer, byte: number): number {
  const pattern = byte * 0x01010101;
  const start = -bytes.byteOffset & 3;
  if (bytes.length < start + 16) return countOneByOne(bytes, byte);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, ((bytes.length - start) >> 4) << 2);
  const end = start + words.length * 4;
  let count = countOneByOne(bytes.subarray(0, start), byte) + countOneByOne(bytes.subarray(end), byte);
  for (let at = 0; at < words.length; ) {
    // Four counters in one number, each of which can count to 255.
    const full = Math.min(at + 252, words.length);
    let counters = 0;
    for (; at < full; at += 4) {
      counters += hits(words[at]! ^ pattern) + hits(words[at + 1]! ^ pattern);
      counters += hits(words[at + 2]! ^ pattern) + hits(words[at + 3]! ^ pattern);
    }
    count += (counters & 0xff) + ((counters >>> 8) & 0xff) + ((counters >>> 16) & 0xff) + (counters >>> 24);
  }
  return count;
}

function countOneByOne(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === byte) count++;
  return count;
}

/** 1 in each byte that is zero in `word`. */
function hits(word: number): number {
  return (~(((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) >>> 7) & 0x01010101;
}
