// The names of files that a word represents: `$(git ls-files)`, `"$f"` in a loop over them, `src/$(ls src)`.

import type { WordPart } from "unbash";
import type { ListedNames } from "./shell-word.js";
import type { WordScope } from "./word-scope.js";

/** The names that a word represents when it is nothing but such, or the directory they are in and one of them. */
export function namesInWord(parts: readonly WordPart[], scope: WordScope, isQuoted = false): ListedNames | null {
  const [first, second, third, ...others] = parts;
  if (first?.type === "DoubleQuoted" && !second) return namesInWord(first.parts, scope, true);
  if (!second) {
    const names = first ? listedBy(first, scope, isQuoted) : null;
    return names?.within === undefined ? names : null;
  }
  if (others.length > 0 || first?.type !== "Literal") return null;
  const names = listedBy(second, scope, isQuoted);
  if (!names?.within || first.value !== `${names.within}/`) return null;
  const { within, ...listed } = names;
  // `/package.json`: what names in a directory are followed by, to lead to something in each.
  const rest = third?.type === "Literal" ? third.value : "";
  const isPath = !third || /^(?:\/[\w@+][\w.@+-]*)+$/.test(rest);
  return isPath ? { ...listed, patterns: [`${within}/*${rest}`] } : null;
}

/** In quotes a variable is one word. */
function listedBy(part: WordPart, scope: WordScope, isQuoted: boolean): ListedNames | null {
  switch (part.type) {
    case "DoubleQuoted":
      return part.parts.length === 1 ? listedBy(part.parts[0]!, scope, true) : null;
    case "CommandExpansion":
      return part.script ? scope.listedBy(part.script) : null;
    case "SimpleExpansion":
      return scope.listedIn(part.text.slice(1), isQuoted);
    case "ParameterExpansion":
      return part.prefix || part.index || part.operation ? null : scope.listedIn(part.parameter, isQuoted);
    default:
      return null;
  }
}
