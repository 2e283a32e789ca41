import type { Command } from "unbash";
import { hereDocumentOf } from "./known-output.js";
import { readPlain, readWord } from "./read-word.js";
import type { ShellWord } from "./shell-word.js";
import type { WordScope } from "./word-scope.js";

/**
 * Output of a plain `echo`, `printf` or `cat` with a here-document, for a shell that reads it from a pipe; `null` when that is
 * not known to the letter.
 */
export function printedBy(command: Command, scope: WordScope): string | null {
  const program = command.name?.text;
  if (command.prefix.length > 0 || program === undefined) return null;
  if (program === "cat") return hereDocumentOf(command);
  if (command.redirects.length > 0) return null;
  if (program === "pwd" && command.suffix.length === 0)
    return scope.directory === undefined ? null : `${scope.directory}\n`;
  const words = command.suffix.flatMap((part) => (part.type === "Word" ? readWord(part, scope) : []));
  if (command.suffix.some(({ type }) => type !== "Word")) return null;
  const texts = words.map(({ value }) => value);
  if (!texts.every((text): text is string => text !== null)) return null;
  if (program === "echo") return echoed(texts);
  return program === "printf" ? formatted(texts) : null;
}

/** Shells differ in what they do with a backslash. */
function echoed(texts: readonly string[]): string | null {
  const words = texts[0] === "-n" ? texts.slice(1) : texts;
  const text = words.join(" ");
  return /\\[abcefnrtvx0\\]/.test(text) || words[0]?.startsWith("-") ? null : `${text}\n`;
}

function formatted([format = "", ...values]: readonly string[]): string | null {
  if (format.startsWith("-")) return null;
  const text = format.replaceAll("\\n", "\n");
  if (text.includes("\\")) return null;
  if (!text.includes("%")) return text;
  return /^%s\n?$/.test(text) ? values.map((value) => text.replace("%s", () => value)).join("") : null;
}

/** The one file whose content a command prints, and nothing else. */
export function fileShownBy(node: Command, scope: WordScope): ShellWord | undefined {
  const [file, ...others] = node.suffix;
  const isPlain =
    node.name?.text === "cat" && !scope.isFunction("cat") && node.prefix.length + node.redirects.length === 0;
  return isPlain && file?.type === "Word" && others.length === 0 ? readPlain(file, scope) : undefined;
}
