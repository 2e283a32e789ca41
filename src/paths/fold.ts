// One spelling for names that a file system may take for the same: letter case, the composition of accents, marks that
// cannot be seen, and dots or spaces at the end of a name. Folds too much rather than too little.
import { sep } from "node:path";

/** Only letter case distinguishes spellings of such a string. */
const PLAIN = /^[\x20-\x7e]*$/;
/** A name in a path ends in a dot or a space. */
const NEEDS_TRIM = /[. ](?:[\\/]|$)/;

/** A path in which every name is folded: one letter case, no invisible marks, no dots or spaces at its end. */
export function foldPath(path: string): string {
  const cased = foldCase(path);
  return NEEDS_TRIM.test(cased) ? cased.split(sep).map(trimName).join(sep) : cased;
}

/** One letter case, one composition of accents, and no invisible marks. */
export function foldCase(path: string): string {
  if (PLAIN.test(path)) return path.toLowerCase();
  return withoutMarks(path).normalize("NFC").toUpperCase().toLowerCase();
}

/** Takes one pass and one buffer: a command line may hold a million such marks. */
function withoutMarks(path: string): string {
  const codes = new Uint16Array(path.length);
  let length = 0;
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (!isMark(code)) codes[length++] = code;
  }
  return length === path.length ? path : new TextDecoder("utf-16le").decode(codes.subarray(0, length));
}

/** Zero-width and directional marks, which some file systems ignore. */
function isMark(code: number): boolean {
  if (code < 0x200b) return false;
  return code <= 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code === 0xfeff;
}

/** A name without the dots and spaces at its end, unless it consists of nothing else. */
export function trimName(name: string): string {
  return /[. ]$/.test(name) ? name.replace(/(?<![. ])[. ]+$/, "") || name : name;
}

/** Whether a name is printable ASCII: shells, `find` and `foldCase` compare such names in the same way. */
export function isPlainName(name: string): boolean {
  return PLAIN.test(name);
}
