// The grammar of a command line that may run without a rule. Everything else asks.
//
//   line      statements, separated by `;`, `&&`, `||` or a line end; a comment; a trailing `&`
//   statement `! time` commands joined by `|`
//   command   simple | ( line ) | { line; } | if line; then line; … fi | while line; do line; done
//             | for NAME in words; do line; done | for ((NAME=0; NAME<9; NAME++)); do line; done
//             | case word in pattern | pattern) line;; … esac | [[ test ]]
//   simple    NAME=plain … word … with redirections anywhere
//   word      plain text, '…', "…", $'…', ~/…, wildcards, {a,b}, $NAME, $(line), <(line), $((numbers))
//   "…"       text, $NAME, ${NAME}, ${NAME%text}, ${NAME#text}, $? $# $! $$, $(line), $((numbers)),
//             and a backslash before " \ $ and `
//   redirect  to a word, to a descriptor, <<'END', <<END without $, ` and \, <<< word
//
// This reads the text itself, and knows nothing of the parser that finds out what the line does: a line runs without a
// rule only when both understand it, and find the same commands. `tokens.ts` says which characters are plain. What
// words mean is left to the analysis: a variable without quotes whose values the line does not show, and a builtin
// whose words are not plain, are outside as well.

import { isHarmlessPair, isSetting } from "../words/environment.js";
import { NOT_TEXT, TOKEN } from "./tokens.js";
import { HereDocuments, OutsideGrammar, TextCursor, WordReader } from "./word-reader.js";

/** The form of a program's name: `git`, `./gradlew`, `/usr/bin/env`. */
const PROGRAM = /^(?:[\w./+@-]+|\[|:)$/;
const KEYWORDS = new Set(
  "case coproc do done elif else esac fi for function if in select then until while time [[ ]] { } !".split(" "),
);

/** Lines inside of lines. */
const MAX_DEPTH = 20;

/** The grammar's reading of a line. */
export interface GrammarReading {
  /** The part of it that is outside, in words; `null` when all of it is inside. */
  readonly outside: string | null;
  /** The words of each simple command, `null` for those that are more than text. */
  readonly commands: readonly (readonly (string | null)[])[];
  /** A program is given a variable that may be more than plain text to it. */
  readonly givesVariable: boolean;
}

interface Found {
  readonly commands: (string | null)[][];
  givesVariable: boolean;
}

/** Reads a line, in time proportional to its length. */
export function readByGrammar(line: string): GrammarReading {
  const found: Found = { commands: [], givesVariable: false };
  try {
    new GrammarReader(line, found).whole();
    return { outside: null, ...found };
  } catch (error) {
    if (error instanceof OutsideGrammar) return { outside: error.message, ...found };
    throw error;
  }
}

class GrammarReader {
  readonly #text: TextCursor;
  readonly #reader: WordReader;
  readonly #reading: Found;
  readonly #hereDocuments: HereDocuments;
  #depth = 0;
  #parentheses = 0;

  constructor(line: string, reading: Found) {
    this.#text = new TextCursor(line);
    this.#reading = reading;
    if (NOT_TEXT.test(line)) throw new OutsideGrammar("it holds characters that are not text");
    this.#hereDocuments = new HereDocuments(this.#text);
    this.#reader = new WordReader(this.#text, () => this.#inParentheses());
  }

  whole(): void {
    this.#line([]);
    if (!this.#text.isAtEnd) throw this.#text.unexpected();
    // One that is named in the last line has no end.
    this.#hereDocuments.read();
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
      if (text.take(TOKEN.background) || text.take(TOKEN.semicolon) || text.isBefore("\n")) continue;
      if (text.isAtEnd || text.isBefore(")") || text.take(TOKEN.comment) || this.#isBefore(ends)) continue;
      throw text.unexpected();
    }
    this.#depth--;
  }

  #isBefore(ends: readonly string[]): boolean {
    if (ends.includes(";;") && this.#text.peek(TOKEN.caseEnd)) return true;
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
    if (text.take(TOKEN.arithmeticCommand)) this.#reader.arithmetic();
    else if (keyword === undefined) {
      if (!text.take(/\((?!\()/y)) throw text.unexpected();
      this.#inParentheses();
    } else if (keyword === "{") this.#block("}");
    else if (keyword === "if") this.#if();
    else if (keyword === "while" || keyword === "until") {
      this.#block("do");
      this.#block("done");
    } else if (keyword === "for") this.#for();
    else if (keyword === "case") this.#case();
    else if (keyword === "[[") this.#test();
    else throw new OutsideGrammar(`"${keyword}" is where a command should be`);
    this.#space();
    while (this.#redirection()) this.#space();
  }

  /** A line, and the word it ends with. */
  #block(...ends: readonly string[]): string {
    this.#line(ends);
    const end = this.#text.take(TOKEN.keyword)?.[0];
    if (end === undefined) throw this.#text.unexpected();
    return end;
  }

  #inParentheses(): void {
    this.#parentheses++;
    this.#hereDocuments.within(() => this.#line([]));
    this.#parentheses--;
    if (!this.#text.take(/\)/y)) throw this.#text.unexpected();
  }

  #if(): void {
    this.#block("then");
    for (let end = this.#block("elif", "else", "fi"); end !== "fi"; ) {
      if (end === "elif") this.#block("then");
      end = this.#block("elif", "else", "fi");
    }
  }

  /** `[[ a && b || c ]]` */
  #test(): void {
    for (;;) {
      const words = this.#words(true);
      if (words.at(-1) === "]]") return;
      if (!this.#text.take(TOKEN.andOr)) throw this.#text.unexpected();
      this.#gap();
    }
  }

  #case(): void {
    // Older shells take its brackets for the end of what it stands in.
    if (this.#parentheses > 0) throw new OutsideGrammar('"case" stands in parentheses');
    this.#space();
    this.#word();
    this.#gap();
    const text = this.#text;
    if (!text.take(TOKEN.in)) throw text.unexpected();
    for (this.#gap(); !text.peek(TOKEN.esac); this.#gap()) {
      text.take(/\([ \t]*/y);
      do {
        if (!text.take(TOKEN.casePattern)) throw text.unexpected();
      } while (text.take(TOKEN.caseOr));
      this.#space();
      if (!text.take(/\)/y)) throw text.unexpected();
      this.#line([";;", "esac"]);
      if (!text.take(TOKEN.caseEnd)) break;
    }
    if (!text.take(TOKEN.esac)) throw text.unexpected();
  }

  #for(): void {
    this.#space();
    const counter = this.#text.take(TOKEN.counter)?.[1];
    const name = counter ?? this.#text.take(TOKEN.nameIn)?.[1];
    if (name === undefined) throw this.#text.unexpected();
    const setting = settingIn(name, null);
    if (setting) throw setting;
    if (counter === undefined) this.#words();
    this.#text.take(/;/y);
    this.#gap();
    if (this.#text.take(TOKEN.keyword)?.[0] !== "do") throw this.#text.unexpected();
    this.#block("done");
  }

  /** Assignments, words and redirections in one. */
  #simple(): void {
    let setting: OutsideGrammar | null = null;
    let isGiven = false;
    for (this.#space(); ; this.#space()) {
      if (this.#redirection()) continue;
      const plain = this.#text.take(TOKEN.assignment);
      const name = plain?.[1] ?? this.#text.take(TOKEN.otherAssignment)?.[1];
      if (name === undefined) break;
      const value = plain ? plain[2]! : this.#word(true);
      // It splits fields for that command alone.
      if (name === "IFS" && value !== null && this.#text.peek(TOKEN.read)) continue;
      setting ??= settingIn(name, value);
      if (name === "IFS" && setting) throw setting;
      isGiven ||= setting !== null || (!plain && !isHarmlessPair(name, value));
    }
    const words = this.#words();
    if (words.length === 0) {
      if (setting) throw setting;
      return;
    }
    this.#reading.givesVariable ||= isGiven;
    checkProgram(words[0]!);
    this.#reading.commands.push(words);
  }

  #words(isTest = false): (string | null)[] {
    const words: (string | null)[] = [];
    for (this.#space(); ; this.#space()) {
      if (this.#redirection()) continue;
      if (isTest && words.at(-1) === "]]") return words;
      if (isTest && this.#text.take(TOKEN.matches)) words.push("=~");
      else if (this.#text.isBefore("#") || this.#text.isAtEnd || /[\n;&|)]/.test(this.#text.next)) return words;
      else words.push(this.#word());
    }
  }

  #redirection(): boolean {
    const text = this.#text;
    if (!/[\d<>&]/.test(text.next)) return false;
    if (text.take(TOKEN.descriptorRedirect)) return true;
    if (!text.take(TOKEN.hereString) && !text.take(TOKEN.fileRedirect)) return this.#hereDocuments.begin();
    this.#space();
    // A target that becomes several words, or none, is an error of the shell.
    if (/^\/dev\/(?:tcp|udp)\//.test(this.#word() ?? "")) throw new OutsideGrammar("it connects to another machine");
    return true;
  }

  #word(isValue = false): string | null {
    return this.#hereDocuments.besideNone(() => this.#reader.word(isValue));
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
      this.#hereDocuments.read();
    }
  }
}

/** @throws OutsideGrammar when the first word of a command is not the name of a program, or of a builtin */
function checkProgram(name: string | null): void {
  if (name === null || !PROGRAM.test(name)) throw new OutsideGrammar("the name of a program is not a plain word");
  if (KEYWORDS.has(name)) throw new OutsideGrammar(`"${name}" changes how the line is read`);
}

/** The reason why a variable may not be set to this, `null` for a value that is not plain: programs read it as a setting. */
function settingIn(name: string, value: string | null): OutsideGrammar | null {
  return isSetting(name, value) ? new OutsideGrammar(`"${name}" can change what programs do`) : null;
}
