// Whether two facts say the same, or say different things about the same subject. By words alone: when in doubt they are
// two facts, since a fact kept twice costs less than one that is lost.
import { wordsIn } from "../text/words.js";

/** Words that turn a statement into its opposite. */
const NEGATIONS = /\b(?:not|no|never|none|without|cannot|isn't|aren't|doesn't|don't|can't|won't)\b|n't\b/giu;
/** Two statements that share this much of their words, and all their numbers and negations, say the same. */
const LEAST_SHARED = 0.85;
/** What stands between a subject and the one thing it is. */
const COPULA =
  /^(.{3,120}?)\s*(?:\b(?:is|are|was|were|equals|prefers?|lives? (?:in|at|on)|works? (?:at|for)|(?:runs?|listens?) on|uses? port)\b(?: now\b)?|:(?!\/)|=)\s+(.{1,200})$/isu;

/** Whether both say the same in these or nearly these words. */
export function saysTheSame(a: string, b: string): boolean {
  if (normalized(a) === normalized(b)) return true;
  if (negationsIn(a) !== negationsIn(b) || numbersIn(a) !== numbersIn(b)) return false;
  const [wordsOfA, wordsOfB] = [new Set(wordsIn(a)), new Set(wordsIn(b))];
  if (wordsOfA.size < 3 || wordsOfB.size < 3) return sameSet(wordsOfA, wordsOfB) && inOneOrder(a, b);
  const shared = [...wordsOfA].filter((word) => wordsOfB.has(word)).length;
  const all = wordsOfA.size + wordsOfB.size - shared;
  return shared / all >= LEAST_SHARED && inOneOrder(a, b);
}

/** The subject of "subject is value", by its words; `null` for other statements. */
export function impliedSubject(text: string): { readonly subject: string; readonly value: string } | null {
  const found = COPULA.exec(text.trim().replace(/[.!]+$/u, ""));
  if (!found || negationsIn(text) > 0) return null;
  const subject = wordsIn(found[1]!).join(" ");
  return subject === "" ? null : { subject, value: found[2]!.trim() };
}

/** Whether two statements give one subject different values, so that only one of them can hold. */
export function contradicts(a: string, b: string): boolean {
  const [one, other] = [impliedSubject(a), impliedSubject(b)];
  if (!one || !other || one.subject !== other.subject) return false;
  return one.value !== other.value && areAlternatives(one.value, other.value);
}

/** Values of one kind: single words or numbers, or phrases that share a word. */
function areAlternatives(a: string, b: string): boolean {
  const [wordsOfA, wordsOfB] = [a.split(/\s+/u), b.split(/\s+/u)];
  if (wordsOfA.length === 1 && wordsOfB.length === 1) return true;
  const meaningful = new Set(wordsIn(a));
  return wordsIn(b).some((word) => meaningful.has(word)) || wordsOfA[0]!.toLowerCase() === wordsOfB[0]!.toLowerCase();
}

export function sameSubject(a: string, b: string): boolean {
  return wordsIn(a).join(" ") === wordsIn(b).join(" ") && wordsIn(a).length > 0;
}

function normalized(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .replace(/[.!]+$/u, "")
    .trim();
}

function negationsIn(text: string): number {
  return text.replaceAll("’", "'").match(NEGATIONS)?.length ?? 0;
}

function numbersIn(text: string): string {
  return (text.match(/\d+(?:[.,:]\d+)*/gu) ?? []).join(" ");
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((word) => b.has(word));
}

/** "Ann reports to Bob" and "Bob reports to Ann" share all their words. */
function inOneOrder(a: string, b: string): boolean {
  const inB = new Set(wordsIn(b));
  const shared = wordsIn(a).filter((word) => inB.has(word));
  const inA = new Set(shared);
  return wordsIn(b)
    .filter((word) => inA.has(word))
    .every((word, index) => word === shared[index]);
}
