// The words of a string, in a form in which forms of one word are equal: lower case, without accents and endings.

/** Scripts that put no spaces between words, or put endings to them without a space, are taken in pairs of characters. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]+/gu;
const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** The places where an identifier falls into words. */
const SEAM =
  /[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}{3})(?=\p{N})|(?<=\p{N})(?=\p{L}{3})/u;
/** Words that say nothing about what a sentence is about. */
const EMPTY = new Set(
  `a all an and any are as at be been but by can could do does each every for from had has have how i if in into is it its me my of on or our
  please since so some than that the their them then there these they this those to us was we were what when where which who will with
  would you your`.split(/\s+/),
);

/** A stretch of letters and digits and where it begins. Unit: UTF-16 code units. */
export interface WordRun {
  readonly run: string;
  readonly at: number;
}

/** The stretches of letters and digits in a text of any length, in order; `wordFormsOf` gives the words of one. */
export function* runsIn(text: string): Generator<WordRun> {
  for (const { 0: run, index } of text.matchAll(RUN)) yield { run, at: index };
}

/** A word as it was written, in lower case, and the form in which it is compared. */
export interface WordForm {
  readonly word: string;
  readonly stem: string;
}

/** The compared form of every word that carries meaning, in order and with repetitions. */
export function wordsIn(text: string): string[] {
  return wordFormsIn(text).map(({ stem }) => stem);
}

/** The same with the words themselves. */
export function wordFormsIn(text: string): WordForm[] {
  return [...runsIn(text)].flatMap(({ run }) => wordFormsOf(run));
}

/** The words of one stretch of letters and digits, such as an identifier. */
export function wordFormsOf(run: string): WordForm[] {
  const plain = run.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC");
  const forms: WordForm[] = [];
  const spaced = plain.replace(UNSPACED, (unspaced) => {
    const characters = [...unspaced];
    const pairs = characters.slice(1).map((character, at) => characters[at]! + character);
    for (const pair of pairs.length > 0 ? pairs : characters) forms.push({ word: pair, stem: pair });
    return " ";
  });
  for (const whole of spaced.split(" ")) {
    const pieces = whole.split(SEAM);
    // A name written "ConfigMap" here is "configmap" elsewhere.
    for (const piece of pieces.length > 1 ? [whole, ...pieces] : pieces) {
      const word = piece.toLowerCase();
      if (word !== "" && !EMPTY.has(word)) forms.push({ word, stem: stemOf(word) });
    }
  }
  return forms;
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

/** A word without its ending: forms of one English word become equal; other languages mostly stay as they are. */
export function stemOf(word: string): string {
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
