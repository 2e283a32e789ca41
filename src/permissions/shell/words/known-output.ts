// Substitutions whose output is known, and the words of those whose output `plain-output.ts` may know.
import type { Command, ParsedScript, Redirection, SyntaxNode, Word, WordPart } from "unbash";
import type { CommandWords } from "./plain-output.js";

/** The words of each command of a script that is one pipe and nothing else; `null` for others. */
export function pipeOf({ commands }: ParsedScript): readonly CommandWords[] | null {
  const [statement, ...others] = commands;
  if (!statement || others.length > 0 || statement.background) return null;
  const node = statement.command;
  return node.type === "Pipeline" ? wordsInPipe(node.commands, node.operators, node.prefixes) : [wordsIn(node)];
}

/** The same for the commands of a pipe, or the first of them. */
export function wordsInPipe(
  commands: readonly SyntaxNode[],
  operators: readonly string[],
  prefixes: readonly unknown[],
): readonly CommandWords[] | null {
  return prefixes.length > 0 || operators.includes("|&") ? null : commands.map(wordsIn);
}

/** A command that is not simple has words that are not known. */
function wordsIn(node: SyntaxNode): CommandWords {
  if (node.type !== "Command" || node.prefix.length > 0 || !node.redirects.every(leavesOutput)) return [null];
  const words = [node.name, ...node.suffix].filter((part) => part?.type === "Word" || part?.type === "Assignment");
  return words.map((part) => (part?.type === "Word" ? plainText(part) : null));
}

/** `< file`, `2>/dev/null` */
function leavesOutput(redirect: Redirection): boolean {
  if (redirect.type !== "Redirect") return false;
  const { operator, descriptor, target } = redirect;
  const isInput = operator === "<" && !descriptor;
  const isErrors = descriptor?.type === "FileDescriptor" && descriptor.value === 2;
  return isInput || (operator === ">" && isErrors && target?.text === "/dev/null");
}

/** The text of a word that holds nothing else. */
function plainText({ parts, value }: Word): string | null {
  const isText = ({ type }: WordPart) => type === "Literal" || type === "SingleQuoted";
  const isPlain = (parts ?? []).every(
    (part) => isText(part) || (part.type === "DoubleQuoted" && part.parts.every(isText)),
  );
  return isPlain ? value : null;
}

/** It prints where the shell stands, and nothing else. */
export function printsPlace({ commands: [statement, ...others] }: ParsedScript): boolean {
  const command = statement?.command;
  if (others.length > 0 || command?.type !== "Command" || command.name?.text !== "pwd") return false;
  return command.prefix.length + command.redirects.length + command.suffix.length === 0;
}

/** It prints the directory in which the working tree of a repository begins, and nothing else. */
export function printsTopLevel(script: ParsedScript): boolean {
  const [words, ...others] = pipeOf(script) ?? [];
  return others.length === 0 && words?.join(" ") === "git rev-parse --show-toplevel";
}

/** The text that `cat` prints of a here-document that is not expanded, when it is given nothing else. */
export function hereDocumentOf({ suffix, redirects }: Command): string | null {
  const [redirect, ...more] = redirects;
  if (
    suffix.some(({ type }) => type === "Word" || type === "Assignment") ||
    more.length > 0 ||
    redirect?.type !== "HereDoc" ||
    !redirect.body.text
  )
    return null;
  const isLiteral = redirect.delimiter?.quoted || !/[$`\\]/.test(redirect.body.text);
  return isLiteral ? redirect.body.text : null;
}

/** Output of a script that is only `cat` with a here-document whose end is quoted, trimmed; else `null`. */
export function knownOutput({ commands }: ParsedScript): string | null {
  const node = commands.length === 1 ? commands[0]!.command : undefined;
  if (node?.type !== "Command" || node.name?.value !== "cat" || node.name.text !== "cat") return null;
  const [redirect] = node.redirects;
  const isQuoted = redirect?.type === "HereDoc" && redirect.delimiter?.quoted && redirect.operator === "<<";
  if (!isQuoted || node.prefix.length > 0) return null;
  return hereDocumentOf(node)?.replace(/(?<!\n)\n+$/, "") ?? null;
}
