// Which short documents are about what a query asks. Idea: BM25 over words without endings, where a word of the query also
// meets words of the same meaning, its beginnings and its misspellings, for less. No model, no index to keep; linear in
// the documents.
import { ASSOCIATIONS } from "./associations.js";
import { allWordFormsIn, isEmptyWord, wordsIn } from "./words.js";

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
const LENGTH_SHARE = 0.6;
const SAME_MEANING = 0.6;
const SAME_BEGINNING = 0.45;
const MISSPELT = 0.4;

/** The documents that share a word with the query, best first; equal scores keep their order. */
export function rankByWords(query: string, documents: readonly (readonly RankedField[])[]): WordMatch[] {
  return indexWords(documents)(query);
}

/** The same for many queries: the documents are read once. */
export function indexWords(documents: readonly (readonly RankedField[])[]): (query: string) => WordMatch[] {
  const read = documents.map(countWords);
  const meanLength = read.reduce((sum, { length }) => sum + length, 0) / Math.max(1, read.length) || 1;
  const holders = new Map<string, number>();
  for (const { counts } of read) for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  const rarityOf = (word: string) => {
    const n = holders.get(word) ?? 0;
    return Math.log(1 + (read.length - n + 0.5) / (n + 0.5));
  };
  const vocabulary = [...holders.keys()];
  const rarityOfUnion = (words: readonly string[]) => {
    let n = 0;
    for (const { counts } of read) if (words.some((w) => counts.has(w))) n++;
    return Math.log(1 + (read.length - n + 0.5) / (n + 0.5));
  };
  return (query) => {
    const terms = termsOf(query, vocabulary, rarityOf, rarityOfUnion);
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

function countWords(fields: readonly RankedField[]): CountedWords {
  const counts = new Map<string, number>();
  let length = 0;
  for (const { text, weight = 1 } of fields) {
    for (const word of wordsIn(text)) {
      counts.set(word, (counts.get(word) ?? 0) + weight);
      length++;
    }
  }
  return { counts, length };
}

/** A word of the query: every word of the documents that meets it, and how well. */
interface Term {
  readonly isLight: boolean;
  readonly mass: number;
  readonly word: string;
  readonly stem: string;
  readonly meets: Map<string, number>;
}

export const P = { assoc: 0.5, phrase: 0.8, second: 0.5, third: 0.25, inPhrase: 0.5, synonym: 0.6 , union: 0, light: 1, server: 1, name: 3, param: 0.4, len: 0.6, slip: 0.4, begin: 0.45, coord: 0, gate: 0, brand: 0.5, gap: 0.45, nameOnce: 0 };
for (const [k, v] of Object.entries(process.env)) if (k.startsWith("P_")) (P as any)[k.slice(2)] = Number(v);

function termsOf(query: string, vocabulary: readonly string[], rarityOf: (word: string) => number, rarityOfUnion: (w: readonly string[]) => number): Term[] {
  const forms = allWordFormsIn(query);
  const stems = forms.map(({ stem }) => stem);
  const terms = new Map<string, Term>();
  const factor = new Array(forms.length).fill(1);
  for (let size = LONGEST; size >= 2; size--) for (let at = 0; at + size <= stems.length; at++) {
    const key = stems.slice(at, at + size).join(" ");
    const targets = TARGETS.get(key);
    if (!targets) continue;
    for (let i = at; i < at + size; i++) factor[i] = P.inPhrase;
    const word = forms.slice(at, at + size).map((f) => f.word).join(" ");
    terms.set(key, { isLight: false, mass: 3, word, stem: key, meets: new Map(targets.map((t) => [t, P.phrase * rarityOf(t)])) });
  }
  // The parts of a phrase may stand apart: "turn the light off".
  for (let at = 0; at < stems.length; at++) for (let to = at + 2; to <= at + 4 && to < stems.length; to++) {
    const key = `${stems[at]} ${stems[to]}`;
    const targets = TARGETS.get(key);
    if (!targets || terms.has(key)) continue;
    terms.set(key, { isLight: false, mass: 3, word: key, stem: key, meets: new Map(targets.map((t) => [t, P.gap * rarityOf(t)])) });
  }
  for (const [index, { word, stem }] of forms.entries()) {
    if (isEmptyWord(word) || terms.has(stem)) continue;
    const meets = new Map<string, number>();
    const near = vocabulary.map((other) => [other, closenessOf(stem, other)] as const).filter(([, c]) => c > 0);
    const union = rarityOfUnion(near.map(([o]) => o));
    for (const [other, c] of near) meets.set(other, c * (P.union ? Math.min(rarityOf(other), c === 1 ? 99 : union * P.union) : rarityOf(other)));
    for (const t of TARGETS.get(stem) ?? []) { const v = P.assoc * rarityOf(t); if (v > (meets.get(t) ?? 0)) meets.set(t, v); }
    const f = factor[index] * (LIGHT.has(stem) ? P.light : 1);
    if (f !== 1) for (const [k, v] of meets) meets.set(k, v * f);
    if (meets.size > 0) terms.set(stem, { isLight: LIGHT.has(stem), mass: Math.max(...meets.values()), word, stem, meets });
  }
  return [...terms.values()];
}

function scoreOf({ counts, length }: CountedWords, terms: readonly Term[], meanLength: number) {
  const norm = 1 - P.len + P.len * (length / meanLength);
  const matches: string[] = [];
  let score = 0; let heavy = 0; let mass = 0; let met = 0;
  for (const { word, stem, meets, isLight, mass: own } of terms) {
    if (!isLight) mass += own;
    let best = 0; let second = 0; let third = 0;
    let by = "";
    for (const [other, closeness] of meets) {
      const count = counts.get(other);
      if (count === undefined) continue;
      const worth = (closeness * count * (SATURATION + 1)) / (count + SATURATION * norm);
      if (worth > best) { third = second; second = best; [best, by] = [worth, other]; }
      else if (worth > second) { third = second; second = worth; }
      else if (worth > third) third = worth;
    }
    if (best === 0) continue;
    const worth = best + P.second * second + P.third * third;
    score += worth;
    if (!isLight) { heavy += worth; met += Math.min(own, best / (SATURATION + 1) * 1.5); }
    matches.push(by === stem ? word : `${word} (${by})`);
  }
  const light = score - heavy;
  const total = heavy + light * (P.gate && mass > 0 ? Math.min(1, heavy * P.gate / mass) : 1);
  return { score: total * (P.coord && mass > 0 ? 1 - P.coord + P.coord * met / mass : 1), matches };
}

const LIGHT = new Set(wordsIn("make get give put take tell look go keep turn run show start find see know set use call check let do have work add bring hold move change open"));
const TARGETS: ReadonlyMap<string, readonly string[]> = (() => {
  const map = new Map<string, string[]>();
  for (const line of ASSOCIATIONS.trim().split("\n")) {
    if (line === "") continue;
    const [targets, triggers] = line.split(": ");
    const to = wordsIn(targets!);
    for (const trigger of triggers!.split(",")) {
      const key = allWordFormsIn(trigger).map(({ stem }) => stem).join(" ");
      map.set(key, [...(map.get(key) ?? []), ...to]);
    }
  }
  return map;
})();
const LONGEST = Math.max(...[...TARGETS.keys()].map((k) => k.split(" ").length));

function closenessOf(word: string, other: string): number {
  if (word === other) return 1;
  if (meaningsOf(word).some((meaning) => meaningsOf(other).includes(meaning))) return P.synonym;
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  if (short.length >= 4 && long.startsWith(short)) return P.begin;
  return short.length >= 5 && isOneSlipApart(short, long) ? P.slip : 0;
}

/** Whether one letter put in, left out, exchanged or swapped with its neighbour makes them equal. */
function isOneSlipApart(short: string, long: string): boolean {
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}

/** Words that mean nearly the same to those who give tools, notes and files their names. One group a line. */
const GROUPS = `
delete remove erase drop destroy discard trash unlink purge clear forget
create make add new insert compose draft
find search look lookup query locate discover seek
list show enumerate display view browse print
read get fetch load retrieve obtain download
write save store put persist upload
update change modify edit alter patch amend adjust set
rename move relocate
send post deliver notify share forward
mail email inbox message
run execute launch invoke perform call
start begin open launch
stop end kill cancel abort halt terminate close
file document doc attachment
directory folder dir
repository repo codebase
issue ticket bug problem defect
task todo chore assignment
pull merge
database db sql table postgres sqlite mysql
config configuration configure setting preference option
password secret credential passphrase
login auth authentication authenticate signin
person user people member contact
customer client buyer
colleague employee staff teammate team
image picture photo screenshot png graphic
meeting appointment event calendar
schedule plan reserve book booking
money payment pay charge
invoice bill receipt
price cost fee
refund reimburse
weather forecast temperature rain
web website site url link browser
page webpage
chat channel conversation thread slack
summary summarize digest overview abstract
map route direction navigate
place location address
deploy release publish ship rollout
test check verify validate
error failure crash exception fault
log trace audit
history past earlier
copy duplicate clone
compare diff difference
convert transform export
shell command terminal bash
note remember memory fact memo
time date day clock hour
video clip movie film
audio sound music song
translate translation language
code source program
function method routine
package dependency library module
branch fork
comment reply remark annotation
label tag category
count number total amount
chart graph plot diagram
buy purchase order
ship shipment parcel delivery
stock share ticker
travel trip flight hotel
car vehicle
answer response reply
question ask
permission access grant allow
block deny forbid refuse
watch monitor observe track
alert alarm warning
backup snapshot archive
restore recover undo revert
size large big
fast quick speed performance
key token`;

const MEANINGS: ReadonlyMap<string, readonly number[]> = (() => {
  const meanings = new Map<string, number[]>();
  for (const [index, group] of GROUPS.trim().split("\n").entries()) {
    for (const word of wordsIn(group)) meanings.set(word, [...(meanings.get(word) ?? []), index]);
  }
  return meanings;
})();
const NO_MEANINGS: readonly number[] = [];

function meaningsOf(word: string): readonly number[] {
  return MEANINGS.get(word) ?? NO_MEANINGS;
}
