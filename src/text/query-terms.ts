// What a query asks for: each of its words and phrases, with every word of the documents that meets it and how well.
import { MAX_PHRASE_WORDS, wordsAssociatedWith } from "./associations.js";
import { subjectsOf } from "./subjects.js";
import { isSynonym } from "./synonyms.js";
import { allWordFormsIn, isEmptyWord, stemOf, type WordForm, wordsIn } from "./words.js";

/** A word or phrase of the query. */
export interface QueryTerm {
  /** As it was written. */
  readonly word: string;
  readonly stem: string;
  /** Words of the documents, each with what meeting it is worth. */
  readonly meets: ReadonlyMap<string, number>;
}

/** What is known of the documents. */
export interface Vocabulary {
  /** Whether the documents' subjects are known. */
  readonly bySubject: boolean;
  readonly words: readonly string[];
  /** How much a word says: the rarer the more. */
  rarityOf(word: string): number;
}

const SAME_MEANING = 0.6;
const SAME_BEGINNING = 0.3;
const MISSPELT = 0.4;
/** Its subject is the same. */
const SUBJECT = 1.3;
/** How much less each of several subjects of a word counts: their number to this power. */
const AMBIGUITY = 0.5;
const ASSOCIATED = 0.65;
const ASSOCIATED_PHRASE = 0.8;
const ASSOCIATED_APART = 0.45;
/** A word that is part of a phrase says less by itself: "money back" is not about going back. */
const IN_PHRASE = 0.5;
/** Words between the two of a phrase: "turn the light off". */
const MAX_WORDS_BETWEEN = 3;
/** Verbs that go with everything, and names of days and months, which are also names of other things. */
const LIGHT = 0.35;
/** Of a phrase of empty words, and of one with a light verb. */
const EMPTY_PHRASE = 0.4;
const LIGHT_PHRASE = 0.7;
const LIGHT_WORDS = new Set(
  wordsIn(
    `make get give put take tell look go keep turn run show start find see know set use call check let do have work add bring hold move change
    open monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
    november december`,
  ),
);

/** The terms of a query that some document can meet. */
export function queryTerms(query: string, vocabulary: Vocabulary): QueryTerm[] {
  const forms = allWordFormsIn(query);
  const inPhrase = new Set<number>();
  const terms = [
    ...shapesIn(query, vocabulary),
    ...phrasesIn(forms, vocabulary, inPhrase),
    ...phrasesApartIn(forms, vocabulary),
    ...compoundsIn(forms, vocabulary),
  ];
  const known = new Set<string>();
  for (const [index, form] of forms.entries()) {
    if (isEmptyWord(form.word) || known.has(form.stem)) continue;
    known.add(form.stem);
    terms.push(termOf(form, vocabulary, inPhrase.has(index) ? IN_PHRASE : 1));
  }
  return terms.filter(({ meets }) => meets.size > 0);
}

/** What is recognised by its shape, and the words in which it is spoken about. */
const SHAPES: readonly (readonly [shape: RegExp, about: string])[] = [
  [/\b[A-Z][A-Z0-9]+-\d+\b/, "issue ticket jira"],
  [/(?:^|\s)#\d+\b/, "issue ticket order pull request"],
  [/\bhttps?:|\bwww\./i, "url web page"],
  [/(?:^|[\s(])[a-z\d][\w-]*(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|ai|co|edu|gov|de|uk)\b/i, "url web page site"],
  [/\S@\S+\.\w/, "email mail address"],
  [/\b(?:ctrl|cmd|alt|shift) ?\+/i, "press key keyboard"],
  [/(?:\d{1,3}\.){3}\d{1,3}/, "ip address host"],
  [/\+\d{2}[\d ]{2,}/, "phone number"],
  [/\b[A-Z]{1,2}\d{1,2}\b(?!\d)/, "cell range spreadsheet"],
  [/\b[A-Z]{2} ?\d{3,4}\b/, "flight"],
  [/\b\d{1,2}(?::\d\d ?(?:[ap]m)?| ?[ap]m)\b/i, "time event"],
  [/[$€£]\d|\d ?[$€£]/, "price amount payment"],
  [
    /\b[\w-]+\.(?:md|txt|ini|json|ya?ml|toml|csv|xlsx?|docx?|pptx?|pdf|zip|log|png|jpe?g|svg|mp[34]|[jt]sx?|py|go|rs|java|rb|php|html|css|sql)\b/i,
    "file",
  ],
];

function shapesIn(query: string, { rarityOf }: Vocabulary): QueryTerm[] {
  return SHAPES.flatMap(([shape, about]) => {
    const word = shape.exec(query)?.[0].trim();
    if (word === undefined) return [];
    return [
      { word, stem: word, meets: new Map(wordsIn(about).map((other) => [other, ASSOCIATED_APART * rarityOf(other)])) },
    ];
  });
}

/** Two words that the documents write as one: "new relic". */
function compoundsIn(forms: readonly WordForm[], { words, rarityOf }: Vocabulary): QueryTerm[] {
  return forms.slice(1).flatMap(({ word }, index) => {
    // "who is" is not the tool whois.
    if (isEmptyWord(word) && isEmptyWord(forms[index]!.word)) return [];
    const joined = forms[index]!.word + word;
    const stem = stemOf(joined);
    return words.includes(stem) ? [{ word: joined, stem, meets: new Map([[stem, rarityOf(stem)]]) }] : [];
  });
}

function phrasesIn(forms: readonly WordForm[], vocabulary: Vocabulary, inPhrase: Set<number>): QueryTerm[] {
  const terms: QueryTerm[] = [];
  for (let from = 0; from < forms.length; from++) {
    for (let to = from + 2; to <= Math.min(forms.length, from + MAX_PHRASE_WORDS); to++) {
      const term = phraseOf(forms.slice(from, to), ASSOCIATED_PHRASE, vocabulary);
      if (!term) continue;
      terms.push(term);
      for (let index = from; index < to; index++) inPhrase.add(index);
    }
  }
  return terms;
}

function phrasesApartIn(forms: readonly WordForm[], vocabulary: Vocabulary): QueryTerm[] {
  return forms.flatMap((first, from) =>
    forms
      .slice(from + 2, from + 2 + MAX_WORDS_BETWEEN)
      .flatMap((second) => phraseOf([first, second], ASSOCIATED_APART, vocabulary) ?? []),
  );
}

function phraseOf(forms: readonly WordForm[], worth: number, { rarityOf }: Vocabulary): QueryTerm | undefined {
  const stems = forms.map(({ stem }) => stem);
  const words = wordsAssociatedWith(stems);
  if (!words) return undefined;
  // "Who is" says less than "turn off", and that less than "money back".
  const said = Math.max(
    ...forms.map(({ word, stem }) => (isEmptyWord(word) ? EMPTY_PHRASE : LIGHT_WORDS.has(stem) ? LIGHT_PHRASE : 1)),
  );
  const meets = new Map(words.map((word) => [word, said * worth * rarityOf(word)]));
  return { word: forms.map(({ word }) => word).join(" "), stem: stems.join(" "), meets };
}

function termOf({ word, stem }: WordForm, { words, bySubject, rarityOf }: Vocabulary, share: number): QueryTerm {
  const factor = share * (LIGHT_WORDS.has(stem) ? LIGHT : 1);
  const meets = new Map<string, number>();
  const associated = wordsAssociatedWith([stem]);
  // What is a word is not a slip of the pen: "election" is no "selection".
  const isKnown = associated !== undefined || words.includes(stem);
  const subjects = bySubject ? subjectsOf(stem) : [];
  for (const subject of subjects)
    meets.set(subject, (SUBJECT * rarityOf(subject) * factor) / subjects.length ** AMBIGUITY);
  for (const other of associated ?? []) meets.set(other, ASSOCIATED * rarityOf(other) * factor);
  for (const other of words) {
    const closeness = closenessOf(stem, other);
    if (closeness === 0 || (isKnown && closeness === MISSPELT)) continue;
    meets.set(other, Math.max(closeness * rarityOf(other) * factor, meets.get(other) ?? 0));
  }
  return { word, stem, meets };
}

function closenessOf(word: string, other: string): number {
  if (word === other) return 1;
  if (isSynonym(word, other)) return SAME_MEANING;
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  if (short.length >= 4 && long.startsWith(short)) return SAME_BEGINNING;
  return short.length >= 5 && isOneSlipApart(short, long) ? MISSPELT : 0;
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
