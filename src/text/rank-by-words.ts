// Which short documents are about what a query asks. Idea: BM25 over words without endings, where a word of the query also
// meets synonyms, its beginnings, its misspellings and what it is usually said about, for less. No model; a query costs what
// the documents that have its words cost.
import { queryTerms } from "./query-terms.js";
import { subjectsOf } from "./subjects.js";
import { wordsIn } from "./words.js";

/** One part of a document and how much a word in it counts. */
export interface RankedField {
  readonly text: string;
  /** Default: 1. */
  readonly weight?: number | undefined;
}

export interface WordMatch {
  /** Position of the document in what was passed. */
  readonly index: number;
  /** Above 0; comparable within one query only. */
  readonly score: number;
  /** Words of the query that were met, with what met them where that is another word: `delete (remove)`. */
  readonly matches: readonly string[];
}

/** BM25's usual constants: how soon repeating a word stops to count, and how much length counts. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.4;
/** What the second and the third best word of a document that meet one term count beside the best. */
const FURTHER_MATCHES = [1, 0.5, 0.25];
/** How much of a score depends on how many of the query's words are met: one word met many times is not what was asked. */
const COVERAGE_SHARE = 0.3;

/** The documents that share a word with the query, best first; equal scores keep their order. */
export function rankByWords(query: string, documents: readonly (readonly RankedField[])[]): WordMatch[] {
  return indexWords(documents)(query);
}

/**
 * The same for many queries: the documents are read once. `bySubject`: words also meet others of their subject, which finds more
 * and means less; for many documents of many subjects.
 */
export function indexWords(
  documents: readonly (readonly RankedField[])[],
  { bySubject = false }: { readonly bySubject?: boolean | undefined } = {},
): (query: string) => WordMatch[] {
  const lengths: number[] = [];
  const holders = new Map<string, Holder[]>();
  for (const [index, fields] of documents.entries()) {
    const { counts, length } = countWords(fields, bySubject);
    lengths.push(length);
    for (const [word, count] of counts) {
      const having = holders.get(word);
      if (having) having.push({ index, count });
      else holders.set(word, [{ index, count }]);
    }
  }
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  const norms = lengths.map((length) => SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * (length / meanLength)));
  const rarityOf = (word: string) => {
    const having = holders.get(word)?.length ?? 0;
    return Math.log(1 + (lengths.length - having + 0.5) / (having + 0.5));
  };
  const words = new Set([...holders.keys()].filter((word) => !word.startsWith("~")));
  const vocabulary = { words, bySubject, rarityOf };
  return (query) => {
    const terms = queryTerms(query, vocabulary);
    const found = new Map<number, { score: number; readonly matches: string[] }>();
    for (const { word, stem, meets } of terms) {
      for (const [index, met] of metBy(meets, holders, norms)) {
        met.sort((a, b) => b.worth - a.worth);
        const worth = FURTHER_MATCHES.reduce((sum, share, place) => sum + share * (met[place]?.worth ?? 0), 0);
        const { by } = met[0]!;
        const document = found.get(index) ?? { score: 0, matches: [] };
        document.score += worth;
        document.matches.push(by === stem ? word : `${word} (${by})`);
        found.set(index, document);
      }
    }
    const matched = [...found].map(([index, { score, matches }]) => {
      const coverage = matches.length / Math.max(1, terms.length);
      return { index, score: score * (1 - COVERAGE_SHARE + COVERAGE_SHARE * coverage), matches };
    });
    return matched.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.index - b.index);
  };
}

/** A document with a word, and how much the word counts in it. */
interface Holder {
  readonly index: number;
  readonly count: number;
}

interface Met {
  readonly by: string;
  readonly worth: number;
}

/** By document, the words in it that meet one term. */
function metBy(
  meets: ReadonlyMap<string, number>,
  holders: ReadonlyMap<string, readonly Holder[]>,
  norms: readonly number[],
): ReadonlyMap<number, Met[]> {
  const found = new Map<number, Met[]>();
  for (const [by, most] of meets) {
    for (const { index, count } of holders.get(by) ?? []) {
      const one = { by, worth: (most * count * (SATURATION + 1)) / (count + norms[index]!) };
      const met = found.get(index);
      if (met) met.push(one);
      else found.set(index, [one]);
    }
  }
  return found;
}

function countWords(fields: readonly RankedField[], bySubject: boolean) {
  const counts = new Map<string, number>();
  let length = 0;
  for (const { text, weight = 1 } of fields) {
    for (const word of wordsIn(text)) {
      counts.set(word, (counts.get(word) ?? 0) + weight);
      length++;
      if (!bySubject) continue;
      for (const subject of subjectsOf(word)) counts.set(subject, Math.max(counts.get(subject) ?? 0, weight));
    }
  }
  return { counts, length };
}
