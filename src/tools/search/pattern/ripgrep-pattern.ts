/*
 * Spells an expression for ripgrep, which only narrows down the files: the spelling may match more, never less. Of a set
 * of characters, JavaScript itself says which of ASCII are in it, and any other bytes count as one that is, also bytes
 * that are no UTF-8, which JavaScript reads as U+FFFD. Assertions that the engines read differently are left out.
 */

/** The longest expression that ripgrep is asked about; for longer ones each file is read, since asking takes its time. */
const MAX_LENGTH = 1_000;
/** Characters at which a line begins or ends for JavaScript only; a file with a NUL far behind its start ends there. */
const OTHER_BREAKS = String.raw`[\r\x00\u{2028}\u{2029}]`;
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

interface RipgrepPattern {
  /** `null` when the expression holds what has no spelling: lookaround, backreferences. */
  readonly ripgrep: string | null;
  /** The expression without line breaks in its sets; `null` when they cannot be taken out. */
  readonly whole: string | null;
}

/** @param tokens of a valid expression */
export function ripgrepPattern(tokens: readonly string[], flags: string): RipgrepPattern {
  const isPlain = tokens.join("").length <= MAX_LENGTH && !tokens.some((token) => NOT_SPELLED.test(token));
  if (!isPlain) return { ripgrep: null, whole: null };
  let depth = 0;
  const pieces = tokens.map((token, i) => {
    if (token.startsWith("(")) depth++;
    if (token === ")") depth--;
    const isEdge = (neighbor: string | undefined) => depth === 0 && (neighbor === undefined || neighbor === "|");
    if (token === "^") return isEdge(tokens[i - 1]) ? `(?:^|${OTHER_BREAKS})` : "";
    if (token === "$") return isEdge(tokens[i + 1]) ? `(?:$|${OTHER_BREAKS})` : "";
    return spell(token, flags);
  });
  const whole = tokens.map((token) => withoutBreaks(token, flags));
  return { ripgrep: pieces.join(""), whole: whole.includes(null) ? null : whole.join("") };
}

const WITHOUT_BREAKS: Readonly<Record<string, string>> = { "\\s": "[^\\S\\n]", "\\W": "[^\\w\\n]", "\\D": "[^\\d\\n]" };

/** A set that matches what it did in a line. In a whole text a run of it would else go on through the lines, from each place. */
function withoutBreaks(token: string, flags: string): string | null {
  if (!SET.test(token) || !createTest(token, flags)("\n")) return token;
  if (token.startsWith("[^")) return `[^\\n${token.slice(2).replace(/^-/, "\\-")}`;
  return WITHOUT_BREAKS[token] ?? null;
}

const NOT_SPELLED = /^\(\?(?!:|<[^=!])|^\\[1-9k]/;
const SET = /^(?:\.$|\[|\\[ac-z\d])/i;

function spell(token: string, flags: string): string {
  if (token.startsWith("(")) return "(?:";
  if (/^[)|*+?{]/.test(token)) return token;
  const ignoresCase = flags.includes("i");
  // When case is ignored, two letters outside of ASCII are word characters in JavaScript.
  if (/^\\b$/i.test(token)) return ignoresCase ? "" : `(?-u:${token})`;
  const code = token.codePointAt(token.startsWith("\\") ? 1 : 0)!;
  const isSame = code < 128 || (code !== 0xfffd && !ignoresCase);
  if (!SET.test(token) && isSame) return /^[A-Za-z\d]$/.test(token) ? token : `\\u{${code.toString(16)}}`;
  return spellSet(createTest(token, flags), flags);
}

function spellSet(has: (character: string) => boolean, flags: string): string {
  const isLine = !flags.includes("s");
  const bits = ASCII.map((each) => (has(each) && !(isLine && each === "\n") ? "1" : "0")).join("");
  const ranges = [...bits.matchAll(/1+/g)].map(({ 0: run, index }) => `${byte(index)}-${byte(index + run.length - 1)}`);
  const others = String.raw`[\x80-\xff]{1,4}`;
  return `(?-u:${ranges.length > 0 ? `[${ranges.join("")}]|${others}` : others})`;
}

function byte(value: number): string {
  return `\\x${value.toString(16).padStart(2, "0")}`;
}

/** Whether a token matches a character. A property, which takes long to compile, counts as one that each has. */
function createTest(token: string, flags: string): (character: string) => boolean {
  if (/\\p/i.test(token)) return () => true;
  const expression = new RegExp(token, flags);
  return (character) => expression.test(character);
}
