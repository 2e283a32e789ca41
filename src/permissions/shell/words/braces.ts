import type { WordPart } from "unbash";

const MAX_WORDS = 64;
const NUMBERS = /^(0|[1-9]\d{0,5})\.\.(0|[1-9]\d{0,5})$/;

/**
 * The source strings a word with braces becomes, before any other expansion; `null` when they are too many or not plain enough
 * to follow.
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

/** `{a,b}` and `{1..9}`; `null` for others. */
function choicesIn(braces: string): readonly string[] | null {
  const body = braces.slice(1, -1);
  if (/[$`'"\\{}]/.test(body)) return null;
  const [, first, last] = NUMBERS.exec(body) ?? [];
  if (first === undefined) return body.includes(",") ? body.split(",") : null;
  const [from, to] = [Number(first), Number(last)];
  const length = Math.abs(to - from) + 1;
  if (length > MAX_WORDS) return null;
  return Array.from({ length }, (_, index) => String(from < to ? from + index : from - index));
}
