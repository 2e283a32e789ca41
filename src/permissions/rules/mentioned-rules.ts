// Deny and ask rules, compared with the bare words of commands whose effects may not all be known.
import { foldCase } from "../../paths/fold.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { decoded } from "../shell/invocation/hosts.js";
import { messagesIn } from "../shell/invocation/messages.js";
import { UnparsedText } from "../shell/unparsed/unparsed-text.js";
import { isText, wordsOfCode } from "../shell/unparsed/words-of-code.js";
import { rulesEffect } from "./effect-match.js";
import type { CompiledRule } from "./rules.js";
import { mayName } from "./unparsed-files.js";

/** Finds a rule whose file or host stands in a word of a command, wherever in the word: too many rather than too few. */
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
