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
// when both understand it. Which names and words of builtins are in the grammar is said in `plain-commands.ts`.
import { checkAssignment, checkSimpleCommand, checkTest } from "./plain-commands.js";
import { OutsideGrammar, TextCursor } from "./text-cursor.js";

/** Spaces, and line ends that a backslash hides between two words. */
const SPACE = /[ \t]+(?:\\\n[ \t]*)*|(?:\\\n[ \t]+)+/y;
const NEW_LINE = /\n/y;
const COMMENT = /#[^\n]*/y;
const AND_OR = /&&|\|\|/y;
const PIPE = /\|&?(?!\|)/y;
const KEYWORD = /(?:if|then|elif|else|fi|while|until|for|do|done|\[\[|[{}!]|time)(?=[ \t\n;&|)]|$)/y;
const NAME_IN = /([A-Za-z_]\w*)[ \t]+in(?=[ \t\n;])/y;
const ASSIGNMENT = /([A-Za-z_]\w*)=([\w.,:*+-]*)(?=[ \t\n;&|)]|$)/y;
/** For the shell alone: a program might take it for a setting. */
const OTHER_ASSIGNMENT = /([A-Za-z_]\w*)=(?=[^ \t\n;&|()<>])/y;
const READ = /[ \t]+read[ \t]/y;
const FILE_REDIRECT = /\d?(?:>>|>\||>(?![&(])|<(?![<&(>])|&>>?)/y;
const DESCRIPTOR_REDIRECT = /\d?[<>]&(?:\d|-)(?=[ \t\n;&|)]|$)/y;
const HERE_STRING = /\d?<<</y;
const HERE_DOCUMENT = /<<(-?)[ \t]*(?:'([\w.-]+)'|"([\w.-]+)"|([\w.-]+))(?=[ \t\n;&|)<>]|$)/y;

/** Unquoted text that means itself. `~` only where it cannot be a home: in `HEAD~2`, not in `a=~`. */
const PLAIN = /[\w.,%+=:/@^!-]+(?:(?<=[\w^@})])~[\w.^]*)*|(?<=[\w.])#/y;
const ESCAPED = /\\([\x20-\x7e])/y;
const SINGLE_QUOTED = /'([^']*)'/y;
const HOME = /~(?=\/|[ \t\n;&|)]|$)/y;
const WILDCARD = /[*?]|\[[!^]?(?:[\w.,:@%+=^~-]|\[:[a-z]+:\])+\]/y;
const BRACKET = /[[\]]/y;
const BRACES = /\{[\w./*@:+-]*(?:,[\w./*@:+-]*)+\}|\{-?\d+\.\.-?\d+\}|\{[a-z]\.\.[a-z]\}|\{[A-Z]\.\.[A-Z]\}/y;
/** Not braces to the shell: `find -exec … {}`, `stash@{0}`. */
const PLAIN_BRACES = /\{\}|(?<=@)\{[\w-]+\}/y;
const DOUBLE_QUOTED_TEXT = /[^"\\$`]+|\\[^\n]|\$(?=["\s|)/.,:;\\])/y;
/** Numbers that the shell knows: the last status, how many words, processes. */
const NUMBER = /\$[?#!$](?!\w)/y;
const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/y;
const SUBSTITUTION = /\$\((?!\()/y;
const PROCESS_SUBSTITUTION = /<\(/y;
const ARITHMETIC = /\$\(\(([\d\w\s+*/%()-]*?)\)\)/y;
const LONE_DOLLAR = /\$(?=[ \t\n;&|)]|$)/y;
const DOUBLE_QUOTE = /"/y;
const DESCRIPTOR_AFTER_NUMBER = /(?<=(?:^|[ \t\n;&|()])\d+)[<>]/y;
/** Values that stay one word without quotes, and that evaluate to nothing but themselves. */
const ONE_WORD = /^[\w.,:+/@%=-]+$/;
const DIGITS = /^\d+$/;
const WORD_END = /[ \t\n;&|()<>]|\\\n|$/y;

/** Text that is not: what bash, the parser and this may each read in their own way. */
const NOT_TEXT = /[^\P{Cc}\t\n]|\p{Cs}/u;
const UNCLEAR_HERE_DOCUMENT = "where a here-document begins is not plain";
/** Lines inside of lines. */
const MAX_DEPTH = 20;

/** A word, as far as the grammar says what it is. */
export interface GrammarWord {
  /** Its value, when it is nothing but text. */
  readonly literal: string | null;
  /** Variables in it that stand without quotes: it may become any words. */
  readonly unquoted: readonly string[];
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
  /** What the line itself puts into variables; `null` for what it does not show. */
  readonly #values = new Map<string, (string | null)[]>();
  /** Variables whose values have to be single plain words, or numbers, wherever the line sets them. */
  readonly #needed = new Map<string, RegExp>();
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
    for (const [name, shape] of this.#needed) {
      const values = this.#values.get(name) ?? (shape === ONE_WORD && /^(?:HOME|PWD)$/.test(name) ? ["/"] : []);
      const isShown = values.length > 0 && values.every((value) => value !== null && shape.test(value));
      if (!isShown) throw new OutsideGrammar(`the line does not show every value of "${name}"`);
    }
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
      if (!text.take(/;(?!;)/y) && !text.take(/&(?!&)/y) && !text.isBefore("\n")) {
        if (text.isAtEnd || text.isBefore(")") || text.take(COMMENT)) continue;
        throw text.unexpected();
      }
    }
    this.#depth--;
  }

  #isBefore(ends: readonly string[]): boolean {
    const keyword = this.#text.peek(KEYWORD)?.[0];
    return keyword !== undefined && ends.includes(keyword);
  }

  #statement(): void {
    this.#pipeline();
    for (this.#space(); this.#text.take(AND_OR); this.#space()) {
      this.#gap();
      this.#pipeline();
    }
  }

  #pipeline(): void {
    while (this.#text.take(/(?:!|time(?: -p)?)(?=[ \t])/y)) this.#space();
    this.#command();
    for (this.#space(); this.#text.take(PIPE); this.#space()) {
      this.#gap();
      this.#command();
    }
  }

  #command(): void {
    const text = this.#text;
    const keyword = text.take(KEYWORD)?.[0];
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
    else throw new OutsideGrammar(`"${keyword}" stands where a command should`);
    this.#redirects();
  }

  /** A line, and the word it ends with. */
  #block(...ends: readonly string[]): string {
    this.#line(ends);
    const end = this.#text.take(KEYWORD)?.[0];
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
    const name = this.#text.take(NAME_IN)?.[1];
    if (name === undefined) throw this.#text.unexpected();
    const words = this.#words();
    this.#needOneWord(words);
    checkAssignment(name, null);
    for (const { literal } of words) this.#give(name, literal);
    this.#text.take(/;/y);
    this.#gap();
    if (this.#text.take(KEYWORD)?.[0] !== "do") throw this.#text.unexpected();
    this.#block("done");
  }

  /** Assignments, words and redirections in one. */
  #simple(): void {
    let isForShell = false;
    for (this.#space(); ; this.#space()) {
      if (this.#redirect()) continue;
      const plain = this.#text.take(ASSIGNMENT);
      const name = plain?.[1] ?? this.#text.take(OTHER_ASSIGNMENT)?.[1];
      if (name === undefined) break;
      const value = plain ? plain[2]! : this.#word().literal;
      isForShell ||= !plain;
      if (name === "IFS" && value === "" && this.#text.peek(READ)) continue;
      checkAssignment(name, value);
      this.#give(name, value);
    }
    const words = this.#words();
    if (words.length === 0) return;
    if (isForShell) throw new OutsideGrammar("a program is given a variable whose value is not plain");
    this.#commands.push(words.map(({ literal }) => literal));
    for (const name of checkSimpleCommand(words)) this.#give(name, null);
    if (words[0]!.literal !== "echo") this.#needOneWord(words);
  }

  #give(name: string, value: string | null): void {
    const values = this.#values.get(name);
    if (values) values.push(value);
    else this.#values.set(name, [value]);
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
    if (text.take(DESCRIPTOR_REDIRECT)) return true;
    if (text.take(HERE_STRING) || text.take(FILE_REDIRECT)) {
      this.#space();
      const target = this.#word();
      this.#needOneWord([target]);
      if (/^\/dev\/(?:tcp|udp)\//.test(target.literal ?? ""))
        throw new OutsideGrammar("it connects to another machine");
      return true;
    }
    const document = text.take(HERE_DOCUMENT);
    if (!document) return false;
    const [, dash, single, double, bare] = document;
    const end = single ?? double ?? bare!;
    this.#hereDocuments.push({ end, isQuoted: bare === undefined, isIndented: dash === "-" });
    return true;
  }

  #word(): GrammarWord {
    const text = this.#text;
    const start = text.position;
    const pieces: (string | null)[] = [];
    const unquoted: string[] = [];
    if (text.take(HOME)) pieces.push(null);
    while (!text.peek(WORD_END) || text.peek(PROCESS_SUBSTITUTION)) {
      const plain = text.take(PLAIN) ?? text.take(PLAIN_BRACES) ?? text.take(LONE_DOLLAR);
      if (plain) pieces.push(plain[0]);
      else if (text.peek(ESCAPED)) pieces.push(text.take(ESCAPED)![1]!);
      else if (text.peek(SINGLE_QUOTED)) pieces.push(text.take(SINGLE_QUOTED)![1]!);
      else if (text.take(DOUBLE_QUOTE)) pieces.push(this.#doubleQuoted());
      else if (text.take(WILDCARD) || text.take(BRACES) || this.#expansion()) pieces.push(null);
      else if (text.peek(BRACKET)) pieces.push(text.take(BRACKET)![0]);
      else {
        const name = text.take(VARIABLE)?.slice(1).find(Boolean);
        if (name === undefined) throw text.unexpected();
        unquoted.push(name);
        pieces.push(null);
      }
    }
    if (text.position === start || text.peek(DESCRIPTOR_AFTER_NUMBER)) throw text.unexpected();
    if (this.#hereDocuments.length > 0 && text.since(start).includes("\n")) {
      throw new OutsideGrammar(UNCLEAR_HERE_DOCUMENT);
    }
    return { literal: pieces.every((piece) => piece !== null) ? pieces.join("") : null, unquoted };
  }

  /** What the shell puts in for it holds no code. */
  #expansion(): boolean {
    const text = this.#text;
    if (text.take(NUMBER)) return true;
    const expression = text.take(ARITHMETIC)?.[1];
    if (expression !== undefined) {
      this.#need(expression.match(/[A-Za-z_]\w*/g) ?? [], DIGITS);
      return true;
    }
    if (!text.take(SUBSTITUTION) && !text.take(PROCESS_SUBSTITUTION)) return false;
    this.#inParentheses();
    return true;
  }

  /** Without quotes each has to be one plain word. */
  #needOneWord(words: readonly GrammarWord[]): void {
    this.#need(
      words.flatMap(({ unquoted }) => unquoted),
      ONE_WORD,
    );
  }

  /** Whatever the line gives these variables, before or after, has to be of this shape. */
  #need(names: readonly string[], shape: RegExp): void {
    for (const name of names) this.#needed.set(name, this.#needed.get(name) === DIGITS ? DIGITS : shape);
  }

  /** Up to the quote at the end; its value when it is nothing but text. */
  #doubleQuoted(): string | null {
    const text = this.#text;
    let value: string | null = "";
    while (!text.take(DOUBLE_QUOTE)) {
      const plain = text.take(DOUBLE_QUOTED_TEXT)?.[0];
      if (plain !== undefined) {
        if (value !== null) value += /^\\["\\$`]/.test(plain) ? plain.slice(1) : plain;
        continue;
      }
      value = null;
      if (!text.take(VARIABLE) && !this.#expansion()) throw text.unexpected();
    }
    return value;
  }

  #space(): void {
    this.#text.take(SPACE);
  }

  /** Spaces, comments and line ends. */
  #gap(): void {
    for (;;) {
      this.#space();
      this.#text.take(COMMENT);
      if (!this.#text.take(NEW_LINE)) return;
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
