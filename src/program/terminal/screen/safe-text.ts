// Text of models, tools and files is shown, never obeyed: it cannot move the cursor, change the title, write the clipboard
// or reorder what is read. Everything that reaches the screen from elsewhere goes through one of these.
import { withoutControls } from "../../../text/terminal-text.js";

/** Marks that reorder the text around them: a line that hides its real order must show them. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const CONTROL = /[^\P{Cc}\n\t]/gu;
const TAB = "    ";

/** Text without control sequences; direction marks show as `\u202e`, tabs as spaces. Line breaks stay. */
export function safeText(text: string): string {
  return withoutControls(text).replace(DIRECTION, escaped).replaceAll("\t", TAB);
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

/**
 * Text for a person to approve: nothing is removed. Control characters show as `\x1b`, so that what is read is what runs.
 */
export function exactText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(CONTROL, escaped).replace(DIRECTION, escaped).replaceAll("\t", TAB);
}

/** The same in one line. */
export function exactLine(text: string): string {
  return inOneLine(exactText(text));
}

function inOneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ⏎ ");
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
