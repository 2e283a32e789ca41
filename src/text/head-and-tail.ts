import { characterBorder, lastCharacters } from "./cut.js";

/** A long string without its middle: what a report is about comes first, and what came of it last. */
export interface HeadAndTail {
  readonly head: string;
  readonly tail: string;
  /** The length between them. Unit: characters (UTF-16 units), as everywhere in `text/`. */
  readonly omittedChars: number;
}

/** The first `headChars` and the last `tailChars` of a string, or one less of each; neither halves a character. */
export function splitHeadAndTail(text: string, headChars: number, tailChars: number): HeadAndTail {
  const head = text.slice(0, characterBorder(text, headChars));
  const tail = lastCharacters(text.slice(head.length), Math.max(0, tailChars));
  return { head, tail, omittedChars: text.length - head.length - tail.length };
}
