// The outcome of lists, conditions and functions: the directories after them, and commands that may not have run.
import type { SyntaxNode } from "unbash";
import { type Directories, eitherWay, joinDirectories, type Outcome } from "../words/shell-word.js";
import { MOVES, startsItself } from "./findings.js";
import type { ShellScript } from "./script.js";

type Node<Type> = Extract<SyntaxNode, { type: Type }>;

export function readList(
  script: ShellScript,
  { commands, operators }: Node<"AndOr">,
  directories: Directories,
): Outcome {
  let outcome = script.node(commands[0]!, directories);
  // Behind `||` it is not known which of them ran.
  const isChain = operators.every((operator) => operator === "&&");
  return script.set.within(() => {
    for (const [index, operator] of operators.entries()) {
      if (script.findings.isFull) break;
      const isAnd = operator === "&&";
      const read = () => script.node(commands[index + 1]!, isAnd ? outcome.ok : outcome.fail);
      const { ok, fail } = isChain ? read() : script.set.within(read);
      outcome = isAnd
        ? { ok, fail: joinDirectories(outcome.fail, fail) }
        : { ok: joinDirectories(outcome.ok, ok), fail };
    }
    return outcome;
  });
}

export function readIf(script: ShellScript, node: Node<"If">, directories: Directories): Outcome {
  let clause = script.node(node.clause, directories);
  let after = eitherWay(script.node(node.then, clause.ok));
  for (const branch of node.elif) {
    clause = script.node(branch.clause, clause.fail);
    after = joinDirectories(after, eitherWay(script.node(branch.then, clause.ok)));
  }
  after = joinDirectories(after, node.else ? eitherWay(script.node(node.else, clause.fail)) : clause.fail);
  return { ok: after, fail: after };
}

export function readCase(script: ShellScript, node: Node<"Case">, directories: Directories): Outcome {
  script.expansions.scan(node.word, directories);
  let after: Directories = directories;
  let entered = directories;
  for (const item of node.items) {
    for (const pattern of item.pattern) script.expansions.pattern(pattern, directories);
    const outcome = eitherWay(script.node(item.body, entered));
    // `;&` goes on with the next one.
    entered =
      item.terminator === ";&" || item.terminator === ";;&" ? joinDirectories(directories, outcome) : directories;
    after = joinDirectories(after, outcome);
  }
  return { ok: after, fail: after };
}

export function readFunction(script: ShellScript, node: Node<"Function">, directories: Directories): Outcome {
  const name = node.name.value;
  if (node.name.parts?.some((part) => part.type !== "Literal")) {
    script.findings.opaque("The name of a function is not plain");
  }
  // It runs wherever the shell stands when it is called, with whatever input the caller has.
  const moves = script.facts.movesInFunctions || MOVES.has(name);
  script.within({ input: { kind: "unknown" } }, () =>
    script.set.withNone(() => script.node(node.body, moves || script.facts.movesAnywhere ? null : directories)),
  );
  if (startsItself(node.body, name, false)) script.findings.forkBomb = true;
  script.functions.add(name);
  return { ok: directories, fail: directories };
}
