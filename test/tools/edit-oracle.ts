// What an edit has to do, written down the slow and obvious way: no index, no numbering, no search algorithm.

const ENDINGS = /\r\n|\n|\r/;
const BLANKS = " \\t\\r\\f\\v\\u00a0\\u2007\\u202f";
const TRIMMED = new RegExp(`^([${BLANKS}]*)(.*?)[${BLANKS}]*$`, "s");

/** Where and how `old` is found: the first level that has a match, with all its matches, overlapping ones too. */
export type Finding =
  | { readonly level: 1 | 2; readonly spans: readonly { readonly start: number; readonly end: number }[] }
  | { readonly level: 3 | 4; readonly hits: readonly number[] };

export interface Line {
  readonly whole: string;
  readonly indentation: string;
  readonly text: string;
}

/** Indentation and text of a line, in the one spelling of what counts as equal. */
export function lineOf(whole: string): Line {
  const [, indentation = "", text = ""] = TRIMMED.exec(fold(whole))!;
  return { whole, indentation, text };
}

function fold(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[‐‑‒–—―]/g, "-")
    .replace(/[\u00a0\u2007\u202f]/g, " ")
    .replace(/[！-／：-＠［-｀｛-～]/g, (mark) => mark.normalize("NFKC"));
}

/** The lines of a file: they end with LF, or with CR where there is no LF. */
export function fileLines(text: string, hasLf = text.includes("\n")): Line[] {
  const lines = text.split(hasLf ? "\n" : ENDINGS);
  if (lines.at(-1) === "") lines.pop();
  return lines.map(lineOf);
}

/** The lines of what a model wrote, without the blank ones at both ends. */
export function blockLines(text: string): Line[] {
  const lines = text.split(ENDINGS).map(lineOf);
  while (lines[0]?.text === "") lines.shift();
  while (lines.at(-1)?.text === "") lines.pop();
  return lines;
}

export function find(before: string, old: string): Finding | null {
  const exact = spansOf([...before.split("")].map(toToken), old.split(""));
  const plain =
    before.includes("\r") || old.includes("\r")
      ? spansOf(plainTokens(before), old.split(ENDINGS).join("\n").split(""))
      : [];
  const isTextOverLines = ENDINGS.test(old) && !/^[\r\n]*$/.test(old);
  if (exact.length > 0 && isTextOverLines && plain.length > exact.length) return { level: 2, spans: plain };
  if (exact.length > 0) return { level: 1, spans: exact };
  if (plain.length > 0) return { level: 2, spans: plain };
  const lines = fileLines(before);
  const wanted = blockLines(old);
  if (wanted.length === 0) return null;
  const hitsWhere = (same: (line: Line, old: Line, index: number) => boolean) =>
    lines.flatMap((_, hit) =>
      wanted.every((line, index) => lines[hit + index] && same(lines[hit + index]!, line, index)) ? [hit] : [],
    );
  const trimmed = hitsWhere(
    (line, each, index) =>
      line.text === each.text && (index === 0 || each.text === "" || line.indentation === each.indentation),
  );
  if (trimmed.length > 0) return { level: 3, hits: trimmed };
  const bare = hitsWhere((line, each) => line.text === each.text);
  return bare.length > 0 ? { level: 4, hits: bare } : null;
}

interface Token {
  readonly character: string;
  readonly start: number;
  readonly end: number;
}

function toToken(character: string, index: number): Token {
  return { character, start: index, end: index + 1 };
}

/** Every line ending as one LF that knows where it is. */
function plainTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const ending = ENDINGS.exec(text.slice(at, at + 2));
    const length = ending?.index === 0 ? ending[0].length : 1;
    const character = ending?.index === 0 ? "\n" : text[at]!;
    tokens.push({ character, start: at, end: at + length });
    at += length;
  }
  return tokens;
}

function spansOf(tokens: readonly Token[], old: readonly string[]) {
  return tokens.flatMap(({ start }, index) => {
    const isHere = old.every((character, offset) => tokens[index + offset]?.character === character);
    return isHere ? [{ start, end: tokens[index + old.length - 1]!.end }] : [];
  });
}
