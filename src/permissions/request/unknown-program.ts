// A program that is in no table may run its words. While rules deny commands, what it would run is looked at, too.
import type { CommandPattern } from "../rules/command-pattern.js";
import type { CompiledRule } from "../rules/rules.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { analyzeCommand } from "../shell/analyze-command.js";
import { findProgram } from "../shell/programs/table.js";

/** The commands in strings that unknown programs may run, as far as they were looked at for one command line. */
export type ReadTexts = Map<string, readonly AnalyzedCommand[]>;

/** Of an unknown program's words only so many are looked at as what it may run, and of a command line only so many. */
const MAX_WORDS = 20;
const MAX_TAILS = 30;
/** Longer strings are not commands. */
const MAX_TEXT = 1_000;

/** The deny rule about what an unknown program would run, if it runs its words: `wrap git -C x push`. */
export function deniedInside(
  command: AnalyzedCommand,
  rules: readonly CompiledRule[],
  tails: ReadTexts,
): CompiledRule | undefined {
  const { known, words, input, program } = command;
  const loose = rules.find(({ ref, about }) => {
    return ref.behavior === "deny" && about.subject === "command" && isLooselyIn(about.pattern, command);
  });
  if (known || loose || program === null) return loose;
  const names = words.slice(1, MAX_WORDS).map((word) => word?.split("/").at(-1));
  const texts = words.slice(1, MAX_WORDS).filter((word) => word !== null && word.length < MAX_TEXT && /\s/.test(word));
  const lines =
    input === null ? [] : input.split("\n", MAX_WORDS).filter((line) => line.trim() && line.length < MAX_TEXT);
  const inTexts = [...texts, ...lines].flatMap((text) => commandsIn(text!, tails) ?? []);
  return rules.find(({ ref, about }) => {
    if (ref.behavior !== "deny" || about.subject !== "command") return false;
    const { pattern } = about;
    if (inTexts.some((each) => pattern.catches(each))) return true;
    return names.some((name, at) => {
      if (pattern.program !== null && name !== pattern.program) return false;
      const tail = words
        .slice(at + 1)
        .map(quoted)
        .join(" ");
      return commandsIn(tail, tails)?.some((each) => pattern.catches(each)) ?? true;
    });
  });
}

/** The command may be what the rule says: a word of it is not known yet, or options that nobody listed may take the next word. */
function isLooselyIn({ program, words: wanted }: CommandPattern, { program: name, words }: AnalyzedCommand): boolean {
  const base = name?.slice(name.lastIndexOf("/") + 1).toLowerCase();
  if (program === null || base !== program.toLowerCase() || wanted.length < 2) return false;
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

/** The commands of a string, also of one behind a sign or a word: `!rm x`, `spawn rm x`. `null`: too many were looked at. */
function commandsIn(text: string, tails: ReadTexts): readonly AnalyzedCommand[] | null {
  const found = tails.get(text);
  if (found) return found;
  if (tails.size >= MAX_TAILS) return null;
  const code = text.replace(/^[!|:\s]+/, "");
  const commands = [...analyzeCommand(code).commands, ...analyzeCommand(code.replace(/^\S+\s+/, "")).commands];
  tails.set(text, commands);
  return commands;
}

function quoted(word: string | null): string {
  return word === null ? "x" : `'${word.replaceAll("'", `'\\''`)}'`;
}
