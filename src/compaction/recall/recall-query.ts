// The terms of a query. Idea: text in quotes has to be there; of all its words, the more are there the better.
import { wordsIn } from "../../text/words.js";

export interface RecallQuery {
  /** All of it, without the quotes. */
  readonly words: string;
  /** Each finds what was quoted; an entry without one of them does not match. */
  readonly quoted: readonly RegExp[];
}

/** More than a question has. */
const MAX_QUERY_CHARS = 1_000;
const QUOTED = /"([^"]+)"|“([^”]+)”|「([^」]+)」/gu;

/** `null` for a query that has nothing to look for. */
export function readQuery(query: string): RecallQuery | null {
  const quoted: RegExp[] = [];
  const words = query
    .normalize("NFC")
    .slice(0, MAX_QUERY_CHARS)
    .replace(QUOTED, (_, ...found: (string | undefined)[]) => {
      const phrase = found.find((each) => each !== undefined)!.trim();
      if (phrase !== "") quoted.push(patternOf(phrase));
      return ` ${phrase} `;
    });
  return quoted.length > 0 || wordsIn(words).length > 0 ? { words, quoted } : null;
}

/** White space of any kind and length is the same, and so are capital and small letters. A number is not found in a longer one. */
function patternOf(phrase: string): RegExp {
  const escaped = phrase.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+");
  const before = /^\p{N}/u.test(phrase) ? "(?<!\\p{N})" : "";
  const after = /\p{N}$/u.test(phrase) ? "(?!\\p{N})" : "";
  return new RegExp(before + escaped + after, "iu");
}
