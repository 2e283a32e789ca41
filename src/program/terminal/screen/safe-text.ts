// Text of models, tools and files is shown, never obeyed: it cannot move the cursor, change the title, write the clipboard
// or reorder what is read. Everything that reaches the screen from elsewhere goes through one of these.
import { firstCharacters } from "../../../text/cut.js";
import { withoutControls } from "../../../text/terminal-text.js";

/**
 * Marks that reorder the text around them, and characters of no width that hide what a text says: they are shown. What joins the
 * letters of a script or the parts of an emoji, and chooses how one looks, is left as it is.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: marks that are looked for by themselves
  /(?![\u0600-\u0605\u06dd\u08e2\u200c\u200d])[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u3164\uffa0\u{e0100}-\u{e01ef}]/gu;
/** Joiners and choices of looks, where there is nothing to join or to choose. */
const LOOSE =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|(?<=[!-~])[\u200c\u200d]|(?<=[ -~])[\ufe00-\ufe0f](?!\u20e3)/gu;
/** Spaces that are not what parts two words. */
const SPACE = /[^\P{Zs} \u3000]/gu;
const CONTROL = /[^\P{Cc}\n\t]/gu;
/** More marks on one character than any script has, which terminals draw over the lines around it. */
const MARKS = /(\p{M}{8})\p{M}+/gu;
const PLAIN = /^[\n -~]*$/;
const TAB = "    ";
/** Nobody reads on in a longer line, and it takes long to draw. Unit: characters. */
const MAX_LINE = 10_000;

/** Text without control sequences; what hides or reorders shows as `\u202e`, tabs as spaces. Line breaks stay. */
export function safeText(text: string): string {
  return withoutHidden(withoutControls(text)).replace(MARKS, "$1").replaceAll("\t", TAB);
}

/** The same of a text to be read: an endless line is cut, and says by how much. */
export function textToRead(text: string): string {
  if (text.length <= MAX_LINE) return safeText(text);
  const lines = text.split("\n").map((line) => {
    if (line.length <= MAX_LINE) return line;
    return `${firstCharacters(line, MAX_LINE)}… ${line.length - MAX_LINE} more characters`;
  });
  return safeText(lines.join("\n"));
}

/** The same in one line. */
export function safeLine(text: string): string {
  return inOneLine(safeText(text));
}

/** The first line of a text whose colours count: nothing else of it is obeyed. */
export function coloredLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const parts = text.split(/(\x1b\[[0-9;]*m)/);
  return parts
    .map((part, at) => (at % 2 === 1 ? part : safeText(part).replaceAll("\n", " ")))
    .join("")
    .trimEnd();
}

/** Text of which every character is seen that hides, reorders or controls, as `\u202e`; the others are as they are. */
export function revealedText(text: string): string {
  return PLAIN.test(text) ? text : withoutHidden(text.replace(CONTROL, escaped));
}

/**
 * Text for a person to approve: nothing is removed. Control characters show as `\x1b`, so that what is read is what runs.
 */
export function exactText(text: string): string {
  return revealedText(text.replaceAll("\r\n", "\n"))
    .replace(SPACE, escaped)
    .replace(MARKS, (all, shown: string) => shown + escapedAll(all.slice(shown.length)))
    .replaceAll("\t", TAB);
}

/** The same in one line. */
export function exactLine(text: string): string {
  return inOneLine(exactText(text));
}

function inOneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ⏎ ");
}

function withoutHidden(text: string): string {
  return PLAIN.test(text) ? text : text.replace(HIDDEN, escaped).replace(LOOSE, escaped);
}

function escapedAll(text: string): string {
  return [...text].map(escaped).join("");
}

/** A character as `\u202e`. */
function escaped(character: string): string {
  const digits = character.codePointAt(0)!.toString(16);
  if (digits.length <= 2) return `\\x${digits.padStart(2, "0")}`;
  return digits.length <= 4 ? `\\u${digits.padStart(4, "0")}` : `\\u{${digits}}`;
}
