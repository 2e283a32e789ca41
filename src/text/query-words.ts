// The words of a query, and how well words of texts meet them.
import { type WordForm, wordFormsIn } from "./words.js";

/** A word of a query. */
export interface QueryWord extends WordForm {
  /** Longer words that have this as a part meet it too; `null`: none do. */
  readonly part: string | null;
}

/** The worth of a longer word beside the word itself. */
const PART = 0.3;
/** Shorter words are parts of too many others. Unit: characters. */
const MIN_PART_CHARS = 3;

/** Each word of a query that carries meaning, once. */
export function queryWords(query: string): QueryWord[] {
  const byStem = new Map(wordFormsIn(query).map((form) => [form.stem, form]));
  return [...byStem.values()].map((form) => ({ ...form, part: partOf(form) }));
}

/** The beginning of a short word, such as "gat" of "gate", says too little, and a number is not part of a longer one. */
function partOf({ word, stem }: WordForm): string | null {
  const part = stem.length > MIN_PART_CHARS ? stem : word;
  return part.length < MIN_PART_CHARS || /\p{N}/u.test(part) ? null : part;
}

/** The match of a word in its compared form with a word of a query: 1 for the word itself, 0 for another. */
export function closenessOf({ stem, part }: QueryWord, word: string): number {
  if (stem === word) return 1;
  return part !== null && word.includes(part) ? PART : 0;
}
