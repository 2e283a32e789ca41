import { type ShellWord, unknownWord } from "../words/shell-word.js";

/** One word that is known only at run time. */
export const DYNAMIC: ShellWord = { ...unknownWord("{}"), splits: false };

/** A word in which a marker will be replaced. */
export function replaceMarker(word: ShellWord, marker: string): ShellWord {
  if (word.value === null) return word;
  const at = word.value.indexOf(marker);
  if (at === -1) return word;
  return { ...DYNAMIC, raw: word.raw, prefix: word.value.slice(0, at), guesses: [word.value.replaceAll(marker, "x")] };
}
