/** Text or numbers; `-1` in numbers equals nothing that is searched for. */
export type Sequence = ArrayLike<number>;

/** Long enough to be rare in most texts, short enough that looking for it is cheap in all. */
const PROBE_CHARS = 64;
/** The least cost of one call of the engine's search, in characters compared. */
const CALL_COST = 64;
/** Characters compared per character of the text before a search counts as repetitive. */
const PATIENCE = 4;

/**
 * Every place where `pattern` occurs in `text`, overlapping ones too. Linear also in repetitive texts, where the
 * engine's own `indexOf` is not: that is asked for the beginning of the pattern only, and given up when it leads nowhere
 * too often.
 */
export function findInText(text: string, pattern: string): number[] {
  return findByProbe(text, pattern) ?? findInNumbers(codesOf(text), codesOf(pattern));
}

function findByProbe(text: string, pattern: string): number[] | null {
  const probe = pattern.slice(0, PROBE_CHARS);
  const rest = pattern.length - probe.length;
  const hits: number[] = [];
  let compared = 0;
  for (let at = text.indexOf(probe); at !== -1; at = text.indexOf(probe, at + 1)) {
    compared += CALL_COST + rest;
    if (compared > PATIENCE * text.length + PROBE_CHARS * CALL_COST) return null;
    if (rest === 0 || text.startsWith(pattern, at)) hits.push(at);
  }
  return hits;
}

/** Every place where `pattern` occurs in `numbers`, overlapping ones too (Knuth–Morris–Pratt). */
export function findInNumbers(numbers: Sequence, pattern: Sequence): number[] {
  const borders = bordersOf(pattern);
  const hits: number[] = [];
  let matched = 0;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at];
    while (matched > 0 && number !== pattern[matched]) matched = borders[matched - 1]!;
    if (number === pattern[matched]) matched++;
    if (matched < pattern.length) continue;
    hits.push(at - matched + 1);
    matched = borders[matched - 1]!;
  }
  return hits;
}

/** For each prefix, the length of its longest proper part that is both its start and its end. */
function bordersOf(pattern: Sequence): Int32Array {
  const borders = new Int32Array(pattern.length);
  let length = 0;
  for (let at = 1; at < pattern.length; at++) {
    while (length > 0 && pattern[at] !== pattern[length]) length = borders[length - 1]!;
    if (pattern[at] === pattern[length]) length++;
    borders[at] = length;
  }
  return borders;
}

function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  return codes;
}
