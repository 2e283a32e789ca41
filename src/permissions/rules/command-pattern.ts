// The content of a shell rule, compared with one analysed command at a time.
//   `x y`      exactly these words          `x y:*`, `x y *`   these words, then the end or a space
//   `x*y z`    `*` is any text within the command; it never crosses an operator, a line break or a substitution
import { malformed } from "../../rules/parse-rule.js";
import { onceForEach } from "../once-for-each.js";
import type { AnalyzedCommand, CommandAnalysis, CommandDoubt } from "../shell/analysis.js";
import { analyzeCommand } from "../shell/analyze-command.js";
import { isFlag } from "../shell/command-variants.js";
import { baseName } from "../shell/programs/table.js";
import type { UnparsedText } from "../shell/unparsed/unparsed-text.js";
import { isAbbreviation, namesOf, optionName, subcommandName } from "./aliases.js";

/** A compiled shell rule. */
export interface CommandPattern {
  /** `line`: the rule holds an operator and is compared with the whole command line. */
  readonly kind: "exact" | "prefix" | "glob" | "line";
  /** The program the rule spells out; `null` when a wildcard is part of it. */
  readonly program: string | null;
  /** The words it spells out, for people and for linting. */
  readonly words: readonly string[];
  /** Literally, for allow rules. `holdsSubstitution`: a word of it is the output of other commands. */
  covers(command: AnalyzedCommand, holdsSubstitution?: boolean): boolean;
  /** The rule spells out the option that a doubt is about. */
  spells(doubt: CommandDoubt): boolean;
  /** The whole command line is what the rule says, character by character. */
  coversLine(script: string): boolean;
  /** In every spelling that does the same, for rules that deny or ask. */
  catches(command: AnalyzedCommand): boolean;
  /** Whether its words stand in a string that is not parsed. */
  isMentioned(text: UnparsedText): boolean;
  /** Whether the command line as a whole is what the rule says, for rules with an operator in them. */
  catchesLine(script: string): boolean;
}

/** Represents `*` while the rest of a rule is brought into the spelling of analysed commands. */
const ANY = "xANYTEXTx";
/** It leads out of the directory that stands before it. */
const CLIMBS = /(?:^|[\s/])\.\.(?:$|[\s/])/;

/** The host of an address with its scheme, anywhere in a word. */
const HOSTS = /\w:\/\/(?:[^/@\s]*@)?([^/:?#\s]*)/g;

/** @throws ConfigurationError for a rule that could never match, naming `rule` */
export function compileCommandPattern(rule: string, content: string): CommandPattern {
  const isPrefix = /(:\*| \*)$/.test(content) && !content.endsWith("\\*");
  const body = isPrefix ? content.slice(0, -2).trimEnd() : content;
  if (body === "") throw malformed(rule, "it names no command");
  const pieces = splitAtStars(body).map((piece) => piece.replace(/[^\S\n]+/g, " "));
  const isGlob = pieces.length > 1;
  const read = analyzeCommand(pieces.join(ANY));
  const [command, ...more] = read.commands.filter(({ startedBy }) => startedBy === null);
  const isLine = !command || more.length > 0 || read.effects.some(isRedirect);
  if (isLine) return linePattern(pieces, isPrefix, body);

  const text = spelled(command, pieces.join(ANY)).split(ANY);
  const words = command.words.map((word) => word ?? ANY);
  const program = words[0]?.includes(ANY) ? null : (words[0] ?? null);
  // With a wrapper in it the rule is about the wrapper, too: `timeout 5 make` denies no `make`.
  const generous = once(() => {
    const meant = command.wrappers.length > 0 ? [pieces.join(ANY)] : command.variants;
    const wanted = meant.flatMap(spellingsOf);
    const all = [...new Set([...wanted.map((one) => one.program), program?.toLowerCase() ?? ANY])];
    return { wanted, programs: all.some(hasWildcard) ? null : all };
  });
  const kind = isGlob ? "glob" : isPrefix ? "prefix" : "exact";
  const longer = isPrefix ? [...text.slice(0, -1), `${text.at(-1)} `, ""] : null;
  const covers = (line: string) => matchesPieces(text, line) || (longer !== null && matchesPieces(longer, line));

  // An option that the rule itself spells out, as `-i` in `sed -i *`, is no surprise to its author.
  const spelledOut = once(() => {
    const { commands } = isGlob ? analyzeCommand(pieces[0]!) : read;
    const doubts = commands.flatMap((each) => each.doubts);
    return new Set(doubts.flatMap(({ kind, reason }) => (kind === "opaque" || kind === "script" ? [] : [reason])));
  });
  const mentioned = words.flatMap((word) => word.split(ANY)).filter((word) => word !== "");
  const staysBelow = isGlob && pieces.slice(0, -1).some((piece) => piece.endsWith("/")) && !CLIMBS.test(body);
  // A rule that names a host means no other.
  const hosts = isGlob ? hostsIn(pieces.join(ANY)) : [];

  return {
    kind,
    program,
    words: words.map((word) => word.replaceAll(ANY, "*")),
    covers: (command, holdsSubstitution = false) =>
      covers(command.text) &&
      (kind === "exact" || !holdsSubstitution || command.knowsWords || !command.words.includes(null)) &&
      !(staysBelow && command.words.some((word) => CLIMBS.test(word ?? ""))) &&
      !(hosts.length > 0 && command.words.some((word) => hostsIn(word ?? "").some((host) => !fitsOneOf(hosts, host)))),
    spells: (doubt) => spelledOut().has(doubt.reason),
    coversLine: (script) => kind === "exact" && isSpelt(script, content),
    catches(command) {
      const { wanted, programs } = generous();
      const started = programs && programsOf(command);
      if (started && !started.some((name) => programs.includes(name))) return false;
      return spellings(command, programs).some(
        (each) => covers(each.text) || wanted.some((one) => wordsMatch(one, each, kind === "exact")),
      );
    },
    isMentioned: (unparsed) => unparsed.mentions(mentioned),
    catchesLine: () => false,
  };
}

/** With a backslash before a star that means itself, or without. */
function isSpelt(script: string, content: string): boolean {
  const line = script.trim();
  return line === content || (content.includes("\\") && line === splitAtStars(content).join("*"));
}

function hostsIn(text: string): readonly string[] {
  return [...text.matchAll(HOSTS)].map(([, host]) => host!.toLowerCase());
}

function fitsOneOf(hosts: readonly string[], host: string): boolean {
  return hosts.some((each) => wordFits(each, host));
}

/** Made when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function linePattern(pieces: readonly string[], isPrefix: boolean, body: string): CommandPattern {
  const squeezed = pieces.map((piece) => (piece.trim() === "" ? piece : piece.replace(/\s+/g, " ")));
  const matches = (script: string) => {
    const line = script.trim().replace(/\s+/g, " ");
    return matchesPieces(isPrefix ? [...squeezed, ""] : squeezed, line);
  };
  return {
    kind: "line",
    program: null,
    words: [body],
    covers: () => false,
    spells: () => false,
    coversLine: (script) => pieces.length === 1 && !isPrefix && isSpelt(script, body),
    catches: () => false,
    isMentioned: () => false,
    catchesLine: matches,
  };
}

/** The spelling of an analysed command, when it understood every word; else the rule's own. */
function spelled({ words, text }: AnalyzedCommand, raw: string): string {
  return words.includes(null) ? raw : text;
}

function isRedirect(effect: CommandAnalysis["effects"][number]): boolean {
  return effect.kind === "write" && effect.redirect === true;
}

/** A spelling of a command, taken apart. */
interface Spelling {
  readonly text: string;
  readonly program: string;
  readonly options: readonly string[];
  readonly operands: readonly string[];
}

/** Programs that are known by other names, too, or by a name among their words. */
const HAS_OTHER_NAMES = /^(?:(?:python|pypy)[\d.]*|git-.*|docker|podman.*|p?kill|killall|pip3)$/;

/** The programs that a command and its wrappers are, in any spelling; `null` when a look at one word does not say. */
const programsOf = onceForEach((command: AnalyzedCommand) => {
  const names = [command, ...command.wrappers].flatMap(({ program }) => {
    const name = (program ?? "").toLowerCase();
    return [name, baseName(name)];
  });
  return names.every((name) => /^[\w.+/-]+$/.test(name) && !HAS_OTHER_NAMES.test(name)) ? names : null;
});

function hasWildcard(program: string): boolean {
  return program.includes(ANY) || program.includes(ANY.toLowerCase());
}

/** `programs`: only those of these programs. */
function spellings(command: AnalyzedCommand, programs: readonly string[] | null): readonly Spelling[] {
  const all = spellingsByProgram(command);
  if (programs === null) return [...all.values()].flat();
  return programs.flatMap((program) => all.get(program) ?? []);
}

const spellingsByProgram = onceForEach((command: AnalyzedCommand) => {
  const { variants, words } = command;
  const texts = words.includes(null) ? variants : [...new Set([...variants, words.join(" ")])];
  const all = new Map<string, Spelling[]>();
  for (const spelling of texts.flatMap(spellingsOf)) {
    const same = all.get(spelling.program);
    if (same) same.push(spelling);
    else all.set(spelling.program, [spelling]);
  }
  return all;
});

function spellingsOf(text: string): Spelling[] {
  const [program = "", ...words] = tokensOf(text);
  return namesOf([program.toLowerCase(), ...words]).map(([name = "", ...args]) => {
    const operands: string[] = [];
    const options: string[] = [];
    for (const word of args) (isFlag(word) ? options : operands).push(word);
    const [subcommand = ""] = operands;
    if (subcommand === "") operands.shift();
    else operands[0] = subcommandName(name, subcommand);
    return {
      text,
      program: name,
      options: options.map((option) => optionName(name, subcommand, option)),
      operands,
    };
  });
}

/** The words of a spelling, without their quotes. */
function tokensOf(spelling: string): string[] {
  if (!/['\\]/.test(spelling)) return spelling.match(/\S+/g) ?? [];
  const tokens = spelling.match(/(?:'[^']*'|\\.|[^\s'])+/g) ?? [];
  return tokens.map((token) => token.replace(/'([^']*)'|\\(.)/g, (_, quoted, escaped) => quoted ?? escaped));
}

/** The same program, the same operands in order, and at least the same options, wherever they stand. */
function wordsMatch(rule: Spelling, { program, options, operands }: Spelling, isExact: boolean): boolean {
  if (!wordFits(rule.program, program)) return false;
  const { options: wantedOptions, operands: wantedOperands } = rule;
  if (isExact && (operands.length !== wantedOperands.length || options.length !== wantedOptions.length)) return false;
  return (
    wantedOptions.every((one) => options.some((option) => optionFits(one, option))) &&
    operandsFit(wantedOperands, operands)
  );
}

/** From the first operand on; a wildcard alone represents any number of them. */
function operandsFit(wanted: readonly string[], operands: readonly string[]): boolean {
  let isLoose = false;
  let at = 0;
  for (const word of wanted) {
    if (word === ANY) {
      isLoose = true;
      continue;
    }
    while (isLoose && at < operands.length && !wordFits(word, operands[at]!)) at++;
    if (at >= operands.length || !wordFits(word, operands[at]!)) return false;
    at++;
    isLoose = false;
  }
  return true;
}

function optionFits(wanted: string, option: string): boolean {
  return wordFits(wanted, option) || option.startsWith(`${wanted}=`) || isAbbreviation(option, wanted);
}

function wordFits(pattern: string, word: string): boolean {
  return (
    pattern === word ||
    (pattern.length >= ANY.length &&
      matchesPieces(
        pattern.split(ANY.toLowerCase()).flatMap((piece) => piece.split(ANY)),
        word,
      ))
  );
}

/** Whether `text` is what `pieces` are with any text in between: a pattern split at its `*`. Linear. */
function matchesPieces(pieces: readonly string[], text: string): boolean {
  const [first = "", ...others] = pieces;
  if (others.length === 0) return text === first;
  const last = others.pop()!;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** From the first opening bracket to the last closing one everything is possible. */
export function bracketsAsStar(text: string): string {
  const [start, end] = [text.indexOf("["), text.lastIndexOf("]")];
  return start === -1 || end < start ? text : `${text.slice(0, start)}*${text.slice(end + 1)}`;
}

/** Splits at every `*` that has no backslash before it, and takes those backslashes away. */
export function splitAtStars(pattern: string): string[] {
  return pattern.split(/(?<!\\)\*/).map((piece) => piece.replace(/\\([*\\])/g, "$1"));
}

/** Whether `text` matches a pattern with `*` for any text. */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesPieces(splitAtStars(pattern), text);
}
