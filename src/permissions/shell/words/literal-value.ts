// The value that a word of a script has by itself.
import type { ParsedScript, Word } from "unbash";
import { expandBraces } from "./braces.js";

const NUMBER = /^-?(?:\d+|0x[\da-fA-F]+|\d+#\w+)?$/;
/** Numbers that the shell keeps; that of a process in the background may be none. */
export const STATUS = /^\$[#?$!]$/;

export function literalValue(word: Word): string | null {
  const { parts } = word;
  if (!parts) return word.value;
  let text = "";
  for (const part of parts) {
    if (
      part.type === "Literal" ||
      part.type === "SingleQuoted" ||
      part.type === "AnsiCQuoted" ||
      part.type === "Glob"
    ) {
      text += part.value;
    } else if (part.type === "DoubleQuoted" && part.parts.every(({ type }) => type === "Literal")) {
      text += part.parts.map((child) => (child.type === "Literal" ? child.value : "")).join("");
    } else return null;
  }
  return text;
}

/** `src/{a,b}.ts`: the values of a word in a list, when it is text and braces without quotes. */
export function literalChoices({ text, parts }: Word): readonly string[] | null {
  const isPlain = parts?.every(({ type }) => type === "Literal" || type === "BraceExpansion");
  return isPlain && !/["'\\]/.test(text) ? expandBraces(text, parts!) : null;
}

/** The script whose output is all a word is. */
export function substitutionIn({ parts }: Word): ParsedScript | null {
  const [part, ...others] = parts ?? [];
  if (others.length > 0) return null;
  const [inner = part, ...more] = part?.type === "DoubleQuoted" ? part.parts : [];
  return more.length === 0 && inner?.type === "CommandExpansion" ? (inner.script ?? null) : null;
}

export function isNumeric(word: Word): boolean {
  const [part, ...others] = word.parts ?? [];
  if (!part || others.length > 0) return NUMBER.test(literalValue(word) ?? "x");
  if (part.type === "ArithmeticExpansion") return true;
  if (part.type === "BraceExpansion") return /^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/.test(part.text);
  if (part.type === "SimpleExpansion") return STATUS.test(part.text);
  if (part.type === "ParameterExpansion") return part.prefix === "#";
  return NUMBER.test(literalValue(word) ?? "x");
}
