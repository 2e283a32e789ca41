// What a command line may look like to run without a rule. Everything else asks.
//
//   line      statements, separated by `;`, `&&`, `||` or a line end; a comment; a trailing `&`
//   statement `! time` commands joined by `|`
//   command   simple | ( line ) | { line; } | if line; then line; … fi | while line; do line; done | for NAME in words; do line; done
//             | [[ test ]]
//   simple    NAME=plain … word … with redirections anywhere
//   word      plain text, '…', "…", $'…', ~/…, wildcards, {a,b}, $NAME whose values the line shows, $(line), <(line), $((numbers))
//   "…"       text, $NAME, ${NAME}, ${NAME%text}, ${NAME#text}, $? $# $! $$, $(line), $((numbers)), and a backslash before " \ $ and `
//   redirect  to a word, to a descriptor, <<'END', <<END without $, ` and \, <<< word
//
// This reads the text itself, and knows nothing of the parser that finds out what the line does: a line runs without a rule only
// when both understand it, and find the same commands. `tokens.ts` says which characters are plain, `plain-commands.ts` which names and
// which words of builtins.

import { type CommandWords, type PlainOutput, plainOutput } from "../words/plain-output.js";
import { isHarmlessPair } from "../words/variables.js";
import { LineVariables } from "./line-variables.js";
import { checkAssignment, checkSimpleCommand, checkTest, isBuiltin } from "./plain-commands.js";
import { OutsideGrammar, TextCursor } from "./text-cursor.js";
import { NOT_TEXT, TOKEN } from "./tokens.js";

const UNCLEAR_HERE_DOCUMENT = "where a here-document begins is not plain";
/** Lines inside of lines. */
const MAX_DEPTH = 20;

/** The words of each command of a pipe. A command that is not simple has words that are not known. */
type Pipe = readonly CommandWords[];

const NOT_SIMPLE: CommandWords = [null];

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
  /** What its one substitution prints, when it is nothing else and that is plain. */
  readonly output: PlainOutput | null;
}

const PLAIN_WORD = { isWild: false, unquoted: [], isVariable: false, output: null };

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
  /** What the next `read` of a loop takes line by line. */
  #fed: PlainOutput | null = null;
  /** How many redirections there were so far: of inputs, and of outputs that mix or go elsewhere. */
  #inputs = 0;
  #outputs = 0;

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

  /** Statements up to one of these words, which is left to be read. The pipe, when there is one and nothing else. */
  #line(ends: readonly string[]): Pipe | null {
    if (++this.#depth > MAX_DEPTH) throw new OutsideGrammar("it is nested too deep");
    const text = this.#text;
    const pipes: (Pipe | null)[] = [];
    for (;;) {
      this.#gap();
      if (text.isAtEnd || text.isBefore(")") || this.#isBefore(ends)) break;
      pipes.push(this.#statement());
      this.#space();
      if (text.take(TOKEN.background)) pipes.push(null);
      else if (!text.take(TOKEN.semicolon) && !text.isBefore("\n")) {
        if (text.isAtEnd || text.isBefore(")") || text.take(TOKEN.comment)) continue;
        throw text.unexpected();
      }
    }
    this.#depth--;
    return pipes.length === 1 ? pipes[0]! : null;
  }

  #isBefore(ends: readonly string[]): boolean {
    const keyword = this.#text.peek(TOKEN.keyword)?.[0];
    return keyword !== undefined && ends.includes(keyword);
  }

  #statement(): Pipe | null {
    let pipe = this.#pipeline();
    for (this.#space(); this.#text.take(TOKEN.andOr); this.#space()) {
      this.#gap();
      this.#pipeline();
      pipe = null;
    }
    return pipe;
  }

  #pipeline(): Pipe | null {
    let isPlain = true;
    for (; this.#text.take(TOKEN.pipePrefix); this.#space()) isPlain = false;
    const commands = [this.#command([])];
    for (this.#space(); ; this.#space()) {
      const pipe = this.#text.take(TOKEN.pipe)?.[0];
      if (pipe === undefined) return isPlain ? commands : null;
      isPlain &&= pipe === "|";
      this.#gap();
      commands.push(this.#command(isPlain ? commands : []));
    }
  }

  /** The words of a simple command. `piped`: the commands before it in a pipe. */
  #command(piped: Pipe): CommandWords {
    const text = this.#text;
    const lines = this.#fed;
    let fed: PlainOutput | null = null;
    this.#fed = null;
    const keyword = text.take(TOKEN.keyword)?.[0];
    if (keyword === undefined && !text.isBefore("(")) return this.#simple(lines);
    if (keyword === undefined) {
      if (!text.take(/\((?!\()/y)) throw text.unexpected();
      this.#inParentheses();
    } else if (keyword === "{") this.#block("}");
    else if (keyword === "if") this.#if();
    else if (keyword === "while" || keyword === "until") {
      fed = plainOutput(piped);
      this.#fed = fed;
      this.#block("do");
      this.#block("done");
    } else if (keyword === "for") this.#for();
    else if (keyword === "[[") checkTest(this.#words(), "]]");
    else throw new OutsideGrammar(`"${keyword}" is where a command should be`);
    const inputs = this.#inputs;
    this.#redirects();
    if (fed && this.#inputs > inputs) throw new OutsideGrammar("a loop does not read what is piped into it");
    return NOT_SIMPLE;
  }

  /** A line, and the word it ends with. */
  #block(...ends: readonly string[]): string {
    this.#line(ends);
    const end = this.#text.take(TOKEN.keyword)?.[0];
    if (end === undefined) throw this.#text.unexpected();
    return end;
  }

  #inParentheses(): Pipe | null {
    const open = this.#hereDocuments;
    this.#hereDocuments = [];
    const start = this.#text.position;
    const pipe = this.#line([]);
    if (!this.#text.take(/\)/y)) throw this.#text.unexpected();
    if (this.#hereDocuments.length > 0 || (open.length > 0 && this.#text.since(start).includes("\n"))) {
      throw new OutsideGrammar(UNCLEAR_HERE_DOCUMENT);
    }
    this.#hereDocuments = open;
    return pipe;
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
    for (const { literal, isWild, output } of words) {
      if (isWild) this.#variables.giveMatched(name);
      else this.#variables.give(name, literal ?? shownValue(output));
    }
    this.#text.take(/;/y);
    this.#gap();
    if (this.#text.take(TOKEN.keyword)?.[0] !== "do") throw this.#text.unexpected();
    this.#block("done");
  }

  /** Assignments, words and redirections in one. `lines`: what its input holds, one to a line. */
  #simple(lines: PlainOutput | null): CommandWords {
    const before = { inputs: this.#inputs, outputs: this.#outputs };
    let isForShell = false;
    let isAlone = true;
    for (this.#space(); ; this.#space()) {
      if (this.#redirect()) continue;
      const plain = this.#text.take(TOKEN.assignment);
      const name = plain?.[1] ?? this.#text.take(TOKEN.otherAssignment)?.[1];
      if (name === undefined) break;
      isAlone = false;
      const word = plain ? null : this.#word();
      const value = word ? word.literal : plain![2]!;
      // It splits fields for that command alone.
      if (name === "IFS" && value !== null && this.#text.peek(TOKEN.read)) continue;
      isForShell ||= !plain && !isHarmlessPair(name, value);
      checkAssignment(name, value);
      this.#variables.give(name, value ?? (word?.output?.isOne ? shownValue(word.output) : null));
    }
    const words = this.#words();
    if (words.length === 0) return NOT_SIMPLE;
    if (isForShell) throw new OutsideGrammar("a program is given a variable whose value is not plain");
    this.#commands.push(words.map(({ literal }) => literal));
    const isLine = this.#inputs === before.inputs;
    const texts = words.map(({ literal }) => literal);
    const given = isLine && READS_LINE.test(texts.join(" ")) ? shownValue(lines) : null;
    const [program] = words[0]!.isVariable ? words[0]!.unquoted : [];
    if (program !== undefined) {
      this.#variables.needProgram(program);
      this.#variables.needOneWord(unquotedIn(words.slice(1)));
      return NOT_SIMPLE;
    }
    for (const name of checkSimpleCommand(words)) this.#variables.give(name, given);
    const simple = isAlone && this.#outputs === before.outputs ? texts : NOT_SIMPLE;
    if (words[0]!.literal === "echo") return simple;
    const mayBeName = (word: GrammarWord) => word.isVariable && !isBuiltin(words[0]!.literal);
    this.#variables.needWords(unquotedIn(words.filter(mayBeName)));
    this.#variables.needOneWord(unquotedIn(words.filter((word) => !mayBeName(word))));
    return simple;
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
    if (text.take(TOKEN.descriptorRedirect)) {
      this.#inputs++;
      this.#outputs++;
      return true;
    }
    const operator = text.take(TOKEN.hereString) ?? text.take(TOKEN.fileRedirect);
    if (operator) {
      this.#space();
      // A target that becomes several words, or none, is an error of the shell.
      const target = this.#word();
      if (operator[0].includes("<")) this.#inputs++;
      else if (operator[0] !== "2>" || target.literal !== "/dev/null") this.#outputs++;
      if (/^\/dev\/(?:tcp|udp)\//.test(target.literal ?? ""))
        throw new OutsideGrammar("it connects to another machine");
      return true;
    }
    const document = text.take(TOKEN.hereDocument);
    if (!document) return false;
    this.#inputs++;
    const [, dash, single, double, bare] = document;
    const end = single ?? double ?? bare!;
    this.#hereDocuments.push({ end, isQuoted: bare === undefined, isIndented: dash === "-" });
    return true;
  }

  #word(): GrammarWord {
    const text = this.#text;
    const plainWord = text.take(TOKEN.plainWord)?.[0];
    if (plainWord !== undefined) return { ...PLAIN_WORD, literal: plainWord };
    const start = text.position;
    const pieces: (string | null)[] = [];
    const outputs: (PlainOutput | null)[] = [];
    const unquoted: string[] = [];
    if (text.take(TOKEN.home)) pieces.push(null);
    while (!text.peek(TOKEN.wordEnd) || text.peek(TOKEN.processSubstitution)) {
      const plain = text.take(TOKEN.plain) ?? text.take(TOKEN.plainBraces) ?? text.take(TOKEN.loneDollar);
      if (plain) pieces.push(plain[0]);
      else if (text.peek(TOKEN.escaped)) pieces.push(text.take(TOKEN.escaped)![1]!);
      else if (text.peek(TOKEN.ansiQuoted)) pieces.push(unescaped(text.take(TOKEN.ansiQuoted)![1]!));
      else if (text.peek(TOKEN.singleQuoted)) pieces.push(text.take(TOKEN.singleQuoted)![1]!);
      else if (text.take(TOKEN.doubleQuote)) {
        const quoted = this.#doubleQuoted();
        pieces.push(quoted.literal);
        // In quotes the words of several lines are one.
        outputs.push(quoted.output?.isOne ? quoted.output : null);
      } else if (text.take(TOKEN.numbers)) {
        pieces.push(null);
        outputs.push({ kind: "number", isOne: false });
      } else if (text.take(TOKEN.wildcards) || text.take(TOKEN.braces)) pieces.push(null);
      else if (this.#isBeforeExpansion()) {
        pieces.push(null);
        outputs.push(this.#expansion());
      } else if (text.peek(TOKEN.bracket)) pieces.push(text.take(TOKEN.bracket)![0]);
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
    const isOnly = pieces.length === 1;
    const [output = null] = isOnly ? outputs : [];
    return { literal, isWild, unquoted, isVariable: isOnly && unquoted.length === 1, output };
  }

  #isBeforeExpansion(): boolean {
    return [TOKEN.number, TOKEN.arithmetic, TOKEN.substitution, TOKEN.processSubstitution].some((token) =>
      this.#text.peek(token),
    );
  }

  /** What the shell puts in for it holds no code. */
  #expansion(): PlainOutput | null {
    const text = this.#text;
    if (text.take(TOKEN.number)) return null;
    if (text.take(TOKEN.arithmetic)) return this.#arithmetic();
    const isName = text.take(TOKEN.processSubstitution);
    if (!isName) text.take(TOKEN.substitution);
    const pipe = this.#inParentheses();
    return pipe && !isName ? plainOutput(pipe) : null;
  }

  /** Numbers, and what surely holds one, up to the brackets at the end. */
  #arithmetic(): PlainOutput {
    const text = this.#text;
    for (let open = 0; open > 0 || !text.take(TOKEN.arithmeticEnd); ) {
      if (text.take(/\((?!\()/y)) open++;
      else if (open > 0 && text.take(/\)/y)) open--;
      else this.#operand();
    }
    return { kind: "number", isOne: true };
  }

  #operand(): void {
    const text = this.#text;
    const plain = text.take(TOKEN.arithmeticText)?.[0];
    const name = plain === undefined ? text.take(TOKEN.variable)?.slice(1).find(Boolean) : undefined;
    if (plain !== undefined) this.#variables.needNumbers(plain.match(/[A-Za-z_]\w*/g) ?? []);
    else if (name !== undefined) this.#variables.needNumbers([name]);
    else if (!text.peek(TOKEN.substitution) || this.#expansion()?.kind !== "number") throw text.unexpected();
  }

  /** Up to the quote at the end; its value when it is nothing but text. */
  #doubleQuoted(): Pick<GrammarWord, "literal" | "output"> {
    const text = this.#text;
    let literal: string | null = "";
    const pieces: (PlainOutput | null)[] = [];
    while (!text.take(TOKEN.doubleQuote)) {
      const plain = text.take(TOKEN.doubleQuotedText)?.[0];
      if (plain !== undefined) {
        if (literal !== null) literal += /^\\["\\$`]/.test(plain) ? plain.slice(1) : plain;
        pieces.push(null);
        continue;
      }
      literal = null;
      if (this.#isBeforeExpansion()) pieces.push(this.#expansion());
      else if (text.take(TOKEN.variable) || text.take(TOKEN.trimmed)) pieces.push(null);
      else throw text.unexpected();
    }
    return { literal, output: pieces.length === 1 ? pieces[0]! : null };
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

/** `read -r name`: one line, whole. */
const READS_LINE = /^read (?:-r )?[A-Za-z_]\w*$/;

/** A value with the shape of all that are put in. */
function shownValue(output: PlainOutput | null): string | null {
  return output && (output.kind === "number" ? "0" : "x");
}

function unescaped(text: string): string {
  return text.replace(/\\([tn])/g, (_, letter) => (letter === "t" ? "\t" : "\n"));
}

function unquotedIn(words: readonly GrammarWord[]): readonly string[] {
  return words.flatMap(({ unquoted }) => unquoted);
}
