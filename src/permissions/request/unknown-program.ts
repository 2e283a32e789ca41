// A program that is in no table may run its words, and one that runs code whatever stands in it. While rules deny commands, what they
// would run is looked at, too.
import { foldCase } from "../../paths/fold.js";
import type { CommandPattern } from "../rules/command-pattern.js";
import type { CompiledRule } from "../rules/rules.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { analyzeCommand } from "../shell/analyze-command.js";
import { baseName, findProgram } from "../shell/programs/table.js";
import { UnparsedText } from "../shell/unparsed/unparsed-text.js";
import { withoutSyntax } from "../shell/unparsed/without-syntax.js";
import { isText, wordsOfCode } from "../shell/unparsed/words-of-code.js";

/** Of the strings in one command line so many are read as commands; the others, and longer ones, are searched by words. */
const MAX_READ = 12;
const MAX_LENGTH = 1_000;

/** The strings that unknown programs of one command line may run. */
export class InnerTexts {
  readonly #commands = new Map<string, readonly AnalyzedCommand[]>();
  readonly #searched = new Map<string, UnparsedText>();

  /**
   * Whether one of the strings may run what the rule is about, also behind a sign or a word: `!rm x`, `spawn rm x`.
   * @param whole what is searched in place of those that are not read
   */
  mayRun(texts: () => readonly string[], pattern: CommandPattern, whole: string): boolean {
    const some = this.#commands.size < MAX_READ ? texts() : null;
    let isRead = some !== null && some.length <= MAX_READ;
    for (const text of some?.slice(0, MAX_READ) ?? []) {
      const commands = this.#commandsIn(text);
      if (commands?.some((each) => pattern.catches(each))) return true;
      isRead &&= commands !== null;
    }
    return !isRead && pattern.isMentioned(this.#search(whole, withoutSyntax));
  }

  /** Whether code of another language holds the words of a rule, however it puts them together. */
  mayHold(code: string, pattern: CommandPattern): boolean {
    return pattern.isMentioned(this.#search(code, wordsOfCode));
  }

  #commandsIn(text: string): readonly AnalyzedCommand[] | null {
    const known = this.#commands.get(text);
    if (known) return known;
    if (this.#commands.size >= MAX_READ || text.length > MAX_LENGTH) return null;
    const code = text.replace(/^[!|:\s]+/, "");
    const commands = [code, code.replace(/^\S+\s+/, "")].flatMap((each) => analyzeCommand(each).commands);
    this.#commands.set(text, commands);
    return commands;
  }

  #search(text: string, prepared: (text: string) => string): UnparsedText {
    const found = this.#searched.get(text) ?? new UnparsedText(foldCase(prepared(text)));
    this.#searched.set(text, found);
    return found;
  }
}

/** The deny or ask rule about what an unknown program would run, if it runs its words: `wrap git -C x push`. */
export function deniedInside(
  command: AnalyzedCommand,
  rules: readonly CompiledRule[],
  inner: InnerTexts,
): CompiledRule | undefined {
  const { known, words, input, program } = command;
  const denies = rules.filter(({ ref, about }) => ref.behavior !== "allow" && about.subject === "command");
  const find = (isAbout: (pattern: CommandPattern) => boolean) =>
    denies.find(({ about }) => about.subject === "command" && isAbout(about.pattern));
  const loose = find((pattern) => isLooselyIn(pattern, command) || isRenamed(pattern, command));
  if (loose || program === null) return loose;
  const code = codeIn(command);
  const held = code === "" ? undefined : find((pattern) => inner.mayHold(code, pattern));
  if (known || held) return held;
  const args = words.slice(1);
  const names = args.map((word) => word && baseName(word));
  const texts = [...args, ...(input?.split("\n") ?? [])].flatMap((text) =>
    text && /\s/.test(text.trim()) ? text : [],
  );
  const spelled = args.map(quoted);
  const tailsOf = (first: string | null) =>
    names.flatMap((name, at) => (first === null || name === first ? spelled.slice(at).join(" ") : []));
  const whole = `${spelled.join(" ")}\n${input ?? ""}`;
  return find((pattern) => inner.mayRun(() => [...texts, ...tailsOf(pattern.program)], pattern, whole));
}

/** The texts that a program which runs code is given: in its words, its input, and the variables in front. */
function codeIn({ program, words, input, assignments }: AnalyzedCommand): string {
  if (findProgram(baseName(program!))?.does?.runs !== "anything") return "";
  const texts = [...words.slice(1), ...assignments.map(({ value }) => value)];
  return [...texts.filter((text) => text !== null && isText(text)), ...(input === null ? [] : [input])].join("\n");
}

/** The command may be what the rule says: a word of it is not known yet, or options that nobody listed may take the next word. */
function isLooselyIn({ program, words: wanted }: CommandPattern, { program: name, words }: AnalyzedCommand): boolean {
  const base = name && baseName(name).toLowerCase();
  if (program === null || !base || base !== program.toLowerCase() || wanted.length < 2) return false;
  const rest = wanted.slice(1);
  if (rest.some((word) => word.includes("*"))) return false;
  const here = words.slice(1, wanted.length);
  const mayBe = here.length === rest.length && rest.every((word, at) => here[at] === null || here[at] === word);
  if (mayBe) return here.includes(null);
  const row = findProgram(base);
  if (row && (!row.anyOptions || row.analyze)) return false;
  let at = 1;
  for (const word of rest) {
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

function quoted(word: string | null): string {
  return word === null ? "x" : `'${word.replaceAll("'", `'\\''`)}'`;
}
