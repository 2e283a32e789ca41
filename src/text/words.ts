// The words of a string, in a form in which forms of one word are equal: lower case, without accents and endings.

/** Scripts that put no spaces between words are taken in pairs of characters. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;
/** Where an identifier or a path falls into words. */
const SEAM =
  /[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}{3})(?=\p{N})|(?<=\p{N})(?=\p{L}{3})/u;
/** Words that say nothing about what a sentence is about. */
const EMPTY = new Set(
  `a all an and any are as at be been but by can could do does each every for from had has have how i if in into is it its me my of on or our
  please since so some than that the their them then there these they this those to us was we were what when where which who will with
  would you your`.split(/\s+/),
);
const MAX_CHARS = 20_000;

/** A word as it stands, in lower case, and the form in which it is compared. */
export interface WordForm {
  readonly word: string;
  readonly stem: string;
}

/** The compared form of every word that carries meaning, in order and with repetitions. Reads at most 20,000 characters. */
export function wordsIn(text: string): string[] {
  return wordFormsIn(text).map(({ stem }) => stem);
}

/** The same with the words themselves. */
export function wordFormsIn(text: string): WordForm[] {
  return allWordFormsIn(text).filter(({ word }) => !EMPTY.has(word));
}

/** Whether a word says nothing about what a sentence is about. */
export function isEmptyWord(word: string): boolean {
  return EMPTY.has(word);
}

/** Also the words that carry no meaning of their own. */
export function allWordFormsIn(text: string): WordForm[] {
  const plain = text.slice(0, MAX_CHARS).normalize("NFKD").replace(/\p{M}/gu, "");
  const words: WordForm[] = [];
  const add = (word: string, stem: string) => words.push({ word, stem });
  const spaced = plain.replace(UNSPACED, (run) => {
    const characters = [...run];
    if (characters.length === 1) add(run, run);
    for (let at = 0; at + 1 < characters.length; at++) {
      const pair = characters[at]! + characters[at + 1]!;
      add(pair, pair);
    }
    return " ";
  });
  for (const piece of spaced.split(SEAM)) {
    const word = piece.toLowerCase();
    if (word !== "") add(word, stemOf(word));
  }
  return words;
}

/** Endings of English words, longest first, and how long the rest has to be for them to go. */
const ENDINGS: readonly (readonly [ending: string, replacement: string, rest: number])[] = [
  ["ations", "", 5],
  ["ation", "", 5],
  ["ments", "", 4],
  ["ment", "", 4],
  ["nesses", "", 4],
  ["ness", "", 4],
  ["ions", "", 4],
  ["ion", "", 4],
  ["ings", "", 3],
  ["ing", "", 3],
  ["ies", "y", 2],
  ["ers", "", 4],
  ["er", "", 4],
  ["ed", "", 3],
  ["ly", "", 4],
  ["es", "", 3],
  ["s", "", 3],
];

/** Forms of words that no ending explains. */
const IRREGULAR: Readonly<Record<string, string>> = Object.fromEntries(
  `sent send; paid pay; wrote write; written write; ran run; made make; bought buy; sold sell; told tell; found find; kept keep; shown show;
  drawn draw; drew draw; spoke speak; spoken speak; took take; taken take; gave give; given give; began begin; begun begin; built build;
  held hold; left leave; lost lose; met meet; read read; said say; saw see; seen see; sold sell; spent spend; stood stand; thought think;
  understood understand; won win; chose choose; chosen choose; broke break; broken break; brought bring; caught catch; came come; did do;
  done do; drove drive; driven drive; ate eat; eaten eat; fell fall; fallen fall; flew fly; flown fly; forgot forget; forgotten forget;
  got get; gotten get; went go; gone go; grew grow; grown grow; hid hide; hidden hide; knew know; known know; lent lend; rode ride;
  ridden ride; rose rise; risen rise; sang sing; sung sing; slept sleep; stole steal; stolen steal; swam swim; taught teach; threw throw;
  thrown throw; woke wake; wore wear; worn wear; heard hear; dealt deal; felt feel; cut cut; people person; men man; women woman;
  children child; mice mouse; feet foot; indices index; vertices vertex; criteria criterion; analyses analysis; lives life; leaves leave`
    .split(";")
    .map((pair) => pair.trim().split(/\s+/) as [string, string]),
);

/** A word without its ending: forms of one English word become equal; other languages mostly stay as they are. */
export function stemOf(word: string): string {
  const regular = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word]! : word;
  return regularStemOf(regular);
}

function regularStemOf(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  for (const [ending, replacement, rest] of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < rest || word.endsWith("ss")) continue;
    return tidy(word.slice(0, -ending.length) + replacement);
  }
  return tidy(word);
}

/** `runn` and `run`, `creat` and `create`, `deploy` and `deploi` are one. */
function tidy(stem: string): string {
  const single = stem.replace(/([bdfgmnprt])\1$/, "$1");
  return single.length > 3 ? single.replace(/e$/, "").replace(/y$/, "i") : single;
}
