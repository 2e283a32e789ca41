// Which short documents are about what a query asks. Idea: BM25 over words without endings, where a word of the query also
// meets synonyms, its beginnings, its misspellings and what it is usually said about, for less. No model; linear in the documents.
import { type QueryTerm, queryTerms } from "./query-terms.js";
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
  const read = documents.map((fields) => countWords(fields, bySubject));
  const meanLength = read.reduce((sum, { length }) => sum + length, 0) / Math.max(1, read.length) || 1;
  const holders = new Map<string, number>();
  for (const { counts } of read) for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  const rarityOf = (word: string) => {
    const having = holders.get(word) ?? 0;
    return Math.log(1 + (read.length - having + 0.5) / (having + 0.5));
  };
  const vocabulary = { words: [...holders.keys()].filter((word) => !word.startsWith("~")), bySubject, rarityOf };
  return (query) => {
    const terms = queryTerms(query, vocabulary);
    return read
      .map((document, index) => ({ index, ...scoreOf(document, terms, meanLength) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.index - b.index);
  };
}

interface CountedWords {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

function countWords(fields: readonly RankedField[], bySubject: boolean): CountedWords {
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

function scoreOf({ counts, length }: CountedWords, terms: readonly QueryTerm[], meanLength: number) {
  const norm = 1 - LENGTH_SHARE + LENGTH_SHARE * (length / meanLength);
  const matches: string[] = [];
  let score = 0;
  for (const { word, stem, meets } of terms) {
    const met: { readonly by: string; readonly worth: number }[] = [];
    for (const [by, most] of meets) {
      const count = counts.get(by);
      if (count !== undefined) met.push({ by, worth: (most * count * (SATURATION + 1)) / (count + SATURATION * norm) });
    }
    if (met.length === 0) continue;
    met.sort((a, b) => b.worth - a.worth);
    score += FURTHER_MATCHES.reduce((sum, share, index) => sum + share * (met[index]?.worth ?? 0), 0);
    const { by } = met[0]!;
    matches.push(by === stem ? word : `${word} (${by})`);
  }
  const coverage = matches.length / Math.max(1, terms.length);
  return { score: score * (1 - COVERAGE_SHARE + COVERAGE_SHARE * coverage), matches };
}
