// The allow rule that speaks about each command of a line, and how closely.

import { foldCase } from "../../paths/fold.js";
import type { PlacedEffect, ShellCall } from "../request/read-command.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { decoded } from "../shell/invocation/hosts.js";
import { messagesIn } from "../shell/invocation/options.js";
import { UnparsedText } from "../shell/unparsed/unparsed-text.js";
import { isText, wordsOfCode } from "../shell/unparsed/words-of-code.js";
import type { CommandPattern } from "./command-pattern.js";
import { rulesEffect } from "./effect-match.js";
import type { CompiledRule } from "./rules.js";
import { mayName } from "./unparsed-files.js";

/** The closeness with which a covering rule speaks about its command. */
type Closeness = "exact" | "named" | "bare";

export interface Cover {
  readonly rule: CompiledRule;
  readonly closeness: Closeness;
  /** The rule spells out the whole command line. */
  readonly line: boolean;
}

/** A command of a line, what covers it, and what it does. */
export interface Part {
  readonly command: AnalyzedCommand;
  readonly cover: Cover | null;
  readonly effects: readonly PlacedEffect[];
}

/** The commands of a line, each with the rule that covers it best. */
export function partsOf({ script, analysis, effects }: ShellCall, allows: readonly CompiledRule[]): Part[] {
  const byCommand = analysis.commands.map((): PlacedEffect[] => []);
  for (const each of effects) byCommand[each.effect.command]!.push(each);
  const forShell = allows.filter((rule) => rule.speaksOf("bash"));
  const line: Line = {
    script,
    commands: analysis.commands,
    outputs: new Set(
      analysis.commands.flatMap(({ text, parentIndex }) => (PRINTS_ONE_WORD.test(text) ? [] : parentIndex)),
    ),
  };
  const parts: Part[] = [];
  for (const [index, command] of analysis.commands.entries()) {
    const { impliedByParent, startedBy } = command;
    const starter = startedBy === null ? null : parts[startedBy]!;
    const own = byCommand[index]!;
    const isPassed = starter !== null && isPassedOn(command, starter, own);
    const cover = impliedByParent && starter ? starter.cover : coverOf(index, line, forShell, isPassed);
    parts.push({ command, cover, effects: own });
  }
  return parts;
}

interface Line {
  readonly script: string;
  readonly commands: readonly AnalyzedCommand[];
  /** The positions of commands that have others' output among their words. */
  readonly outputs: ReadonlySet<number | null>;
}

/** Commands whose output is one number or one name, and never an option. */
const PRINTS_ONE_WORD = /^(?:nproc|pwd|git rev-parse (?:--short )?HEAD|date \+[%\w-]+)$/;
const CLOSENESS = ["exact", "named", "bare"] as const;

function coverOf(index: number, line: Line, rules: readonly CompiledRule[], isPassed: boolean): Cover | null {
  let best: Cover | null = null;
  for (const rule of rules) {
    const closeness = closenessOf(rule, index, line) ?? (isPassed ? closenessOfNames(rule, index, line) : null);
    if (closeness && (!best || CLOSENESS.indexOf(closeness) < CLOSENESS.indexOf(best.closeness))) {
      const { about } = rule;
      best = { rule, closeness, line: about.subject === "command" && about.pattern.coversLine(line.script) };
    }
    if (best?.closeness === "exact") break;
  }
  return best;
}

function closenessOf({ about }: CompiledRule, index: number, line: Line): Closeness | null {
  const { script, commands } = line;
  if (about.subject === "everything") return "bare";
  if (about.subject !== "command") return null;
  const { pattern } = about;
  if (pattern.coversLine(script)) return "exact";
  const closeness = pattern.kind === "exact" ? "exact" : "named";
  if (isCovered(index, pattern, line)) return closeness;
  // A rule for what starts it counts when it names this program, too: `xargs rm *`.
  const { program } = commands[index]!;
  const isMeant = closeness === "exact" || (program !== null && pattern.words.slice(1).includes(program));
  for (let at = commands[index]!.startedBy; isMeant && at !== null; at = commands[at]!.startedBy) {
    if (isCovered(at, pattern, line)) return closeness;
  }
  return null;
}

function isCovered(at: number, pattern: CommandPattern, { commands, outputs }: Line): boolean {
  return isPlain(commands[at]!) && pattern.covers(commands[at]!, outputs.has(at));
}

/** Programs that only pass names on, or numbers: a rule for the other program covers what is done with those. */
const PASSES_NAMES = /^(?:find|xargs)$/;

/** To delete what is passed on takes a rule for both. */
function isPassedOn(
  { wrappers, doubts, takesNames }: AnalyzedCommand,
  starter: Part,
  effects: Part["effects"],
): boolean {
  const { program, readOnly } = starter.command;
  const others = wrappers.filter(({ harmless }) => !harmless);
  if (!takesNames || others.length !== 1 || doubts.length > 0 || !PASSES_NAMES.test(program ?? "")) return false;
  return starter.cover !== null || (readOnly && !effects.some(isDeletion));
}

function isDeletion({ effect }: PlacedEffect): boolean {
  return effect.kind === "write" && effect.how === "delete";
}

/**
 * `Bash(eslint:*)` speaks about `find … -exec eslint {} +`; `Bash(rm:*)` about `-exec rm {} +` only beside
 * `Bash(find:*)`.
 */
function closenessOfNames({ about }: CompiledRule, index: number, { commands }: Line): Closeness | null {
  if (about.subject !== "command" || about.pattern.kind !== "prefix") return null;
  return about.pattern.covers(commands[index]!) ? "named" : null;
}

/** Nothing starts it but the shell, or what changes no more than when it runs. */
export function isPlain({ wrappers }: AnalyzedCommand): boolean {
  return wrappers.every(({ harmless }) => harmless);
}

// ── deny and ask rules, compared with the bare words of commands whose effects may not all be known ──────────────────

/** Finds a rule whose file or host stands in a word of a command: too many rather than too few. */
export class MentionedRules {
  readonly #commands: () => readonly AnalyzedCommand[];
  readonly #restricting: readonly CompiledRule[];
  /** The text of the line, for the value of words known only at run time. */
  readonly #script: string;
  #rules: readonly CompiledRule[] | undefined;

  /** `commands`: all of one command line. A rule that none of their words mentions is not looked for again. */
  constructor(commands: () => readonly AnalyzedCommand[], limits: readonly CompiledRule[], script = "") {
    this.#commands = commands;
    this.#script = script;
    this.#restricting = limits.filter(isAboutPlaces);
  }

  /** The first rule that a command mentions. `takesDirectories`: it may read whatever lies below those it is given. */
  find(command: AnalyzedCommand, takesDirectories = false): CompiledRule | undefined {
    if (this.#restricting.length === 0) return undefined;
    if (takesDirectories && command.words.some((word) => ANYWHERE.test(word ?? ""))) {
      const words = command.words.map((word) => word?.replace(ANYWHERE, "") ?? null);
      return mentionedIn(this.#argumentsOf({ ...command, words }), this.#restricting)[0];
    }
    this.#rules ??= mentionedIn(
      this.#commands().flatMap((each) => this.#argumentsOf(each)),
      this.#restricting,
    );
    return this.#rules.length === 0 ? undefined : mentionedIn(this.#argumentsOf(command), this.#rules)[0];
  }

  #argumentsOf(command: AnalyzedCommand): readonly string[] {
    const own = argumentsOf(command);
    const takesMore = command.words.includes(null) || EXPORTS.test(this.#script);
    return takesMore ? [...own, ...command.variants, wordsOfCode(this.#script)] : own;
  }
}

/** A line that gives what it starts variables, which are none of its words. */
const EXPORTS = /(?:^|[\s;&|({])(?:export|declare|typeset|set)\s/;

/** `**\/*.ts` says no more about where its files lie than a directory does. */
const ANYWHERE = /^(?:\.\/)?\*\*\/(?=[*.\w])/;

function isAboutPlaces(rule: CompiledRule): boolean {
  const { about } = rule;
  return (
    about.subject === "url" || (about.subject === "path" && (rulesEffect(rule, "read") || rulesEffect(rule, "write")))
  );
}

function argumentsOf({ words, assignments, text }: AnalyzedCommand): readonly string[] {
  const messages = messagesIn(words);
  const named = words.filter((_, index) => index > 0 && !messages.has(index));
  const known = [...assignments.map(({ value }) => value ?? ""), ...named.map((word) => word ?? "")];
  // In code a name may stand in quotes and brackets, or in pieces; of a word with a variable in it, the rest is known.
  const texts = words.includes(null) ? [...known, text] : known;
  const spelt = known.filter((word) => /%[\da-f]{2}|[^\x20-\x7e]/i.test(word)).map(decoded);
  return [...known, ...spelt, ...texts.filter(isText).map(wordsOfCode)];
}

function mentionedIn(words: readonly string[], rules: readonly CompiledRule[]): readonly CompiledRule[] {
  const text = new UnparsedText(foldCase(words.join(" ")));
  return rules.filter(({ about }) => {
    if (about.subject === "url") return about.pattern.hosts.some((host) => text.holds(host));
    return about.subject === "path" && mayName(text, about.pattern);
  });
}
