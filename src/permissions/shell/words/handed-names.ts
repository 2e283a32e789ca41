// Names of files that one command hands to another: through a pipe, as words, or line by line.

import type { Command, ParsedScript, Redirection, SyntaxNode } from "unbash";
import { namesListed, namesPassed } from "../names/listed-names.js";
import { readWord } from "./read-word.js";
import type { ListedNames } from "./shell-word.js";
import type { WordScope } from "./word-scope.js";

/** The names a command in a pipe hands to the next one: those it lists, or some of those it reads. */
export function namesPrinted(node: SyntaxNode, before: ListedNames | null, scope: WordScope): ListedNames | null {
  if (node.type !== "Command" || node.prefix.length > 0 || !node.name) return null;
  if (!node.redirects.every(isSilencing)) return null;
  if (node.suffix.some(({ type }) => type === "Assignment")) return null;
  const parts = [node.name, ...node.suffix];
  const words = parts.flatMap((part) => (part.type === "Word" ? readWord(part, scope) : []));
  const name = words[0]?.value ?? null;
  if (name === null || scope.isFunction(name)) return null;
  const passed = before && namesPassed(before, words);
  if (passed) return passed;
  const names = namesListed(words);
  return names && { ...names, at: scope.directories };
}

/** The names a script prints that does nothing else. */
export function namesOfScript({ commands }: ParsedScript, scope: WordScope): ListedNames | null {
  const [statement, ...others] = commands;
  if (!statement || others.length > 0 || statement.background) return null;
  const node = statement.command;
  if (node.type === "Pipeline" && (node.prefixes.length > 0 || node.operators.includes("|&"))) return null;
  let names: ListedNames | null = null;
  for (const each of node.type === "Pipeline" ? node.commands : [node]) names = namesPrinted(each, names, scope);
  return names;
}

/** The names that become words of a command when this script stands among them. */
export function namesAsWords(script: ParsedScript, scope: WordScope): ListedNames | null {
  const names = scope.mayResplit ? null : namesOfScript(script, scope);
  return names === null || names.nul ? null : { ...names, expands: true };
}

/** `2>/dev/null` */
function isSilencing(redirect: Redirection): boolean {
  const { type, operator, descriptor } = redirect;
  const isErrors = descriptor?.type === "FileDescriptor" && descriptor.value === 2;
  return type === "Redirect" && operator === ">" && isErrors && redirect.target?.text === "/dev/null";
}

/** `xargs` itself, in the directory of the pipe. */
export function isPlainXargs(node: SyntaxNode): boolean {
  return node.type === "Command" && (node as Command).prefix.length === 0 && (node as Command).name?.text === "xargs";
}
