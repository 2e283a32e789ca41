// Code of another language, made ready for a search by words. Which of them it runs, and how it puts them together, only that language
// knows: quotes, brackets and operators of all languages go.

/** The text between two strings that become one: `"r" + "m"`, `"r" . "m"`, `'r''m'`; or, of a list, may. */
const JOINTS = /["'`]\s*(?:(?:\+|\.{1,2}|<>|\|\||&|~)\s*)?["'`]/g;
const LIST_JOINTS = /["'`]\s*,\s*["'`]/g;
const ESCAPES = /\\(?:x([0-9a-f]{2})|u\{?([0-9a-f]{4,6})\}?|([0-7]{3})|([\s\S]))/gi;
const CONTROL: Readonly<Record<string, string>> = { n: "\n", r: "\n", t: " " };
/** A statement ends; what belongs to one command stands in one. */
const ENDS = /;/g;
const SYNTAX = /[^\w./\n-]+/g;

/** A word that is more than a name, an option, a number or a path. */
export function isText(word: string): boolean {
  return /[^\w.,:=@%+/-]/.test(word);
}

/** The words of code, each statement on a line: as they stand, and with the strings put together. */
export function wordsOfCode(code: string): string {
  const plain = code.replace(ESCAPES, (_, hex, unicode, octal, other) => {
    if (other !== undefined) return CONTROL[other] ?? other;
    return String.fromCharCode(octal ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? unicode, 16));
  });
  const joined = plain.replace(JOINTS, "");
  return [plain, joined, joined.replace(LIST_JOINTS, "")]
    .map((text) => text.replace(ENDS, "\n").replace(SYNTAX, " "))
    .join("\n");
}
