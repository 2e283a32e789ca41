import type { StoreFile } from "./file-system.js";

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** A line without its newline. `bytes` are valid until the next group of lines is asked for. */
export interface FileLine {
  readonly bytes: Buffer;
  /** The start of the next line. */
  readonly endsAt: number;
  /** `false` for what stands after the last newline. */
  readonly isWhole: boolean;
}

/**
 * The lines between two offsets, in groups, oldest first. Ends early where the file does.
 *
 * Memory: one buffer, as large as the longest line.
 */
export async function* linesBetween(file: StoreFile, from: number, to: number): AsyncGenerator<readonly FileLine[]> {
  let buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, to - from)));
  let start = from;
  let held = 0;
  while (start + held < to) {
    if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const wanted = Math.min(buffer.length - held, to - start - held);
    const { bytesRead } = await file.read(buffer, held, wanted, start + held);
    if (bytesRead === 0) break;
    const filled = buffer.subarray(0, held + bytesRead);
    const lines: FileLine[] = [];
    let lineAt = 0;
    for (let at = filled.indexOf(NEWLINE, held); at >= 0; at = filled.indexOf(NEWLINE, lineAt)) {
      lines.push({ bytes: filled.subarray(lineAt, at), endsAt: start + at + 1, isWhole: true });
      lineAt = at + 1;
    }
    if (lines.length > 0) yield lines;
    buffer.copyWithin(0, lineAt, filled.length);
    held = filled.length - lineAt;
    start += lineAt;
  }
  if (held > 0) yield [{ bytes: buffer.subarray(0, held), endsAt: start + held, isWhole: false }];
}
