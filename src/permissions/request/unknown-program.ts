// A program that is in no table may run its words, and one that runs code whatever stands in it. While rules deny
// commands, what they would run is looked at, too.
import { foldCase } from "../../paths/fold.js";
import type { CommandPattern } from "../rules/command-pattern.js";
import type { Part } from "../rules/rule-coverage.js";
import type { CompiledRule } from "../rules/rules.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { messagesIn } from "../shell/invocation/options.js";
import type { ProgramRow } from "../shell/programs/program-row.js";
import { baseName, findProgram } from "../shell/programs/table.js";
import { UnparsedText } from "../shell/unparsed/unparsed-text.js";
import { isText, withoutSyntax, wordsOfCode } from "../shell/unparsed/words-of-code.js";

/** The texts of one command line that programs may run, each made ready for a search by words once. */
export class InnerTexts {
  readonly #searched = new Map<string, UnparsedText>();

  /** Whether a text holds the words of a rule, as a command line or as code of another language. */
  mayRun(text: string, pattern: CommandPattern): boolean {
    const known = this.#searched.get(text);
    const found = known ?? new UnparsedText(foldCase(`${withoutSyntax(text)}\n${wordsOfCode(text)}`));
    if (!known) this.#searched.set(text, found);
    return pattern.isMentioned(found);
  }
}

/** The deny or ask rule about what an unknown program would run, if it runs its words: `wrap git -C x push`. */
export function deniedInside(
  { command, effects }: Pick<Part, "command" | "effects">,
  limits: readonly CompiledRule[],
  inner: InnerTexts,
): CompiledRule | undefined {
  const find = (isAbout: (pattern: CommandPattern) => boolean) =>
    limits.find(({ about }) => about.subject === "command" && isAbout(about.pattern));
  const loose = find(
    (pattern) => isLooselyIn(pattern, command) || isRenamed(pattern, command) || isRead(pattern, effects),
  );
  if (loose || command.program === null) return loose;
  const text = textsOf(command).join("\n");
  return text.trim() === "" ? undefined : find((pattern) => inner.mayRun(text, pattern));
}

/** Code a program may run: all words when it is not known; its input, and the variables in front. */
function textsOf({ known, program, words, input, assignments }: AnalyzedCommand): readonly string[] {
  if (known && findProgram(baseName(program!))?.does?.runs !== "anything") return [];
  const texts = [...words.slice(1), ...assignments.map(({ value }) => value)].filter((text) => text !== null);
  return [...(known ? texts.filter(isText) : [texts.join(" ")]), input ?? ""];
}

/** The command may be what the rule says: a word is not known yet, or options in no list may take the next word. */
function isLooselyIn({ program, words: wanted }: CommandPattern, command: AnalyzedCommand): boolean {
  const { program: name, words } = command;
  const base = name && baseName(name).toLowerCase();
  if (program === null || !base || base !== program.toLowerCase() || wanted.length < 2) return false;
  const rest = wanted.slice(1);
  if (rest.some((word) => word.includes("*"))) return false;
  const here = words.slice(1, wanted.length);
  const mayBe = here.length === rest.length && rest.every((word, at) => here[at] === null || here[at] === word);
  if (mayBe) return here.includes(null);
  const row = findProgram(base);
  if (!row || (row.anyOptions && !row.analyze)) return areInOrder(rest, words.slice(1));
  // The word behind a known program's command may be a command as well: `git subtree push`.
  return !command.readOnly && areInOrder(rest, commandWords(command, row));
}

/** Options, files and texts stand behind the commands of a program. */
const MAX_COMMANDS = 4;

function commandWords({ words }: AnalyzedCommand, { aliases = {} }: ProgramRow): readonly (string | null)[] {
  const messages = messagesIn(words);
  const isValue = (at: number) => messages.has(at) || /^--[a-z-]+$/.test(words[at - 1] ?? "");
  const operands = words.filter((word, at) => at > 0 && !isValue(at) && !word?.startsWith("-"));
  const isOne = Object.hasOwn(aliases, operands.slice(0, 2).join(" "));
  return (isOne ? [operands[0]!, ...operands.slice(2)] : operands).slice(0, MAX_COMMANDS);
}

function areInOrder(wanted: readonly string[], words: readonly (string | null)[]): boolean {
  let at = 0;
  for (const word of wanted) {
    while (at < words.length && words[at] !== word) at++;
    if (at++ >= words.length) return false;
  }
  return true;
}

/** A copy of the program, or a link to it, has another name: `cp /bin/rm x`, `ln -s "$(which rm)" x`. */
function isRenamed({ program }: CommandPattern, { program: name, words, text }: AnalyzedCommand): boolean {
  const does = name === null ? undefined : findProgram(baseName(name))?.does;
  if (program === null || does?.runs !== "nothing" || does.writes !== "named") return false;
  if (words.includes(null) && /\$\(|`/.test(text) && wordsOfCode(text).split(/\s+/).includes(program)) return true;
  return words.slice(1).some((word) => word !== null && baseName(word) === program && /bin\/[^/]+$/.test(word));
}

/** The content of the program's file goes elsewhere: `cat /bin/rm > x; ./x`. */
function isRead({ program }: CommandPattern, effects: Part["effects"]): boolean {
  return effects.some(
    ({ effect }) =>
      effect.kind === "read" &&
      effect.only !== "names" &&
      effect.path !== null &&
      baseName(effect.path) === program &&
      /bin\/[^/]+$/.test(effect.path),
  );
}
