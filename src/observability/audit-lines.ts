import { createReadStream } from "node:fs";

/** A record is cut to much less; a longer line was not written by a trail. Unit: bytes. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** One line of the file. `torn`: the last one, without its line break, as a crash leaves it. */
export interface AuditLine {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  readonly torn: boolean;
  /** Its start in the file. Unit: bytes. */
  readonly offset: number;
}

/** The lines of a trail, streamed: memory does not grow with the file. A line that is too long comes cut. */
export async function* readAuditLines(file: string): AsyncGenerator<AuditLine> {
  let number = 1;
  let offset = 0;
  let kept: Buffer[] = [];
  let length = 0;
  const take = (torn: boolean): AuditLine => {
    const line = { number: number++, text: Buffer.concat(kept).toString("utf8"), torn, offset };
    kept = [];
    offset += length + (torn ? 0 : 1);
    length = 0;
    return line;
  };
  const keep = (piece: Buffer) => {
    if (length < MAX_LINE_BYTES) kept.push(piece);
    length += piece.length;
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, end));
      from = end + 1;
      yield take(false);
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  }
  if (length > 0) yield take(true);
}
