// One line of a session file:
//   {"v":1,"sum":"<crc32>","n":5,"batch":[4,6],"entry":{…}}
// `n` counts the file's lines from 1. `batch` names the first and last line of the append this one belongs to, so that
// an append that was cut off is recognised as a whole. `sum` covers every byte after it. The header's order is fixed.
import { SessionError } from "../contracts/errors.js";
import type { SessionEntry } from "../contracts/session.js";

const VERSION = 1;
/** Length of `{"v":1,"sum":"01234567",`: what the checksum does not cover. */
const UNSUMMED_BYTES = 24;
const MAX_HEADER_BYTES = 128;
const HEADER = /^\{"v":1,"sum":"([0-9a-f]{8})","n":(\d{1,15}),"batch":\[(\d{1,15}),(\d{1,15})\],"entry":/;
const NEWLINE = Buffer.from("\n");
const ANY_VERSION = /^\{"v":(\d{1,9}),/;

/** The part of an intact line before its entry. */
export interface LineHeader {
  readonly n: number;
  readonly first: number;
  readonly last: number;
  /** The start of the entry's JSON. Unit: bytes. */
  readonly entryAt: number;
}

/** The JSON of an entry. @throws SessionError `SESSION_WRITE` when it has none */
export function entryJson(entry: SessionEntry): string {
  try {
    const json: unknown = JSON.stringify(entry);
    if (typeof json === "string" && json.startsWith("{")) return json;
  } catch (cause) {
    throw notJson(cause);
  }
  throw notJson();
}

/** The bytes of one append. `first` is the number of its first line. */
export function encodeBatch(jsons: readonly string[], first: number): Buffer {
  const last = first + jsons.length - 1;
  const pieces: Buffer[] = [];
  for (let index = 0; index < jsons.length; index++) {
    const summed = Buffer.from(`"n":${first + index},"batch":[${first},${last}],"entry":${jsons[index]}}`);
    pieces.push(Buffer.from(`{"v":${VERSION},"sum":"${checksum(summed)}",`), summed, NEWLINE);
  }
  return Buffer.concat(pieces);
}

/** The header of a line (without its newline) if every byte is intact; `"newer"` for another version; else `null`. */
export function readHeader(line: Buffer): LineHeader | "newer" | null {
  const start = line.toString("latin1", 0, Math.min(line.length, MAX_HEADER_BYTES));
  const header = HEADER.exec(start);
  if (!header) return Number(ANY_VERSION.exec(start)?.[1] ?? VERSION) > VERSION ? "newer" : null;
  if (checksum(line.subarray(UNSUMMED_BYTES)) !== header[1]) return null;
  return { n: Number(header[2]), first: Number(header[3]), last: Number(header[4]), entryAt: header[0].length };
}

/** The entry of an intact line; `"newer"` for one of another version; `null` when it is not one. */
export function readEntry(line: Buffer, { entryAt }: LineHeader): SessionEntry | "newer" | null {
  try {
    const entry = JSON.parse(line.toString("utf8", entryAt, line.length - 1)) as SessionEntry;
    return Number(entry.v) > VERSION ? "newer" : entry;
  } catch {
    return null;
  }
}

let crc32: typeof import("node:zlib").crc32 | undefined;

function checksum(bytes: Buffer): string {
  crc32 ??= process.getBuiltinModule("node:zlib").crc32;
  return crc32(bytes).toString(16).padStart(8, "0");
}

function notJson(cause?: unknown): SessionError {
  return new SessionError("SESSION_WRITE", {
    message: "An entry was not appended: it is not a JSON object. Entries hold only plain JSON values.",
    cause,
  });
}
