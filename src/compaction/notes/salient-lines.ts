// The lines of a string that are worth keeping when there is room for few. Idea: what cannot be found out again or guessed
// (decisions, wishes, problems, names, numbers) is marked by words and shapes that any session uses, or it is unlike the
// lines around it, or said in words that hardly occur elsewhere.
import { firstCharacters, sliceCharacters, wholeCharacters } from "../../text/cut.js";
import { isPageFurniture } from "./summary-message.js";

/** Names and numbers nobody can guess. */
const IDENTIFIERS = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i,
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/,
  /\b[A-Z][A-Z0-9]{1,9}-\d+\b/,
  /https?:\/\/\S+/,
  /(?:^|[\s"'`(])(?:\.{0,2}\/)?[\w.@-]+\/[\w./@-]+/,
  /\b[\w-]+\.(?:ts|tsx|js|jsx|mjs|py|go|rs|java|rb|c|h|cpp|cs|sql|sh|json|ya?ml|toml|md|html|css|env|lock)\b/,
  /`[^`]{2,80}`/,
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/,
  /\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b[a-z0-9]+(?:_[a-z0-9]+)+\b/,
  /\bv?\d+\.\d+(?:\.\d+)+\b/,
  /\b[\w.-]+@[\w-]+\.[\w.]+\b/,
  /(?:\bport\b|:)\s?\d{2,5}\b/i,
  /\b[\w.-]+\s?=\s?\S+/,
  /#\d{2,}\b/,
];
/** Every one of them holds one of these. */
const MAY_NAME = /[\d/._`=#A-Z]/;
/** A number of more than one digit, a time, an amount. */
const NUMBER = /\d[\d.,:]*\d/;
/** Capitals where no sentence begins. */
const NAME = /[\p{Ll}\d,;:] \p{Lu}[\p{L}\d]/u;
/** Lines of source code are full of such words and shapes, and can be read again. */
const CODE =
  /^(?:\d+[\t:|])|[;{}([,]$|=>|===|!==|&&|\|\||\?\.|^\s*(?:import|export|const|let|var|function|return|if|for|while|class|def|func|fn|pub|public|private|async|await|@\w+|\/\/|\/\*|\*)\b|^\s*(?:\/\/|\/?\*)/;
/** JSON ends its lines as code does, and is not code. */
const DATA = /^\s*[[{]*\s*"[^"]*"\s*:/;

/** The most that rare words of a line add. */
const MAX_RARITY = 3;

/** A line that is weighed as often as a compaction needs it, and examined once. */
export class Line {
  #own: number | undefined;
  #isCode: boolean | undefined;
  #words: readonly string[] | undefined;
  #shape: string | undefined;
  #isFurniture: boolean | undefined;

  constructor(readonly text: string) {}

  /** Distinct words, in lower case. */
  get words(): readonly string[] {
    this.#words ??= wordsOf(this.text);
    return this.#words;
  }

  /** The beginning of the line, numbers aside. */
  get shape(): string {
    this.#shape ??= this.text.slice(0, 60).replace(/\d+/g, "0").slice(0, 20);
    return this.#shape;
  }

  get isPageFurniture(): boolean {
    this.#isFurniture ??= isPageFurniture(this.text);
    return this.#isFurniture;
  }

  /** The surprise in it: 0 for what can be guessed. `frequency`: of the words of its session. */
  weightIn(frequency: WordFrequency | undefined): number {
    this.#own ??= this.#ownWeight();
    if (this.#isCode || !frequency) return this.#own;
    return this.#own + Math.min(frequency.rareAmong(this.words) / 2, MAX_RARITY);
  }

  #ownWeight(): number {
    const line = this.text;
    let names = 0;
    if (MAY_NAME.test(line)) for (const shape of IDENTIFIERS) if (shape.test(line)) names++;
    const weight = Math.min(names, 3) * 2;
    this.#isCode = CODE.test(line) && !DATA.test(line);
    if (this.#isCode) return weight / 3;
    return (
      weight +
      (DECISION(line) ? 4 : 0) +
      (PROBLEM(line) ? 3 : 0) +
      (NUMBER.test(line) ? 2 : 0) +
      (NAME.test(line) ? 1 : 0)
    );
  }
}

/** A line longer than this is read sentence by sentence. Unit: characters. */
const LONG_LINE = 240;
/** Lines examined in one string: its head and its tail, where there are more. */
const MAX_LINES = 2_000;

/** Lines and, of long lines, sentences; without surrounding whitespace, each once. */
export function linesOf(text: string): string[] {
  let lines = wholeCharacters(text).split("\n");
  if (lines.length > MAX_LINES) lines = [...lines.slice(0, MAX_LINES / 2), ...lines.slice(-MAX_LINES / 2)];
  const pieces = new Set<string>();
  for (const line of new Set(lines)) {
    const trimmed = line.trim();
    if (trimmed.length > LONG_LINE) for (const piece of sentencesOf(trimmed)) pieces.add(piece);
    else if (trimmed !== "") pieces.add(trimmed);
  }
  return [...pieces];
}

function sentencesOf(line: string): string[] {
  const sentences = firstCharacters(line, 100 * LONG_LINE).match(/[^.!?。!?]+[.!?。!?]*(?:\s|$)?|.+/g);
  return sentences?.flatMap(inPieces) ?? [];
}

/** Cut where something ends, if that is near, and never within a character. */
function inPieces(sentence: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < sentence.length; ) {
    const isLast = at + LONG_LINE >= sentence.length;
    const whole = sliceCharacters(sentence, at, at + LONG_LINE);
    const border = isLast ? -1 : Math.max(...[" ", ",", ";", "|"].map((end) => whole.lastIndexOf(end)));
    const piece = border > LONG_LINE / 2 ? whole.slice(0, border + 1) : whole;
    pieces.push(piece.trim());
    at += piece.length;
  }
  return pieces.filter((piece) => piece !== "");
}

/** A line of which there are this many of the same shape is one of a list or a log. */
const COMMON = 3;
/** In a string where this share of the lines is common, one that is not stands out. */
const LIST_SHARE = 0.5;
const STANDS_OUT = 3;

/**
 * The lines that say most, in their order, together at most so many characters. Lines like many others say little, and a
 * line unlike all the others much.
 */
export function bestLines(
  from: string | readonly Line[],
  maxChars: number,
  minWeight = 1,
  frequency?: WordFrequency,
): string[] {
  const lines = typeof from === "string" ? linesOf(from).map((line) => new Line(line)) : from;
  const best = weighed(lines, frequency)
    .filter(({ weight }) => weight >= minWeight)
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  const kept: typeof best = [];
  let left = maxChars;
  for (const each of best) {
    if (each.text.length > left) continue;
    left -= each.text.length + 1;
    kept.push(each);
  }
  return kept.sort((a, b) => a.index - b.index).map(({ text }) => text);
}

function weighed(lines: readonly Line[], frequency: WordFrequency | undefined) {
  const counts = new Map<string, number>();
  for (const { shape } of lines) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const isCommon = ({ shape }: Line) => counts.get(shape)! >= COMMON;
  const isList = lines.filter(isCommon).length > lines.length * LIST_SHARE;
  return lines.map((line, index) => {
    const { text } = line;
    const weight = line.weightIn(frequency) / (frequency?.isUsual(line) ? 2 : 1);
    if (isCommon(line)) return { text, index, weight: weight / 4 };
    return { text, index, weight: isList && weight > 0 ? weight + STANDS_OUT : weight };
  });
}

// Words that announce a decision, a wish or a problem, in the languages most sessions are in. For other languages there is
// what needs no words: names, numbers, and how usual a line is.

/** Whether a line holds one of some words. */
type Finder = (line: string) => boolean;

/** Finds any of the words where it stands alone; those of scripts without spaces anywhere. */
function anyOf(spaced: string, unspaced: string): Finder {
  const words = spaced.replace(/\s+/g, "|");
  const any = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])|${unspaced}`, "iu");
  const ascii = new RegExp(`\\b(?:${words.replaceAll("\\p{L}", "[a-z]")})\\b`, "i");
  return (line) => (isAscii(line) ? ascii : any).test(line);
}

/** `\p{L}*` is any ending, `\x20` a space inside a phrase. */
const DECISION = anyOf(
  [
    "decid\\p{L}+ decision agreed? we'll we\\x20will we\\x20should chose chosen instead\\x20of rather\\x20than must never always",
    "prefers? preference should(?:n't)? do\\x20not don't important remember note constraint requir\\p{L}+ convention policy wants? only",
    "nie niemals immer bitte muss müssen soll sollen lieber statt entschieden entscheidung wichtig",
    "nunca siempre quiero quiere debe prefiero decidi\\p{L}+ importante por\\x20favor sempre quero deve prefiro",
    "jamais toujours plutôt doit veux décid\\p{L}+ s'il\\x20vous\\x20plaît никогда всегда нужно должен решил\\p{L}* лучше",
  ].join(" "),
  "决定|必须|不要|总是|偏好|注意|请用|決め|必ず|ください|결정|반드시|항상",
);

const PROBLEM = anyOf(
  [
    "bugs? errors? fail\\p{L}* broken crash\\p{L}* todo fixme unresolved unsolved still blocked regress\\p{L}+ root\\x20cause because",
    "workaround leaks? race deadlock missing undefined exception panic\\p{L}* timed?\\x20?out deprecated flaky cannot can't could\\x20not wrong warn(?:ing)?",
    "fehler\\p{L}* offen ungelöst kaputt weil falsch fallo falta pendiente porque fehlt erro falha falhou manque",
    "erreur échec panne parce\\x20que ошибк\\p{L}+ сбой потому\\x20что",
  ].join(" "),
  "错误|失败|问题|原因|バグ|失敗|未解決|エラー|오류|실패",
);

// ── the frequency of words and lines in a session ────────────────────────────────────────────────────────────────────

// Idea: the unexpected is said in words that hardly occur elsewhere; what is said again and again, in whatever language, is about
// the work itself.

/** Words of any script; scripts that put no spaces between words are taken in pairs of characters. */
const ASCII_WORD = /[a-z]{3,}/g;
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{1,2}|[\p{L}\p{M}]{3,}/gu;
/** Used in at most so many lines, a word is rare: said once, and noted once. */
const RARE_LINES = 2;
/** The number of equal lines in a session from which their tool is taken to print them always. */
const USUAL_LINES = 12;
/** Words that are counted; more than a view of a million tokens has. */
const MAX_WORDS = 200_000;

/** A line as it is counted: its distinct words, and how it begins. */
interface CountedLine {
  readonly words: readonly string[];
  readonly shape: string;
}

export class WordFrequency {
  /** In how many lines each word occurs. */
  readonly #lines = new Map<string, number>();

  /** The number of lines of each shape. */
  readonly #shapes = new Map<string, number>();

  /** Counts one line. */
  add({ words, shape }: CountedLine): void {
    for (const word of words) plus(this.#lines, word);
    plus(this.#shapes, shape);
  }

  /** Takes back what `add` counted for a line that has left the view. */
  remove({ words, shape }: CountedLine): void {
    for (const word of words) minus(this.#lines, word);
    minus(this.#shapes, shape);
  }

  /** Whether lines that begin like this one occur all over the session. */
  isUsual({ shape }: CountedLine): boolean {
    return (this.#shapes.get(shape) ?? 0) >= USUAL_LINES;
  }

  /** The number of distinct words of a line that hardly occur in any other. */
  rareAmong(words: Iterable<string>): number {
    let rare = 0;
    for (const word of words) if ((this.#lines.get(word) ?? 0) <= RARE_LINES) rare++;
    return rare;
  }
}

function plus(counts: Map<string, number>, key: string): void {
  const known = counts.get(key);
  if (known !== undefined || counts.size < MAX_WORDS) counts.set(key, (known ?? 0) + 1);
}

function minus(counts: Map<string, number>, key: string): void {
  const known = counts.get(key) ?? 0;
  if (known > 1) counts.set(key, known - 1);
  else counts.delete(key);
}

/** The distinct words of a line, in lower case. */
export function wordsOf(line: string): readonly string[] {
  const words = line.toLowerCase().match(isAscii(line) ? ASCII_WORD : WORD);
  return words ? [...new Set(words)] : [];
}

/** Most lines are: they are read with patterns that need no tables of letters. */
function isAscii(text: string): boolean {
  return !/[^ -~\s]/.test(text);
}
