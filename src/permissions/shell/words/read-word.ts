import { parse, type Word, type WordPart } from "unbash";
import { expandBraces } from "./braces.js";
import { knownOutput, printsPlace } from "./known-output.js";
import { namesInWord } from "./names-in-word.js";
import type { PlainKind } from "./plain-output.js";
import { type ShellWord, unknownWord } from "./shell-word.js";
import { WordDraft } from "./word-draft.js";
import type { WordScope } from "./word-scope.js";

/** Values that stay one word without quotes. */
const ONE_WORD = /^[\w.,:+/@%=^-][\w.,:+/@%=^~-]*$/;

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
  const text = word.text;
  if (text.startsWith("~")) return readTilde(word, parts, scope);
  const draft = new WordDraft(scope);
  const reading = new Reading(scope, draft);
  if (parts) for (const part of parts) reading.part(part, false);
  else draft.literal(word.value);
  const listed = parts ? namesInWord(parts, scope) : null;
  return listed ? { ...draft.word(text), listed } : draft.word(text);
}

function readTilde(word: Word, parts: readonly WordPart[] | undefined, scope: WordScope): ShellWord {
  const draft = new WordDraft(scope);
  const login = /^~[^/]*/.exec(word.text)![0];
  const directory =
    login === "~" && !scope.variables.changes("HOME") ? scope.home : login === "~+" ? scope.directory : undefined;
  if (directory === undefined) draft.unknown([]);
  else draft.expansion(directory);
  if (!parts) {
    draft.literal(word.value.slice(login.length));
    return draft.word(word.text);
  }
  // The tilde stands in the first part, which is literal when the login name is plain.
  const [first, ...others] = parts;
  if (first?.type === "Literal" && first.value.startsWith(login)) draft.literal(first.value.slice(login.length));
  else draft.unknown([]);
  for (const part of others) new Reading(scope, draft).part(part, false);
  return draft.word(word.text);
}

/** Reads the parts of a word. */
class Reading {
  readonly #scope: WordScope;
  readonly #word: WordDraft;

  constructor(scope: WordScope, word: WordDraft) {
    this.#scope = scope;
    this.#word = word;
  }

  part(part: WordPart, quoted: boolean): void {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        this.#word.literal(part.value);
        return;
      case "DoubleQuoted":
      case "LocaleString":
        // Translation may change the second, but no translation exists for the domain of a script given by its text.
        this.#word.quoted();
        for (const child of part.parts) this.part(child, true);
        return;
      case "Glob":
        part.kind === "bracket" && part.text.includes("$")
          ? this.#word.dynamic(quoted, [])
          : this.#word.wildcard(part.text);
        return;
      case "SimpleExpansion":
        this.#variable(part.text.slice(1), quoted);
        return;
      case "ParameterExpansion":
        this.#parameter(part, quoted);
        return;
      case "ProcessSubstitution":
        // A name under /dev/fd, always one word.
        this.#word.unknown([], true);
        return;
      case "CommandExpansion": {
        const place = part.script && printsPlace(part.script) ? this.#placeOf("PWD") : undefined;
        if (place !== undefined && (quoted || !/[\s*?[]/.test(place))) {
          this.#word.expansion(place);
          return;
        }
        const top = part.script && this.#scope.topLevelBy(part.script);
        if (top !== undefined && this.#word.top(top, quoted)) return;
        const text = quoted && part.script ? knownOutput(part.script) : null;
        const output = text === null && part.script ? this.#scope.plainOutputOf(part.script) : null;
        if (output && (quoted || output.isOne)) this.#plain(output.kind, output.isOne);
        else if (output) this.#plain(output.kind, false, true);
        else if (text === null) this.#word.dynamic(quoted, part.script ? this.#scope.printedBy(part.script) : []);
        else this.#word.literal(text);
        return;
      }
      case "BraceExpansion":
        // Where the shell does not expand braces, as in an assignment, they are text.
        !quoted && /[$`'"\\]/.test(part.text) ? this.#word.unknown([]) : this.#word.literal(part.text);
        return;
      default:
        part.type === "ArithmeticExpansion" ? this.#word.number() : this.#word.dynamic(quoted, []);
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
      this.#word.dynamic((quoted && !isMany) || part.prefix === "#", values.length > 0 ? elements : []);
      return;
    }
    if (!part.operation) {
      this.#variable(part.parameter, quoted);
      return;
    }
    const fallback = part.operation.type === "Default" ? readPlain(part.operation.operand, this.#scope).guesses : [];
    this.#word.dynamic(quoted && !isMany, [...this.#scope.variables.valuesOf(part.parameter), ...fallback]);
  }

  #variable(name: string, quoted: boolean): void {
    const place = this.#placeOf(name);
    if (place !== undefined && (quoted || !/[\s*?[]/.test(place))) {
      this.#word.expansion(place);
      return;
    }
    if (name === "@" || name === "*") {
      this.#word.dynamic(name === "*" && quoted, []);
      return;
    }
    const top = this.#scope.topLevelIn(name);
    if (top !== undefined && this.#word.top(top, quoted)) return;
    const all = this.#scope.variables.allValuesOf(name);
    if (all && (quoted || all.every((value) => ONE_WORD.test(value)))) {
      const isSet = this.#scope.isSet(name);
      this.#word.oneOf(isSet ? all : [...all, ""], isSet && !all.includes(""));
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
    this.#word.dynamic(quoted || isNumber, values, isNumber && name !== "!");
  }

  /** One of what git prints, or any number of such words. */
  #plain(kind: PlainKind, isOne = true, areMany = false): void {
    if (kind === "ref") this.#scope.takesRefs();
    areMany ? this.#word.plainWords(kind) : this.#word.plain(kind, isOne);
  }

  #placeOf(name: string): string | undefined {
    if (!/^(?:HOME|PWD|TMPDIR)$/.test(name) || this.#scope.variables.changes(name)) return undefined;
    if (name === "TMPDIR") return this.#scope.temporary;
    return name === "HOME" ? this.#scope.home : this.#scope.directory;
  }
}
