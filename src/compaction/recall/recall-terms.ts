// What a query looks for. Idea: terms are found as parts of the text, so that words are found inside identifiers and
// paths, and scripts without spaces need no dictionary. Short words and numbers count only where they stand alone.

export interface Term {
  /** Finds it; global, so that its occurrences can be walked. */
  readonly pattern: RegExp;
  readonly weight: number;
  /** An entry without it does not match. */
  readonly isRequired: boolean;
}

/** More words than a question has. */
const MAX_TERMS = 32;
const MAX_QUERY_CHARS = 1_000;
/** Shorter words are parts of too many others. */
const MIN_PART_CHARS = 3;
const PHRASE_WEIGHT = 2;
const PART_WEIGHT = 0.4;
const QUOTED = /"([^"]+)"|“([^”]+)”|「([^」]+)」/gu;
/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]+/gu;
/** Where an identifier or a path falls into words. */
const SEAM = /[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
/** Endings of English words that others of the same family lack. */
const ENDING = /(?<=\p{L}{4})(?:ies|es|s|ing|ed)$/u;

/** The terms of a query: phrases in quotes have to be there, all else may be. */
export function termsOf(query: string): Term[] {
  const terms = new Map<string, Term>();
  const add = (text: string, weight: number, isRequired = false) => {
    const key = text.toLowerCase();
    if (key !== "" && !terms.has(key) && terms.size < MAX_TERMS)
      terms.set(key, { pattern: patternOf(key), weight, isRequired });
  };
  const plain = query
    .normalize("NFC")
    .slice(0, MAX_QUERY_CHARS)
    .replace(QUOTED, (_, ...quoted: (string | undefined)[]) => {
      add(quoted.find((each) => each !== undefined)!.trim(), PHRASE_WEIGHT, true);
      return " ";
    });
  for (const word of plain.split(/\s+/)) addWord(word.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, ""), add);
  return [...terms.values()];
}

function addWord(word: string, add: (text: string, weight: number) => void): void {
  const spaced = word.replace(UNSPACED, (run) => {
    const chars = [...run];
    if (chars.length <= 2) add(run, 1);
    for (let i = 0; chars.length > 2 && i + 1 < chars.length; i++) add(chars[i]! + chars[i + 1]!, 1);
    return " ";
  });
  for (const whole of spaced.split(" ")) {
    const parts = whole.split(SEAM).filter(Boolean);
    add(parts.length > 1 ? whole : whole.replace(ENDING, ""), 1);
    if (parts.length < 2) continue;
    for (const part of parts) if (part.length >= MIN_PART_CHARS) add(part.replace(ENDING, ""), PART_WEIGHT);
  }
}

/** Blanks of any kind and number are the same. A number is not found in a longer one. */
function patternOf(text: string): RegExp {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+");
  const isShort = /^[\p{L}\p{N}]{1,2}$/u.test(text) && !new RegExp(UNSPACED.source, "u").test(text);
  const before = isShort ? "(?<![\\p{L}\\p{N}])" : /^\p{N}/u.test(text) ? "(?<!\\p{N})" : "";
  const after = isShort ? "(?![\\p{L}\\p{N}])" : /\p{N}$/u.test(text) ? "(?!\\p{N})" : "";
  return new RegExp(`${before}${escaped}${after}`, "giu");
}
