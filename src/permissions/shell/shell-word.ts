import type { ParsedScript, Word, WordPart } from "unbash";
import { parse } from "unbash";
import { expandBraces } from "./braces.js";
import type { ListedNames } from "./programs/listed-names.js";

/** One word of a command, as far as it is known before the command runs. */
export interface ShellWord {
  /** As written. */
  readonly raw: string;
  /** After quote removal; `null` when any part of it is known only at run time, also when it holds wildcards. */
  readonly value: string | null;
  /** As `value`, but with wildcards left in, and with the home and the current folder put in where the script names them. */
  readonly known: string | null;
  /** `known` holds wildcards that the shell expands to names. */
  readonly pattern: boolean;
  /** What it surely starts with. */
  readonly prefix: string;
  /** It may become several words, or none, whose start is not known. */
  readonly splits: boolean;
  /** Values it may have, as far as the script shows: for what must not be missed, never for what may be allowed. */
  readonly guesses: readonly string[];
  /** `guesses` are all the values it can have, wildcards left in. */
  readonly complete?: boolean;
  /** It stands for names of files that another command prints, which are these. */
  readonly listed?: ListedNames;
  /** It starts with the name of a commit, so it is no option. */
  readonly revision?: boolean;
}

/** What words are read with. */
export interface WordScope {
  readonly home: string | undefined;
  /** The current folder when there is exactly one it can be. */
  readonly folder: string | undefined;
  /** The values the script gives a variable anywhere, as far as they are literal. */
  valuesOf(name: string): readonly string[];
  /** All the values it can have; `null` when the script alone does not say. */
  allValuesOf(name: string): readonly string[] | null;
  /** The script may change this variable. */
  changes(name: string): boolean;
  /** The names of files that a script lists, when it does nothing else. */
  listedBy(script: ParsedScript): ListedNames | null;
  /** The same for a variable that holds them, or one of them. */
  listedIn(name: string): ListedNames | null;
  /** What a script prints, as far as that is plain to see. */
  printedBy(script: ParsedScript): readonly string[];
}

const MAX_GUESSES = 8;
const MAX_GUESS_LENGTH = 1_000;

/** A word that is known as it stands. */
export function literalWord(value: string): ShellWord {
  return { raw: quoted(value), value, known: value, pattern: false, prefix: value, splits: false, guesses: [value] };
}

/** A word about which nothing is known: any text, any number of words. */
export function unknownWord(raw: string): ShellWord {
  return { raw, value: null, known: null, pattern: false, prefix: "", splits: true, guesses: [] };
}

/** The words that one written word becomes: several when it has braces. */
export function readWord(word: Word, scope: WordScope): readonly ShellWord[] {
  const parts = word.parts;
  if (!parts?.some((part) => part.type === "BraceExpansion")) return [readPlainWord(word, parts, scope)];
  const texts = expandBraces(word.text, parts);
  if (texts === null) return [unknownWord(word.text)];
  return texts.filter((text) => text !== "").map((text) => readText(text, scope));
}

/** Reads a word where braces are plain text: values of assignments, targets of redirections. */
export function readPlain(word: Word, scope: WordScope): ShellWord {
  return readPlainWord(word, word.parts, scope);
}

function readText(text: string, scope: WordScope): ShellWord {
  const command = parse(`: ${text}`).commands[0]?.command;
  const word = command?.type === "Command" ? command.suffix[0] : undefined;
  if (word?.type !== "Word" || word.text !== text) return unknownWord(text);
  return readPlainWord(word, word.parts, scope);
}

function readPlainWord(word: Word, parts: readonly WordPart[] | undefined, scope: WordScope): ShellWord {
  const reading = new Reading(scope);
  const text = word.text;
  if (text.startsWith("~")) return readTilde(word, parts, scope, reading);
  if (parts) for (const part of parts) reading.part(part, false);
  else reading.literal(word.value);
  const listed = parts?.length === 1 ? listedBy(parts[0]!, scope) : null;
  return listed ? { ...reading.word(text), listed } : reading.word(text);
}

/** The names of files that a word stands for when it is nothing but a substitution or a variable. */
function listedBy(part: WordPart, scope: WordScope): ListedNames | null {
  switch (part.type) {
    case "DoubleQuoted":
      return part.parts.length === 1 ? listedBy(part.parts[0]!, scope) : null;
    case "CommandExpansion":
      return part.script ? scope.listedBy(part.script) : null;
    case "SimpleExpansion":
      return scope.listedIn(part.text.slice(1));
    default:
      return null;
  }
}

function readTilde(word: Word, parts: readonly WordPart[] | undefined, scope: WordScope, reading: Reading): ShellWord {
  const login = /^~[^/]*/.exec(word.text)![0];
  const folder = login === "~" && !scope.changes("HOME") ? scope.home : login === "~+" ? scope.folder : undefined;
  if (folder === undefined) reading.unknown([]);
  else reading.expansion(folder);
  if (!parts) {
    reading.literal(word.value.slice(login.length));
    return reading.word(word.text);
  }
  // The tilde stands in the first part, which is literal when the login name is plain.
  const [first, ...others] = parts;
  if (first?.type === "Literal" && first.value.startsWith(login)) reading.literal(first.value.slice(login.length));
  else reading.unknown([]);
  for (const part of others) reading.part(part, false);
  return reading.word(word.text);
}

class Reading {
  readonly #scope: WordScope;
  #value: string | null = "";
  #known: string | null = "";
  #prefix = "";
  #prefixOpen = true;
  #pattern = false;
  #splits = false;
  #guesses: string[] = [""];
  #complete = true;
  #revision = false;

  constructor(scope: WordScope) {
    this.#scope = scope;
  }

  literal(text: string): void {
    if (this.#value !== null) this.#value += text;
    if (this.#known !== null) this.#known += text;
    if (this.#prefixOpen) this.#prefix += text;
    this.#guesses = this.#guesses.map((guess) => guess + text);
  }

  /** Known to us, but by the place the command runs in, not by its text. */
  expansion(text: string): void {
    this.#value = null;
    this.#prefixOpen &&= text !== "";
    if (this.#known !== null) this.#known += text;
    if (this.#prefixOpen) this.#prefix += text;
    this.#prefixOpen = false;
    this.#guesses = this.#guesses.map((guess) => guess + text);
  }

  wildcard(text: string): void {
    this.#value = null;
    this.#pattern = true;
    this.#prefixOpen = false;
    if (this.#known !== null) this.#known += text;
    this.#guesses = this.#guesses.map((guess) => guess + text);
  }

  unknown(values: readonly string[]): void {
    this.#complete = false;
    this.#oneOf(values);
  }

  /** One of several values, and no other. */
  #oneOf(values: readonly string[]): void {
    if (this.#guesses.length * values.length > MAX_GUESSES) this.#complete = false;
    this.#value = null;
    this.#known = null;
    this.#prefixOpen = false;
    this.#guesses = this.#guesses
      .flatMap((guess) => values.map((value) => guess + value))
      .filter((guess) => guess.length <= MAX_GUESS_LENGTH)
      .slice(0, MAX_GUESSES);
  }

  part(part: WordPart, quoted: boolean): void {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        this.literal(part.value);
        return;
      case "DoubleQuoted":
      case "LocaleString":
        // Translation may change the second, but no translation exists for the domain of a script given by its text.
        for (const child of part.parts) this.part(child, true);
        return;
      case "Glob":
        part.kind === "bracket" && part.text.includes("$") ? this.#dynamic(quoted, []) : this.wildcard(part.text);
        return;
      case "SimpleExpansion":
        this.#variable(part.text.slice(1), quoted);
        return;
      case "ParameterExpansion":
        this.#parameter(part, quoted);
        return;
      case "ProcessSubstitution":
        // A name under /dev/fd, always one word.
        this.#prefixOpen &&= false;
        this.unknown([]);
        return;
      case "CommandExpansion": {
        const text = quoted && part.script ? textOf(part.script) : null;
        if (text === null && part.script && namesRevision(part.script)) {
          this.#revision ||= this.#prefixOpen && this.#prefix === "";
          this.unknown([]);
        } else if (text === null) this.#dynamic(quoted, part.script ? this.#scope.printedBy(part.script) : []);
        else this.literal(text);
        return;
      }
      case "BraceExpansion":
        quoted ? this.literal(part.text) : this.#braces(part.text);
        return;
      default:
        this.#dynamic(quoted, []);
        return;
    }
  }

  #braces(text: string): void {
    // Where the shell does not expand braces, as in an assignment, they are text.
    if (/[$`'"\\]/.test(text)) this.unknown([]);
    else this.literal(text);
  }

  #parameter(part: Extract<WordPart, { type: "ParameterExpansion" }>, quoted: boolean): void {
    const index = part.index?.text;
    // In quotes, too, they become one word for each element.
    const isMany = index === "@" || part.parameter === "@";
    if (part.prefix || part.index) {
      const values = part.prefix || part.operation ? [] : this.#scope.valuesOf(part.parameter);
      const elements = index === "@" || index === "*" ? [values.join(" ")] : values;
      this.#dynamic((quoted && !isMany) || part.prefix === "#", values.length > 0 ? elements : []);
      return;
    }
    if (!part.operation) {
      this.#variable(part.parameter, quoted);
      return;
    }
    const fallback = part.operation.type === "Default" ? readPlain(part.operation.operand, this.#scope).guesses : [];
    this.#dynamic(quoted && !isMany, [...this.#scope.valuesOf(part.parameter), ...fallback]);
  }

  #variable(name: string, quoted: boolean): void {
    const place = this.#placeOf(name);
    if (place !== undefined && (quoted || !/[\s*?[]/.test(place))) {
      this.expansion(place);
      return;
    }
    if (name === "@" || name === "*") {
      this.#dynamic(name === "*" && quoted, []);
      return;
    }
    const all = this.#scope.allValuesOf(name);
    if (all && (quoted || all.every((value) => value !== "" && !/[\s*?[]/.test(value)))) {
      this.#oneOf(all);
      return;
    }
    const { home } = this.#scope;
    // A tilde in what is assigned is expanded when it is assigned.
    const values = this.#scope.valuesOf(name).map((value) => value.replace(/^~(?=\/|$)/, home ?? "~"));
    this.#dynamic(quoted || /^[#?$!]$/.test(name), values);
  }

  #placeOf(name: string): string | undefined {
    if (name !== "HOME" && name !== "PWD") return undefined;
    if (this.#scope.changes(name)) return undefined;
    return name === "HOME" ? this.#scope.home : this.#scope.folder;
  }

  #dynamic(quoted: boolean, values: readonly string[]): void {
    if (!quoted) this.#splits = true;
    this.unknown(values);
  }

  word(raw: string): ShellWord {
    return {
      raw,
      value: this.#value,
      known: this.#known,
      pattern: this.#pattern,
      prefix: this.#prefix,
      splits: this.#splits,
      guesses: this.#guesses,
      ...(this.#value === null && this.#known === null && this.#complete && { complete: true }),
      ...(this.#revision && { revision: true }),
    };
  }
}

/** What a script prints when it is only `cat` with a here-document that is not expanded; else `null`. */
function textOf({ commands }: ParsedScript): string | null {
  const node = commands.length === 1 ? commands[0]!.command : undefined;
  if (node?.type !== "Command" || node.name?.value !== "cat" || node.name.text !== "cat") return null;
  const [redirect, ...more] = node.redirects;
  const words = node.suffix.filter(({ type }) => type === "Word" || type === "Assignment");
  if (node.prefix.length + words.length + more.length > 0 || redirect?.type !== "HereDoc") return null;
  if (!redirect.delimiter?.quoted || redirect.operator !== "<<") return null;
  return redirect.body.text.replace(/\n+$/, "");
}

const REVISION =
  /^git (?:merge-base|describe|branch --show-current|rev-parse(?: (?:--short|--verify|--abbrev-ref))*)(?: (?:--tags|--abbrev=0|--always|--all|--is-ancestor|[\w@{}~^./][\w@{}~^./-]*))*$/;

/** The script prints the name of one commit or branch: one word that is no option. */
function namesRevision({ commands }: ParsedScript): boolean {
  const node = commands.length === 1 ? commands[0]!.command : undefined;
  if (node?.type !== "Command" || node.prefix.length > 0) return false;
  const words = [node.name, ...node.suffix].map((part) => (part?.type === "Word" && !part.parts ? part.value : "\n"));
  return REVISION.test(words.join(" "));
}

const PLAIN = /^(?:[\w@%+=:,./^-][\w@%+=:,./^~-]*|\{\})$/;

/** A literal word as one would write it in a shell: plain, or in single quotes. */
export function quoted(value: string): string {
  return PLAIN.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

/** The word may turn out to be an option, or to hold one. */
export function mayBeOption(word: ShellWord): boolean {
  if (word.value !== null) return false;
  if (word.splits || word.prefix.startsWith("-")) return true;
  if (word.revision) return false;
  if (word.complete) return word.guesses.some((guess) => /^(?:$|[-*?[])/.test(guess));
  return word.prefix === "";
}
