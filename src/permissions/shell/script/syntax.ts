// Questions about the shape of a parsed script.
import { forEachChild, type SyntaxNode } from "unbash";

/** Builtins that change the current directory. */
export const MOVES = new Set(["cd", "pushd", "popd"]);

/** Whether a part of a script may leave the shell in another directory. */
export function containsMove(node: SyntaxNode): boolean {
  return countMoves(node) > 0;
}

/** How many of its commands may. */
export function countMoves(node: SyntaxNode): number {
  if (node.type === "Subshell" || node.type === "CommandExpansion" || node.type === "ProcessSubstitution") return 0;
  if (node.type === "Command")
    return /^(?:cd|pushd|popd|eval|builtin|command|source|\.)$/.test(node.name?.value ?? "") ? 1 : 0;
  let moves = 0;
  forEachChild(node, (child) => {
    moves += countMoves(child);
  });
  return moves;
}

/** Whether a function, in a pipe or in the background, runs the function again. */
export function startsItself(node: SyntaxNode, name: string, beside: boolean): boolean {
  if (node.type === "Command") return beside && node.name?.value === name;
  const more =
    beside ||
    (node.type === "Pipeline" && node.commands.length > 1) ||
    (node.type === "Statement" && node.background === true);
  let found = false;
  forEachChild(node, (child) => {
    found ||= startsItself(child, name, more);
  });
  return found;
}

const COMPOUND = new Set("If While For Select ArithmeticFor Case BraceGroup Subshell Function Coproc".split(" "));

export function hasNestedHereDocument(node: SyntaxNode, inside: boolean): boolean {
  if (node.type === "HereDoc") return inside;
  let found = false;
  forEachChild(node, (child) => {
    found ||= hasNestedHereDocument(child, inside || COMPOUND.has(node.type));
  });
  return found;
}
