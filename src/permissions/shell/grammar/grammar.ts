// What a command line may look like to run without a rule. Everything else asks.
//
//   line      statements, separated by `;`, `&&`, `||` or a line end; a comment; a trailing `&`
//   statement `! time` commands joined by `|`
//   command   simple | ( line ) | { line; } | if line; then line; … fi | while line; do line; done | for NAME in words; do line; done
//             | [[ test ]]
//   simple    NAME=plain … word … with redirections anywhere
//   word      plain text, '…', "…", ~/…, wildcards, {a,b}, $NAME whose values the line shows, $(line), <(line), $((numbers))
//   "…"       text, $NAME, ${NAME}, $? $# $! $$, $(line), $((numbers)), and a backslash before " \ $ and `
//   redirect  to a word, to a descriptor, <<'END', <<END without $, ` and \, <<< word
//
// This reads the text itself, and knows nothing of the parser that finds out what the line does: a line runs without a rule only
// when both understand it, and find the same commands. `tokens.ts` says which characters are plain, `plain-commands.ts` which names and
// which words of builtins.
import { isHarmlessPair } from "../words/variables.js";
import { LineVariables } from "./line-variables.js";
import { checkAssignment, checkSimpleCommand, checkTest, isBuiltin } from "./plain-commands.js";
import { OutsideGrammar, TextCursor } from "./text-cursor.js";
import { NOT_TEXT, TOKEN } from "./tokens.js";

const UNCLEAR_HERE_DOCUMENT = "where a here-document begins is not plain";
/** Lines inside of lines. */
const MAX_DEPTH = 20;

/** A word, as far as the grammar says what it is. */
export interface GrammarWord {
  /** Its value, when it is nothing but text. */
  readonly literal: string | null;
  /** It is text and wildcards without quotes: the shell puts in names of files. */
  readonly isWild: boolean;
  /** Variables in it that stand without quotes: it may become any words. */
  readonly unquoted: readonly string[];
  /** It is nothing but one of them. */
  readonly isVariable: boolean;
}

/** What the grammar makes of a line. */
export interface GrammarReading {
  /** What of it is outside, in words; `null` when all of it is inside. */
  readonly outside: string | null;
  /** The words of each simple command, `null` for those that are more than text. */
  readonly commands: readonly (readonly (string | null)[])[];
}

/** Reads a line, in time proportional to its length. */
export function readByGrammar(line: string): GrammarReading {
  const commands: (string | null)[][] = [];
  try {
    new GrammarReader(line, commands).whole();
    return { outside: null, commands };
  } catch (error) {
    if (error instanceof OutsideGrammar) return { outside: error.message, commands };
    throw error;
  }
}

class GrammarReader {
  readonly #text: TextCursor;
  readonly #variables = new LineVariables();
  readonly #commands: (string | null)[][];
  #hereDocuments: { readonly end: string; readonly isQuoted: boolean; readonly isIndented: boolean }[] = [];
  #depth = 0;

  constructor(line: string, commands: (string | null)[][]) {
    this.#text = new TextCursor(line);
    this.#commands = commands;
    if (NOT_TEXT.test(line)) throw new OutsideGrammar("it holds characters that are not text");
  }

  whole(): void {
    this.#line([]);
    if (!this.#text.isAtEnd) throw this.#text.unexpected();
    if (this.#hereDocuments.length > 0) throw new OutsideGrammar("a here-document has no end");
    this.#variables.check();
  }

  /** Statements up to one of these words, which is left to be read. */
  #line(ends: readonly string[]): void {
    if (++this.#depth > MAX_DEPTH) throw new OutsideGrammar("it is nested too deep");
    const text = this.#text;
    for (;;) {
      this.#gap();
      if (text.isAtEnd || text.isBefore(")") || this.#isBefore(ends)) break;
      this.#statement();
      this.#space();
      if (!text.take(TOKEN.semicolon) && !text.take(TOKEN.background) && !text.isBefore("\n")) {
        if (text.isAtEnd || text.isBefore(")") || text.take(TOKEN.comment)) continue;
        throw text.unexpected();
      }
    }
    this.#depth--;
  }

  #isBefore(ends: readonly string[]): boolean {
    const keyword = this.#text.peek(TOKEN.keyword)?.[0];
    return keyword !== undefined && ends.includes(keyword);
  }

  #statement(): void {
    this.#pipeline();
    for (this.#space(); this.#text.take(TOKEN.andOr); this.#space()) {
      this.#gap();
      this.#pipeline();
    }
  }

  #pipeline(): void {
    while (this.#text.take(TOKEN.pipePrefix)) this.#space();
    this.#command();
    for (this.#space(); this.#text.take(TOKEN.pipe); this.#space()) {
      this.#gap();
      this.#command();
    }
  }

  #command(): void {
    const text = this.#text;
    const keyword = text.take(TOKEN.keyword)?.[0];
    if (keyword === undefined && !text.isBefore("(")) {
      this.#simple();
      return;
    }
    if (keyword === undefined) {
      if (!text.take(/\((?!\()/y)) throw text.unexpected();
      this.#inParentheses();
    } else if (keyword === "{") this.#block("}");
    else if (keyword === "if") this.#if();
    else if (keyword === "while" || keyword === "until") {
      this.#block("do");
      this.#block("done");
    } else if (keyword === "for") this.#for();
    else if (keyword === "[[") checkTest(this.#words(), "]]");
    else throw new OutsideGrammar(`"${keyword}" is where a command should be`);
    this.#redirects();
  }

  /** A line, and the word it ends with. */
  #block(...ends: readonly string[]): string {
    this.#line(ends);
    const end = this.#text.take(TOKEN.keyword)?.[0];
    if (end === undefined) throw this.#text.unexpected();
    return end;
  }

  #inParentheses(): void {
    const open = this.#hereDocuments;
    this.#hereDocuments = [];
    const start = this.#text.position;
    this.#line([]);
    if (!this.#text.take(/\)/y)) throw this.#text.unexpected();
    if (this.#hereDocuments.length > 0 || (open.length > 0 && this.#text.since(start).includes("\n"))) {
      throw new OutsideGrammar(UNCLEAR_HERE_DOCUMENT);
    }
    this.#hereDocuments = open;
  }

  #if(): void {
    this.#block("then");
    for (let end = this.#block("elif", "else", "fi"); end !== "fi"; ) {
      if (end === "elif") this.#block("then");
      end = this.#block("elif", "else", "fi");
    }
  }

  #for(): void {
    this.#space();
    const name = this.#text.take(TOKEN.nameIn)?.[1];
    if (name === undefined) throw this.#text.unexpected();
    const words = this.#words();
    this.#variables.needOneWord(unquotedIn(words));
    checkAssignment(name, null);
    for (const { literal, isWild } of words) {
      if (isWild) this.#variables.giveMatched(name);
      else this.#variables.give(name, literal);
    }
    this.#text.take(/;/y);
    this.#gap();
    if (this.#text.take(TOKEN.keyword)?.[0] !== "do") throw this.#text.unexpected();
    this.#block("done");
  }

  /** Assignments, words and redirections in one. */
  #simple(): void {
    let isForShell = false;
    for (this.#space(); ; this.#space()) {
      if (this.#redirect()) continue;
      const plain = this.#text.take(TOKEN.assignment);
      const name = plain?.[1] ?? this.#text.take(TOKEN.otherAssignment)?.[1];
      if (name === undefined) break;
      const value = plain ? plain[2]! : this.#word().literal;
      isForShell ||= !plain && !isHarmlessPair(name, value);
      if (name === "IFS" && value === "" && this.#text.peek(TOKEN.read)) continue;
      checkAssignment(name, value);
      this.#variables.give(name, value);
    }
    const words = this.#words();
    if (words.length === 0) return;
    if (isForShell) throw new OutsideGrammar("a program is given a variable whose value is not plain");
    this.#commands.push(words.map(({ literal }) => literal));
    for (const name of checkSimpleCommand(words)) this.#variables.give(name, null);
    if (words[0]!.literal === "echo") return;
    const mayBeName = (word: GrammarWord) => word.isVariable && !isBuiltin(words[0]!.literal);
    this.#variables.needWords(unquotedIn(words.filter(mayBeName)));
    this.#variables.needOneWord(unquotedIn(words.filter((word) => !mayBeName(word))));
  }

  #words(): GrammarWord[] {
    const words: GrammarWord[] = [];
    for (this.#space(); ; this.#space()) {
      if (this.#redirect()) continue;
      if (this.#text.isBefore("#") || this.#text.isAtEnd || /[\n;&|)]/.test(this.#text.next)) return words;
      words.push(this.#word());
    }
  }

  #redirects(): void {
    this.#space();
    while (this.#redirect()) this.#space();
  }

  #redirect(): boolean {
    const text = this.#text;
    if (text.take(TOKEN.descriptorRedirect)) return true;
    if (text.take(TOKEN.hereString) || text.take(TOKEN.fileRedirect)) {
      this.#space();
      // A target that becomes several words, or none, is an error of the shell.
      const target = this.#word();
      if (/^\/dev\/(?:tcp|udp)\//.test(target.literal ?? ""))
        throw new OutsideGrammar("it connects to another machine");
      return true;
    }
    const document = text.take(TOKEN.hereDocument);
    if (!document) return false;
    const [, dash, single, double, bare] = document;
    const end = single ?? double ?? bare!;
    this.#hereDocuments.push({ end, isQuoted: bare === undefined, isIndented: dash === "-" });
    return true;
  }

  #word(): GrammarWord {
    const text = this.#text;
    const plainWord = text.take(TOKEN.plainWord)?.[0];
    if (plainWord !== undefined) return { literal: plainWord, isWild: false, unquoted: [], isVariable: false };
    const start = text.position;
    const pieces: (string | null)[] = [];
    const unquoted: string[] = [];
    if (text.take(TOKEN.home)) pieces.push(null);
    while (!text.peek(TOKEN.wordEnd) || text.peek(TOKEN.processSubstitution)) {
      const plain = text.take(TOKEN.plain) ?? text.take(TOKEN.plainBraces) ?? text.take(TOKEN.loneDollar);
      if (plain) pieces.push(plain[0]);
      else if (text.peek(TOKEN.escaped)) pieces.push(text.take(TOKEN.escaped)![1]!);
      else if (text.peek(TOKEN.singleQuoted)) pieces.push(text.take(TOKEN.singleQuoted)![1]!);
      else if (text.take(TOKEN.doubleQuote)) pieces.push(this.#doubleQuoted());
      else if (text.take(TOKEN.wildcards) || text.take(TOKEN.braces) || this.#expansion()) pieces.push(null);
      else if (text.peek(TOKEN.bracket)) pieces.push(text.take(TOKEN.bracket)![0]);
      else {
        const name = text.take(TOKEN.variable)?.slice(1).find(Boolean);
        if (name === undefined) throw text.unexpected();
        unquoted.push(name);
        pieces.push(null);
      }
    }
    if (text.position === start || text.peek(TOKEN.descriptorAfterNumber)) throw text.unexpected();
    if (this.#hereDocuments.length > 0 && text.since(start).includes("\n")) {
      throw new OutsideGrammar(UNCLEAR_HERE_DOCUMENT);
    }
    const isWild = /^[\w./*?-]*[*?][\w./*?-]*$/.test(text.since(start));
    const literal = pieces.every((piece) => piece !== null) ? pieces.join("") : null;
    return { literal, isWild, unquoted, isVariable: pieces.length === 1 && unquoted.length === 1 };
  }

  /** What the shell puts in for it holds no code. */
  #expansion(): boolean {
    const text = this.#text;
    if (text.take(TOKEN.number)) return true;
    const expression = text.take(TOKEN.arithmetic)?.[1];
    if (expression !== undefined) {
      this.#variables.needNumbers(expression.match(/[A-Za-z_]\w*/g) ?? []);
      return true;
    }
    if (!text.take(TOKEN.substitution) && !text.take(TOKEN.processSubstitution)) return false;
    this.#inParentheses();
    return true;
  }

  /** Up to the quote at the end; its value when it is nothing but text. */
  #doubleQuoted(): string | null {
    const text = this.#text;
    let value: string | null = "";
    while (!text.take(TOKEN.doubleQuote)) {
      const plain = text.take(TOKEN.doubleQuotedText)?.[0];
      if (plain !== undefined) {
        if (value !== null) value += /^\\["\\$`]/.test(plain) ? plain.slice(1) : plain;
        continue;
      }
      value = null;
      if (!text.take(TOKEN.variable) && !this.#expansion()) throw text.unexpected();
    }
    return value;
  }

  #space(): void {
    this.#text.take(TOKEN.space);
  }

  /** Spaces, comments and line ends. */
  #gap(): void {
    for (;;) {
      this.#space();
      this.#text.take(TOKEN.comment);
      if (!this.#text.take(TOKEN.newLine)) return;
      for (const document of this.#hereDocuments.splice(0)) this.#hereDocument(document);
    }
  }

  #hereDocument({ end, isQuoted, isIndented }: { end: string; isQuoted: boolean; isIndented: boolean }): void {
    for (let line = this.#text.takeLine(); ; line = this.#text.takeLine()) {
      if (line === null) throw new OutsideGrammar("a here-document has no end");
      if ((isIndented ? line.replace(/^\t+/, "") : line) === end) return;
      if (!isQuoted && /[$`\\]/.test(line)) throw new OutsideGrammar("a here-document expands what is in it");
    }
  }
}

function unquotedIn(words: readonly GrammarWord[]): readonly string[] {
  return words.flatMap(({ unquoted }) => unquoted);
}
