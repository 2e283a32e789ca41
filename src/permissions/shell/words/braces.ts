import type { WordPart } from "unbash";

const MAX_WORDS = 64;
const SEQUENCE = /^(?:(-?\d{1,6})\.\.(-?\d{1,6})(?:\.\.(-?\d{1,6}))?|([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,3}))?)$/;

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
    const choices = expandOne(part.text);
    if (choices === null || choices.length * texts.length > MAX_WORDS) return null;
    const before = text.slice(done, start);
    texts = texts.flatMap((head) => choices.map((choice) => head + before + choice));
    done = start + part.text.length;
  }
  return texts.map((head) => head + text.slice(done));
}

function expandOne(text: string): readonly string[] | null {
  if (/[$`'"\\]/.test(text)) return null;
  const body = text.slice(1, -1);
  const sequence = SEQUENCE.exec(body);
  if (sequence) return expandSequence(sequence);
  const choices = splitAtCommas(body);
  if (choices === null) return null;
  const texts: string[] = [];
  for (const choice of choices) {
    const inner = expandNested(choice);
    if (inner === null || texts.length + inner.length > MAX_WORDS) return null;
    texts.push(...inner);
  }
  return texts;
}

/** A choice such as `a{b,c}d`, whose braces are balanced. */
function expandNested(text: string): readonly string[] | null {
  const open = text.indexOf("{");
  if (open === -1) return text.includes("}") ? null : [text];
  const close = closingBrace(text, open);
  if (close === -1) return null;
  const inner = text.slice(open, close + 1);
  // Braces around one plain word stay, as in `{x}`; such words are left to the run.
  if (!/[,]|\.\./.test(inner)) return null;
  const choices = expandOne(inner);
  const tails = expandNested(text.slice(close + 1));
  if (choices === null || tails === null || choices.length * tails.length > MAX_WORDS) return null;
  return choices.flatMap((choice) => tails.map((tail) => text.slice(0, open) + choice + tail));
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    if (text[index] === "{") depth++;
    else if (text[index] === "}" && --depth === 0) return index;
  }
  return -1;
}

function splitAtCommas(body: string): readonly string[] | null {
  const choices: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < body.length; index++) {
    const character = body[index];
    if (character === "{") depth++;
    else if (character === "}") depth--;
    else if (character === "," && depth === 0) {
      choices.push(body.slice(start, index));
      start = index + 1;
    }
    if (depth < 0) return null;
  }
  if (depth !== 0 || choices.length === 0) return null;
  return [...choices, body.slice(start)];
}

function expandSequence(match: RegExpExecArray): readonly string[] | null {
  const [, from, to, by, first, last, step] = match;
  if (from === undefined) {
    // Letters of different case pass through punctuation, some of which is syntax.
    if (/[a-z]/.test(first!) !== /[a-z]/.test(last!)) return null;
    const codes = count(first!.charCodeAt(0), last!.charCodeAt(0), Number(step ?? 1));
    return codes?.map((code) => String.fromCharCode(code)) ?? null;
  }
  // A leading zero asks for equal width.
  if (/^-?0\d/.test(from) || /^-?0\d/.test(to!)) return null;
  return count(Number(from), Number(to), Number(by ?? 1))?.map(String) ?? null;
}

function count(from: number, to: number, step: number): readonly number[] | null {
  const stride = Math.abs(step) || 1;
  const length = Math.floor(Math.abs(to - from) / stride) + 1;
  if (length > MAX_WORDS) return null;
  return Array.from({ length }, (_, index) => from + (to < from ? -1 : 1) * index * stride);
}
