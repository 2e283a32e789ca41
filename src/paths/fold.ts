// One spelling for names that a file system may take for the same: letter case, the composition of accents, marks that
// cannot be seen, and dots or spaces at the end of a name. Folds too much rather than too little.
import { sep } from "node:path";

/** Zero-width and directional marks, which some file systems ignore. */
const IGNORED_CHARACTERS = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** Only letter case distinguishes spellings of such a string. */
const PLAIN = /^[\x20-\x7e]*$/;

/** A path in which every name is folded: one letter case, no invisible marks, no dots or spaces at its end. */
export function foldPath(path: string): string {
  return foldCase(path).split(sep).map(trimName).join(sep);
}

/** One letter case, one composition of accents, and no invisible marks. */
export function foldCase(path: string): string {
  if (PLAIN.test(path)) return path.toLowerCase();
  return path.normalize("NFC").replace(IGNORED_CHARACTERS, "").toUpperCase().toLowerCase();
}

/** A name without the dots and spaces at its end, unless it consists of nothing else. */
export function trimName(name: string): string {
  return /[. ]$/.test(name) ? name.replace(/(?<![. ])[. ]+$/, "") || name : name;
}

/** Whether a name is printable ASCII: shells, `find` and `foldCase` compare such names in the same way. */
export function isPlainName(name: string): boolean {
  return PLAIN.test(name);
}
