// Code made ready for a search by words: of shells, and of other languages, of which only they know what they run, and
// how they put it together.

/** The text between two strings that become one: `"r" + "m"`, `"r" . "m"`, `'r''m'`; or, of a list, may. */
const JOINTS = /["'`]\s*(?:(?:\+|\.{1,2}|<>|\|\||&|~)\s*)?["'`]/g;
const LIST_JOINTS = /["'`]\s*,\s*["'`]/g;
const ESCAPES =
  /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|u\{([\da-fA-F]+)\}|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g;
const CONTROL: Readonly<Record<string, string>> = { n: "\n", r: "\n", t: " " };
/** A statement ends; what belongs to one command stands in one. */
const ENDS = /;/g;
const SYNTAX = /[^\w./\n-]+/g;
/** In a shell: operators, `$` before a bracket, and braces that stand alone. */
const BREAKS = /[;&|()<>`\r\n]+|\$(?=\()|[{}](?=\s|$)/g;

/** A word that is more than a name, an option, a number or a path. */
export function isText(word: string): boolean {
  return /[^\w.,:=@%+/-]/.test(word);
}

/** The words of code, each statement on a line: as they stand, and with the strings put together. */
export function wordsOfCode(code: string): string {
  const plain = unescaped(code);
  const joined = plain.replace(JOINTS, "");
  return [plain, joined, joined.replace(LIST_JOINTS, "")]
    .map((text) => text.replace(ENDS, "\n").replace(SYNTAX, " "))
    .join("\n");
}

/** The words of a script for a shell: quotes and escapes go, every operator becomes a line break. */
export function withoutSyntax(script: string): string {
  // The beginning of a `$'…'` cannot be known without parsing.
  const text = script.includes("$'") ? unescaped(script.replaceAll("$'", "'")) : script;
  return text
    .replace(/\\\n|["'\\]/g, "")
    .replace(BREAKS, "\n")
    .replace(/[ \t\v\f\u00a0]+/g, " ");
}

function unescaped(code: string): string {
  return code.replace(ESCAPES, (_, hex, short, braced, long, octal, other) => {
    if (other !== undefined) return CONTROL[other] ?? other;
    const value = octal ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? short ?? braced ?? long, 16);
    return value <= 0x10ffff ? String.fromCodePoint(value) : " ";
  });
}
