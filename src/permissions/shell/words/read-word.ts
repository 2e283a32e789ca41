import { parse, type Word, type WordPart } from "unbash";
import { namesInWord } from "../names/names-in-word.js";
import { expandBraces } from "./braces.js";
import { knownOutput, printsPlace } from "./known-output.js";
import type { PlainKind } from "./plain-output.js";
import { NUMBER, type ShellWord, unknownWord } from "./shell-word.js";
import type { WordScope } from "./word-scope.js";

const MAX_GUESSES = 32;
/** Of a word that may be something else, too. */
const MAX_HINTS = 8;
const MAX_GUESS_LENGTH = 1_000;
/** Values that stay one word without quotes. */
const ONE_WORD = /^[\w.,:+/@%=^-][\w.,:+/@%=^~-]*$/;
/** A short option, to which a value may be glued. */
const GLUED = /^-[^-]/;

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
  const listed = parts ? namesInWord(parts, scope) : null;
  return listed ? { ...reading.word(text), listed } : reading.word(text);
}

function readTilde(word: Word, parts: readonly WordPart[] | undefined, scope: WordScope, reading: Reading): ShellWord {
  const login = /^~[^/]*/.exec(word.text)![0];
  const directory =
    login === "~" && !scope.variables.changes("HOME") ? scope.home : login === "~+" ? scope.directory : undefined;
  if (directory === undefined) reading.unknown([]);
  else reading.expansion(directory);
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
  /** It may be several words, each of which starts with a commit or a number. */
  #areMany = false;
  #guesses: string[] = [""];
  #complete = true;
  #revision = false;
  /** Nothing stands yet behind the commit or number it starts with, which may be empty. */
  #isBare = false;
  #numbered: string | null = "";
  /** What is left when all it represents is empty; `null` when that cannot be. */
  #left: string | null = "";
  /** Quotes make it a word also when it is empty. */
  #isQuoted = false;
  /** What git prints at its start, or nothing when git refuses. */
  #topLevel: string | null = null;

  constructor(scope: WordScope) {
    this.#scope = scope;
  }

  literal(text: string): void {
    this.#follows(text);
    if (this.#left !== null) this.#left += text;
    if (this.#value !== null) this.#value += text;
    if (this.#known !== null) this.#known += text;
    if (this.#numbered !== null) this.#numbered += text;
    if (this.#prefixOpen) this.#prefix += text;
    this.#guesses = this.#guesses.map((guess) => guess + text);
  }

  /** Known to us, but by the place the command runs in, not by its text. */
  expansion(text: string): void {
    this.#follows(text);
    if (text !== "") this.#left = null;
    this.#numbered = null;
    this.#value = null;
    this.#prefixOpen &&= text !== "";
    if (this.#known !== null) this.#known += text;
    if (this.#prefixOpen) this.#prefix += text;
    this.#prefixOpen = false;
    this.#guesses = this.#guesses.map((guess) => guess + text);
  }

  wildcard(text: string): void {
    this.#follows("-");
    if (!this.#scope.vanishes) this.#left = null;
    this.#numbered = null;
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

  /** When nothing is before it, the word starts with this. */
  #follows(text: string): void {
    if (!this.#isBare || text === "") return;
    this.#isBare = false;
    this.#revision &&= !text.startsWith("-");
  }

  /** One of several values, and no other. */
  #oneOf(values: readonly string[]): void {
    this.#follows("-");
    if (this.#guesses.length * values.length > MAX_GUESSES) this.#complete = false;
    const areNumbers = this.#numbered !== null && values.length > 0 && values.every((value) => /^\d*$/.test(value));
    this.#numbered = areNumbers ? this.#numbered + NUMBER : null;
    this.#value = null;
    this.#known = null;
    this.#prefixOpen = false;
    this.#guesses = this.#guesses
      .flatMap((guess) => values.map((value) => guess + value))
      .filter((guess) => guess.length <= MAX_GUESS_LENGTH)
      .slice(0, this.#complete ? MAX_GUESSES : MAX_HINTS);
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
        this.#isQuoted = true;
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
        this.#left = null;
        this.unknown([]);
        return;
      case "CommandExpansion": {
        const place = part.script && printsPlace(part.script) ? this.#placeOf("PWD") : undefined;
        if (place !== undefined && (quoted || !/[\s*?[]/.test(place))) {
          this.expansion(place);
          return;
        }
        const top = part.script && this.#scope.topLevelBy(part.script);
        if (top !== undefined && this.#top(top, quoted)) return;
        const text = quoted && part.script ? knownOutput(part.script) : null;
        const output = text === null && part.script ? this.#scope.plainOutputOf(part.script) : null;
        if (output && (quoted || output.isOne)) this.#plain(output.kind, output.isOne);
        else if (output) this.#plainWords(output.kind);
        else if (text === null) this.#dynamic(quoted, part.script ? this.#scope.printedBy(part.script) : []);
        else this.literal(text);
        return;
      }
      case "BraceExpansion":
        // Where the shell does not expand braces, as in an assignment, they are text.
        !quoted && /[$`'"\\]/.test(part.text) ? this.unknown([]) : this.literal(part.text);
        return;
      default:
        if (part.type === "ArithmeticExpansion") {
          this.#left = null;
          this.#plain("number");
          this.#isBare = false;
        } else this.#dynamic(quoted, []);
        return;
    }
  }

  #parameter(part: Extract<WordPart, { type: "ParameterExpansion" }>, quoted: boolean): void {
    const index = part.index?.text;
    // In quotes, too, they become one word for each element.
    const isMany = index === "@" || part.parameter === "@";
    if (part.prefix || part.index) {
      const values = part.prefix || part.operation ? [] : this.#scope.variables.valuesOf(part.parameter);
      const elements = index === "@" || index === "*" ? [values.join(" ")] : values;
      this.#dynamic((quoted && !isMany) || part.prefix === "#", values.length > 0 ? elements : []);
      return;
    }
    if (!part.operation) {
      this.#variable(part.parameter, quoted);
      return;
    }
    const fallback = part.operation.type === "Default" ? readPlain(part.operation.operand, this.#scope).guesses : [];
    this.#dynamic(quoted && !isMany, [...this.#scope.variables.valuesOf(part.parameter), ...fallback]);
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
    const top = this.#scope.topLevelIn(name);
    if (top !== undefined && this.#top(top, quoted)) return;
    const all = this.#scope.variables.allValuesOf(name);
    if (all && (quoted || all.every((value) => ONE_WORD.test(value)))) {
      const isSet = this.#scope.isSet(name);
      this.#oneOf(isSet ? all : [...all, ""]);
      if (isSet && !all.includes("")) this.#left = null;
      return;
    }
    const kind = this.#scope.plainIn(name);
    if (kind) {
      this.#plain(kind);
      return;
    }
    const { home } = this.#scope;
    // A tilde in what is assigned is expanded when it is assigned.
    const values = this.#scope.variables.valuesOf(name).map((value) => value.replace(/^~(?=\/|$)/, home ?? "~"));
    const isNumber = /^[#?$!]$/.test(name);
    if (isNumber && name !== "!") this.#left = null;
    this.#dynamic(quoted || isNumber, values);
  }

  /** A word of it, or nothing. */
  #plain(kind: PlainKind, isOne = true): void {
    if (kind === "ref") this.#scope.takesRefs();
    const isRevision = this.#isBare || (this.#prefixOpen && this.#prefix === "");
    const numbered = kind === "number" && isOne && this.#numbered !== null ? this.#numbered + NUMBER : null;
    this.unknown([]);
    this.#numbered = numbered;
    this.#revision ||= isRevision;
    this.#isBare = isRevision;
  }

  /** Any number of them. */
  #plainWords(kind: PlainKind): void {
    this.#plain(kind, false);
    this.#areMany = true;
  }

  /** Git refuses where somebody else owns the directory, so what is behind it in the word may begin at the root. */
  #top(directory: string, quoted: boolean): boolean {
    if (this.#known !== "" || (!quoted && /[\s*?[]/.test(directory))) return false;
    const left = this.#left;
    this.expansion(directory);
    this.#left = left;
    this.#topLevel = directory;
    return true;
  }

  /** The word without what git prints may be a path, too. */
  #mayBeElsewhere(): boolean {
    const [, first] = /^(\/+[^/]*)/.exec(this.#known?.slice(this.#topLevel?.length) ?? "/") ?? [];
    return this.#topLevel !== null && first !== undefined && this.#scope.isDirectory(first);
  }

  #placeOf(name: string): string | undefined {
    if (!/^(?:HOME|PWD|TMPDIR)$/.test(name) || this.#scope.variables.changes(name)) return undefined;
    if (name === "TMPDIR") return this.#scope.temporary;
    return name === "HOME" ? this.#scope.home : this.#scope.directory;
  }

  #dynamic(quoted: boolean, values: readonly string[]): void {
    if (!quoted) this.#splits = true;
    this.unknown(values);
  }

  word(raw: string): ShellWord {
    if (this.#mayBeElsewhere()) return unknownWord(raw);
    const splits = this.#splits || this.#areMany;
    const isOpen = this.#value === null && this.#left !== null && !splits;
    const vanishes = (isOpen && this.#left === "" && !this.#isQuoted) || (this.#pattern && this.#scope.vanishes);
    const emptied = isOpen && GLUED.test(this.#left!) ? this.#left! : undefined;
    return {
      raw,
      value: this.#value,
      known: this.#known,
      pattern: this.#pattern,
      prefix: this.#prefix,
      splits,
      guesses: vanishes ? this.#guesses.filter((guess) => guess !== "") : this.#guesses,
      ...(this.#value === null && this.#known === null && this.#complete && { complete: true }),
      ...(vanishes && { vanishes }),
      ...(emptied !== undefined && { emptied }),
      ...(this.#revision && !this.#splits && { revision: true }),
      ...(this.#value === null && this.#numbered !== null && { numbered: this.#numbered }),
    };
  }
}
