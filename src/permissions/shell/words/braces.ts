import type { WordPart } from "unbash";

const MAX_WORDS = 64;
const LIST = /\{([^{}]*)\}/g;
const NUMBERS = /^(0|[1-9]\d{0,5})\.\.(0|[1-9]\d{0,5})$/;

/**
 * The source strings a word with braces becomes, before any other expansion; `null` when they are too many or not plain
 * enough to follow.
 */
export function expandBraces(text: string, parts: readonly WordPart[]): readonly string[] | null {
  // Positions of parts count from the start of the script, and the first part starts where the word does.
  const offset = parts[0]!.pos;
  let texts = [""];
  let done = 0;
  for (const part of parts) {
    if (part.type !== "BraceExpansion") continue;
    const start = part.pos - offset;
    if (text.slice(start, start + part.text.length) !== part.text) return null;
    const choices = choicesIn(part.text);
    if (choices === null || choices.length * texts.length > MAX_WORDS) return null;
    const before = text.slice(done, start);
    texts = texts.flatMap((head) => choices.map((choice) => head + before + choice));
    done = start + part.text.length;
  }
  return texts.map((head) => head + text.slice(done));
}

/** `{a,b}`, `{a,b/{c,d}}` and `{1..9}`; `null` for others. */
function choicesIn(braces: string): readonly string[] | null {
  const body = braces.slice(1, -1);
  if (/[$`'"\\\0]/.test(body)) return null;
  const [, first, last] = NUMBERS.exec(body) ?? [];
  if (first === undefined) return listedIn(body);
  const [from, to] = [Number(first), Number(last)];
  const length = Math.abs(to - from) + 1;
  if (length > MAX_WORDS) return null;
  return Array.from({ length }, (_, index) => String(from < to ? from + index : from - index));
}

/** `a,b/{c,d}`: with lists in it, but no lists in those. */
function listedIn(body: string): readonly string[] | null {
  if (!body.includes(",")) return null;
  const choices: string[] = [];
  for (const item of body.replace(LIST, (inner) => inner.replaceAll(",", "\0")).split(",")) {
    let texts = [""];
    for (const [index, piece] of item.split(LIST).entries()) {
      const inner = index % 2 === 1 ? piece.split("\0") : [piece];
      // Braces around one word are text to the shell, as are those that nothing closes.
      if (index % 2 === 1 ? inner.length < 2 : /[{}]/.test(piece)) return null;
      if (texts.length * inner.length > MAX_WORDS) return null;
      texts = texts.flatMap((head) => inner.map((choice) => head + choice));
    }
    choices.push(...texts);
    if (choices.length > MAX_WORDS) return null;
  }
  return choices;
}
