import type { Assignment } from "unbash";
import type { CommandAssignment } from "../analysis.js";
import { readPlain } from "./read-word.js";
import { literalWord, type ShellWord } from "./shell-word.js";
import type { WordScope } from "./word-scope.js";

/** An assignment before a command. */
export function readAssignment({ name, value, append, index }: Assignment, scope: WordScope): CommandAssignment {
  const isPlain = value.type === "Word" && !append && !index;
  return { name, value: isPlain ? readPlain(value, scope).value : null };
}

/** An assignment that stands among the words of a command, as in `export A=b`. */
export function assignmentWord(node: Assignment, scope: WordScope): ShellWord {
  const name = `${node.text.slice(0, node.text.indexOf("="))}=`;
  if (node.value.type !== "Word") {
    return { ...literalWord(node.text), raw: node.text, value: null, known: null, prefix: name, guesses: [] };
  }
  const value = readPlain(node.value, scope);
  return {
    raw: node.text,
    value: value.value === null ? null : name + value.value,
    known: value.known === null ? null : name + value.known,
    pattern: false,
    prefix: name + value.prefix,
    splits: false,
    guesses: value.guesses.map((guess) => name + guess),
  };
}
