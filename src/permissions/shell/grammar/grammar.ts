// What a command line may look like to run without a rule. Everything else asks.
//
//   line      statements, separated by `;`, `&&`, `||` or a line end; a comment; a trailing `&`
//   statement `! time` commands joined by `|`
//   command   simple | ( line ) | { line; } | if line; then line; … fi | while line; do line; done | for NAME in words; do line; done
//             | for ((NAME=0; NAME<9; NAME++)); do line; done | case word in pattern | pattern) line;; … esac | [[ test ]]
//   simple    NAME=plain … word … with redirections anywhere
//   word      plain text, '…', "…", $'…', ~/…, wildcards, {a,b}, $NAME whose values the line shows, $(line), <(line), $((numbers))
//   "…"       text, $NAME, ${NAME}, ${NAME%text}, ${NAME#text}, $? $# $! $$, $(line), $((numbers)), and a backslash before " \ $ and `
//   redirect  to a word, to a descriptor, <<'END', <<END without $, ` and \, <<< word
//
// This reads the text itself, and knows nothing of the parser that finds out what the line does: a line runs without a rule only
// when both understand it, and find the same commands. `tokens.ts` says which characters are plain, `plain-commands.ts` which names and
// which words of builtins.

import { isHarmlessPair } from "../words/environment.js";
import { type CommandWords, listsNames, type PlainOutput, plainOutput } from "../words/plain-output.js";
import { readBranches } from "./case.js";
import { HereDocuments } from "./here-documents.js";
import { LineVariables, shownValue } from "./line-variables.js";
import { checkAssignment, checkSimpleCommand, checkTest, isBuiltin } from "./plain-commands.js";
import { Redirections } from "./redirections.js";
import { OutsideGrammar, TextCursor } from "./text-cursor.js";
import { NOT_TEXT, TOKEN } from "./tokens.js";
import { type GrammarWord, type Pipe, PLAIN_WORD, unquotedIn, WordReader } from "./word-reader.js";

/** Lines inside of lines. */
const MAX_DEPTH = 20;

const NOT_SIMPLE: CommandWords = [null];

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
  readonly #reader: WordReader;
  readonly #commands: (string | null)[][];
  readonly #hereDocuments: HereDocuments;
  readonly #redirections: Redirections;
  #depth = 0;
  #parentheses = 0;
  /** What the next `read` of a loop takes line by line: names of files, or what is plain. */
  #fed: PlainOutput | "names" | null = null;

  constructor(line: string, commands: (string | null)[][]) {
    this.#text = new TextCursor(line);
    this.#commands = commands;
    if (NOT_TEXT.test(line)) throw new OutsideGrammar("it holds characters that are not text");
    this.#hereDocuments = new HereDocuments(this.#text);
    this.#redirections = new Redirections(this.#text, this.#hereDocuments, () => this.#word());
    this.#reader = new WordReader(this.#text, this.#variables, () => this.#inParentheses());
  }

  whole(): void {
    this.#line([]);
    if (!this.#text.isAtEnd) throw this.#text.unexpected();
    // One that is named in the last line has no end.
    this.#hereDocuments.read();
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
        if (text.isAtEnd || text.isBefore(")") || text.take(TOKEN.comment) || this.#isBefore(ends)) continue;
        throw text.unexpected();
      }
    }
    this.#depth--;
    return pipes.length === 1 ? pipes[0]! : null;
  }

  #isBefore(ends: readonly string[]): boolean {
    if (ends.includes(";;") && this.#text.peek(TOKEN.caseEnd)) return true;
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
    let fed: PlainOutput | "names" | null = null;
    this.#fed = null;
    const keyword = text.take(TOKEN.keyword)?.[0];
    if (keyword === undefined && !text.isBefore("(")) return this.#simple(lines);
    if (text.take(TOKEN.arithmeticCommand)) this.#reader.arithmetic();
    else if (keyword === undefined) {
      if (!text.take(/\((?!\()/y)) throw text.unexpected();
      this.#inParentheses();
    } else if (keyword === "{") this.#block("}");
    else if (keyword === "if") this.#if();
    else if (keyword === "while" || keyword === "until") {
      fed = listsNames(piped) ? "names" : plainOutput(piped);
      this.#fed = fed;
      this.#block("do");
      this.#block("done");
    } else if (keyword === "for") this.#for();
    else if (keyword === "case") this.#case();
    else if (keyword === "[[") this.#test();
    else throw new OutsideGrammar(`"${keyword}" is where a command should be`);
    const inputs = this.#redirections.inputs;
    this.#redirects();
    if (fed && this.#redirections.inputs > inputs)
      throw new OutsideGrammar("a loop does not read what is piped into it");
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
    this.#parentheses++;
    const pipe = this.#hereDocuments.within(() => this.#line([]));
    this.#parentheses--;
    if (!this.#text.take(/\)/y)) throw this.#text.unexpected();
    return pipe;
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
      const isLast = words.at(-1)?.literal === "]]";
      checkTest(isLast ? words.slice(0, -1) : words, true);
      if (isLast) return;
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
    readBranches(
      this.#text,
      () => this.#gap(),
      () => this.#line([";;", "esac"]),
    );
  }

  #for(): void {
    this.#space();
    const counter = this.#text.take(TOKEN.counter);
    if (counter) {
      this.#variables.give(counter[1]!, "0");
      this.#variables.needNumbers([counter[1]!, ...(counter[2] ? [counter[2]] : [])]);
      checkAssignment(counter[1]!, null);
    } else this.#forEach();
    this.#text.take(/;/y);
    this.#gap();
    if (this.#text.take(TOKEN.keyword)?.[0] !== "do") throw this.#text.unexpected();
    this.#block("done");
  }

  #forEach(): void {
    const name = this.#text.take(TOKEN.nameIn)?.[1];
    if (name === undefined) throw this.#text.unexpected();
    const words = this.#words();
    const isWhole = ({ isVariable }: GrammarWord) => isVariable;
    this.#variables.needWords(unquotedIn(words.filter(isWhole)));
    this.#variables.needOneWord(unquotedIn(words.filter((word) => !isWhole(word))));
    checkAssignment(name, null);
    for (const { literal, choices, isWild, output, isList, isVariable } of words) {
      if (isWild || isVariable || isList) this.#variables.giveMatched(name);
      else if (literal === null && choices) for (const each of choices) this.#variables.give(name, each);
      else this.#variables.give(name, literal ?? shownValue(output));
    }
  }

  /** Assignments, words and redirections in one. `lines`: what its input holds, one to a line. */
  #simple(lines: PlainOutput | "names" | null): CommandWords {
    const before = { inputs: this.#redirections.inputs, outputs: this.#redirections.outputs };
    let isForShell = false;
    let isAlone = true;
    for (this.#space(); ; this.#space()) {
      if (this.#redirections.take()) continue;
      const plain = this.#text.take(TOKEN.assignment);
      const name = plain?.[1] ?? this.#text.take(TOKEN.otherAssignment)?.[1];
      if (name === undefined) break;
      isAlone = false;
      const word = plain ? null : this.#word(true);
      const value = word ? word.literal : plain![2]!;
      // It splits fields for that command alone.
      if (name === "IFS" && value !== null && this.#text.peek(TOKEN.read)) continue;
      isForShell ||= !plain && !isHarmlessPair(name, value);
      checkAssignment(name, value);
      if (word?.isList) this.#variables.giveMatched(name);
      else this.#variables.give(name, value ?? (word?.output?.isOne ? shownValue(word.output) : null));
    }
    const words = this.#words();
    if (words.length === 0) return NOT_SIMPLE;
    if (isForShell) throw new OutsideGrammar("a program is given a variable whose value is not plain");
    const texts = words.map(({ literal }) => literal);
    this.#commands.push(texts);
    const isLine = lines && this.#redirections.inputs === before.inputs && READS_LINE.test(texts.join(" "));
    const given = isLine ? lines : null;
    const [program] = words[0]!.isVariable ? words[0]!.unquoted : [];
    if (program !== undefined) {
      this.#variables.needProgram(program);
      this.#variables.needOneWord(unquotedIn(words.slice(1)));
      return NOT_SIMPLE;
    }
    for (const name of checkSimpleCommand(words)) {
      if (given === "names") this.#variables.giveMatched(name);
      else this.#variables.give(name, shownValue(given));
    }
    const simple = isAlone && this.#redirections.outputs === before.outputs ? texts : NOT_SIMPLE;
    if (words[0]!.literal === "echo") return simple;
    const mayBeName = (word: GrammarWord) => (word.isVariable || word.isPath) && !isBuiltin(words[0]!.literal);
    this.#variables.needWords(unquotedIn(words.filter(mayBeName)));
    this.#variables.needOneWord(unquotedIn(words.filter((word) => !mayBeName(word))));
    return simple;
  }

  #words(isTest = false): GrammarWord[] {
    const words: GrammarWord[] = [];
    for (this.#space(); ; this.#space()) {
      if (this.#redirections.take()) continue;
      if (isTest && words.at(-1)?.literal === "]]") return words;
      if (isTest && this.#text.take(TOKEN.matches)) {
        words.push({ ...PLAIN_WORD, literal: "=~" });
        continue;
      }
      if (this.#text.isBefore("#") || this.#text.isAtEnd || /[\n;&|)]/.test(this.#text.next)) return words;
      words.push(this.#word());
    }
  }

  #redirects(): void {
    this.#space();
    while (this.#redirections.take()) this.#space();
  }

  #word(isValue = false): GrammarWord {
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

/** `read -r name`: one line, whole. */
const READS_LINE = /^read (?:-r )?[A-Za-z_]\w*$/;
