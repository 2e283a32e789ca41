// The documents that a query is about. Idea: BM25 over words without endings; a word also meets the longer words that
// it is a part of, for less. No model, no word lists; documents are read once.
import { closenessOf, type QueryWord, queryWords } from "./query-words.js";
import { runsIn, wordFormsOf } from "./words.js";

/** One part of a document and how much a word in it counts. */
export interface RankedField {
  readonly text: string;
  /** Default: 1. */
  readonly weight?: number | undefined;
}

export interface WordMatch {
  /** Position of the document in the order in which documents were added. */
  readonly index: number;
  /** Above 0; comparable within one query only. */
  readonly score: number;
  /** Words of the query that were met; in brackets the longer word that has it as a part: `port (datenbankport)`. */
  readonly matches: readonly string[];
}

/** BM25's constants: how soon repeating a word stops to count, and how much length counts; less than usual, since texts are short. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.4;
/** Words are remembered for so much text, so that large ones are not held. Unit: UTF-16 code units. */
const REMEMBERED_CHARS = 1_000_000;
const NOT_ASCII = /[^\0-\x7f]/;

/** A document with a word, and how much the word counts in it. */
interface Holder {
  readonly index: number;
  count: number;
}

/** The documents that share a word with one query, best first; equal scores keep their order. */
export function rankDocuments(query: string, documents: readonly (readonly RankedField[])[]): WordMatch[] {
  const index = new WordIndex({ only: query });
  for (const fields of documents) index.add(fields);
  return index.rank(query);
}

/** Documents by their words. */
export class WordIndex {
  readonly #only: readonly QueryWord[] | undefined;
  /** Unit: UTF-16 code units. */
  readonly #lengths: number[] = [];
  #totalLength = 0;
  readonly #holders = new Map<string, Holder[]>();
  readonly #read = new Map<string, readonly string[]>();
  #readChars = 0;

  /** With `only`, nothing is kept but what answers this query: a few numbers for each document, however long it is. */
  constructor({ only }: { readonly only?: string | undefined } = {}) {
    this.#only = only === undefined ? undefined : queryWords(only);
  }

  add(fields: readonly RankedField[]): void {
    const index = this.#lengths.length;
    let length = 0;
    for (const { text, weight = 1 } of fields) {
      for (const { run } of runsIn(text)) {
        for (const word of this.#wordsOf(run)) this.#count(word, index, weight);
      }
      length += text.length;
      this.#readChars += text.length;
      if (this.#readChars > REMEMBERED_CHARS) this.#forget();
    }
    this.#lengths.push(length);
    this.#totalLength += length;
  }

  /** The documents that share a word with the query, best first; equal scores keep the documents' order. */
  rank(query: string): WordMatch[] {
    this.#forget();
    const found = new Map<number, { score: number; readonly matches: string[] }>();
    for (const asked of queryWords(query)) {
      for (const [index, { worth, by }] of this.#metBy(asked)) {
        const document = found.get(index) ?? { score: 0, matches: [] };
        document.score += worth;
        document.matches.push(by === asked.stem ? asked.word : `${asked.word} (${by})`);
        found.set(index, document);
      }
    }
    return [...found]
      .map(([index, match]) => ({ index, ...match }))
      .sort((a, b) => b.score - a.score || a.index - b.index);
  }

  /** The weight of a word in its compared form: the rarer the more. */
  rarityOf(stem: string): number {
    const having = this.#holders.get(stem)?.length ?? 0;
    return Math.log(1 + (this.#lengths.length - having + 0.5) / (having + 0.5));
  }

  /** By document, the word in it that meets a word of the query best. */
  #metBy(asked: QueryWord): ReadonlyMap<number, { readonly worth: number; readonly by: string }> {
    const best = new Map<number, { readonly worth: number; readonly by: string }>();
    const meanLength = this.#totalLength / this.#lengths.length || 1;
    for (const [by, holders] of this.#holders) {
      const closeness = closenessOf(asked, by);
      if (closeness === 0) continue;
      const most = closeness * this.rarityOf(by) * (SATURATION + 1);
      for (const { index, count } of holders) {
        const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * this.#lengths[index]!) / meanLength);
        const worth = (most * count) / (count + norm);
        if (worth > (best.get(index)?.worth ?? 0)) best.set(index, { worth, by });
      }
    }
    return best;
  }

  #count(word: string, index: number, weight: number): void {
    const holders = this.#holders.get(word);
    const last = holders?.at(-1);
    if (last?.index === index) last.count += weight;
    else if (holders) holders.push({ index, count: weight });
    else this.#holders.set(word, [{ index, count: weight }]);
  }

  /** The words of a stretch that are kept, in their compared form. */
  #wordsOf(run: string): readonly string[] {
    const known = this.#read.get(run);
    if (known) return known;
    const words = this.#mayMatter(run) ? wordFormsOf(run).map(({ stem }) => stem) : [];
    const kept = words.filter((word) => this.#only?.some((asked) => closenessOf(asked, word) > 0) ?? true);
    this.#read.set(run, kept);
    return kept;
  }

  /** Most stretches of a long text need no closer look: a word that is met is in them, but for its last letter. */
  #mayMatter(run: string): boolean {
    if (!this.#only || NOT_ASCII.test(run)) return true;
    const lower = run.toLowerCase();
    return this.#only.some(({ stem }) => lower.includes(stem.slice(0, -1)));
  }

  #forget(): void {
    this.#read.clear();
    this.#readChars = 0;
  }
}
