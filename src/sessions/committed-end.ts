// The end of the committed part of a session file.
//
// An append is committed when every line of its batch is whole and intact. What stands behind the last such batch is the
// rest of an append that was cut off, unless it holds what no interrupted write leaves behind: that is damage.
// Cost: the last batch is read, backwards; only a file that does not end in an intact one is read from its beginning.
import { readHeader } from "./entry-line.js";
import { linesBetween } from "./file-lines.js";
import type { StoreFile } from "./file-system.js";

const FIRST_WINDOW_BYTES = 64 * 1024;
const MAX_WINDOW_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;
/** The bytes of a block that was never written. JSON has no zeros at all. */
const UNWRITTEN_BLOCK = Buffer.alloc(512);

export interface CommittedEnd {
  /** Bytes that are committed; behind them stands the torn rest of an append, or damage. */
  readonly size: number;
  /** Entries that are committed. */
  readonly entries: number;
  /** The bytes behind it are damage, not a torn append: they must not be cut off. */
  readonly isDamaged: boolean;
  /** The bytes behind it were written by a newer version. */
  readonly isNewer: boolean;
}

export async function findCommittedEnd(file: StoreFile, size: number): Promise<CommittedEnd> {
  if (size === 0) return { size: 0, entries: 0, isDamaged: false, isNewer: false };
  for (let window = FIRST_WINDOW_BYTES; window <= MAX_WINDOW_BYTES; window *= 4) {
    const entries = await entriesIfIntact(file, size, Math.min(window, size));
    if (entries !== "unknown") {
      if (entries === null) break;
      return { size, entries, isDamaged: false, isNewer: false };
    }
    if (window >= size) break;
  }
  return scan(file, size);
}

/** The number of entries if the file ends in an intact batch, `null` if not, `"unknown"` if the window is too small. */
async function entriesIfIntact(file: StoreFile, size: number, window: number): Promise<number | null | "unknown"> {
  const buffer = Buffer.allocUnsafe(window);
  let filled = 0;
  while (filled < window) {
    const { bytesRead } = await file.read(buffer, filled, window - filled, size - window + filled);
    if (bytesRead === 0) return null;
    filled += bytesRead;
  }
  if (buffer[window - 1] !== NEWLINE) return null;
  let count: number | null = null;
  let n = Number.NaN;
  for (let end = window - 1; ; ) {
    const before = end === 0 ? -1 : buffer.lastIndexOf(NEWLINE, end - 1);
    if (before < 0 && window < size) return "unknown";
    const header = readHeader(buffer.subarray(before + 1, end));
    if (header === null || header === "newer") return null;
    if (count === null) {
      if (header.n !== header.last) return null;
      count = header.n;
      n = header.n;
    }
    if (header.n !== n || header.last !== count) return null;
    if (header.n === header.first) return count;
    if (before < 0) return null;
    n--;
    end = before;
  }
}

async function scan(file: StoreFile, size: number): Promise<CommittedEnd> {
  let committed = { size: 0, entries: 0 };
  let isDamaged = false;
  let isNewer = false;
  let number = 0;
  /** The last line of the batch that is intact so far. */
  let batchEnd: number | null = null;
  for await (const lines of linesBetween(file, 0, size)) {
    for (const { bytes, endsAt, isWhole } of lines) {
      number++;
      const header = readHeader(bytes);
      if (header === "newer") isNewer = true;
      if (!isWhole) {
        // A line that is cut off is the beginning of one. A whole line and one byte more has lost its newline.
        if (readHeader(bytes.subarray(0, -1)) !== null) isDamaged = true;
        continue;
      }
      if (header === null || header === "newer" || header.n !== number) {
        batchEnd = null;
        if (!bytes.includes(UNWRITTEN_BLOCK)) isDamaged = true;
        continue;
      }
      if (header.first === number) batchEnd = header.last;
      else if (batchEnd !== header.last) batchEnd = null;
      if (batchEnd !== number) continue;
      committed = { size: endsAt, entries: number };
      isDamaged = false;
      batchEnd = null;
    }
  }
  return { ...committed, isDamaged, isNewer };
}
