import { forEachChild, type ParsedScript, type SyntaxNode, type WordPart } from "unbash";
import type { Variables } from "./variables.js";

const NAME = /[A-Za-z_]\w*/g;
const NUMBER_IN_BASE = /\b\d+#\w+|\b0[xX][\da-fA-F]+|\b\d\w*/g;

/**
 * Whether evaluating an arithmetic expression runs nothing but what stands in it. The shell evaluates the values of
 * variables as expressions again, and the index of an array may hold a command substitution, so every name must be
 * known to hold a number.
 */
export function isPlainArithmetic(node: SyntaxNode, variables: Variables): boolean {
  switch (node.type) {
    case "ArithmeticWord":
      return node.parts ? node.parts.every((part) => isPlainPart(part, variables)) : isPlainText(node.value, variables);
    case "Word":
      return node.parts ? node.parts.every((part) => isPlainPart(part, variables)) : isPlainText(node.text, variables);
    case "ArithmeticCommandExpansion":
      return printsNumber(node.script, variables);
    default: {
      let plain = true;
      forEachChild(node, (child) => {
        plain &&= isPlainArithmetic(child, variables);
      });
      return plain;
    }
  }
}

function isPlainPart(part: WordPart, variables: Variables): boolean {
  switch (part.type) {
    case "Literal":
    case "Glob":
      return isPlainText(part.text, variables);
    case "DoubleQuoted":
      return part.parts.every((child) => isPlainPart(child, variables));
    case "SimpleExpansion":
      return /^\$[#?$!]$/.test(part.text) || (/^\$[A-Za-z_]/.test(part.text) && variables.isNumber(part.text.slice(1)));
    case "ParameterExpansion":
      if (part.prefix === "#") return !part.index || isPlainArithmetic(part.index, variables);
      return (
        !part.prefix &&
        !part.operation &&
        !part.index &&
        variables.isNumber(part.parameter) &&
        /^[A-Za-z_]/.test(part.parameter)
      );
    case "ArithmeticExpansion":
      return part.expression !== undefined && isPlainArithmetic(part.expression, variables);
    case "CommandExpansion":
      return printsNumber(part.script, variables);
    default:
      return false;
  }
}

function printsNumber(script: ParsedScript | undefined, variables: Variables): boolean {
  return script !== undefined && variables.printedBy(script)?.kind === "number";
}

/** The text of an expression, or of an index: `@` and `*` mean all elements. */
export function isPlainText(text: string, variables: Variables): boolean {
  if (/["'`\\$]/.test(text)) return false;
  const names = text.replace(NUMBER_IN_BASE, " ").match(NAME) ?? [];
  return names.every((name) => variables.isNumber(name));
}
