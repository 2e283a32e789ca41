// One word of a line: what stands in it, and what the shell puts in for that.
import { type CommandWords, listsNames, type PlainOutput, plainOutput } from "../words/plain-output.js";
import type { LineVariables } from "./line-variables.js";
import type { TextCursor } from "./text-cursor.js";
import { TOKEN } from "./tokens.js";

/** The words of each command of a pipe. A command that is not simple has words that are not known. */
export type Pipe = readonly CommandWords[];

/** A word, as far as the grammar says what it is. */
export interface GrammarWord {
  /** Its value, when it is nothing but text. */
  readonly literal: string | null;
  /** Its values, when braces in it make several: `src/{a,b}.ts`. */
  readonly choices: readonly string[] | null;
  /** It is text and wildcards without quotes: the shell puts in names of files. */
  readonly isWild: boolean;
  /** Variables in it that stand without quotes: it may become any words. */
  readonly unquoted: readonly string[];
  /** It is nothing but one of them. */
  readonly isVariable: boolean;
  /** It is one of them behind text that no program takes for an option: `src/$f`. */
  readonly isPath: boolean;
  /** What its one substitution prints, when it is nothing else and that is plain. */
  readonly output: PlainOutput | null;
  /** It is nothing but a substitution without quotes, of commands that list names of files. */
  readonly isList: boolean;
}

export const PLAIN_WORD = {
  choices: null,
  isWild: false,
  unquoted: [],
  isVariable: false,
  isPath: false,
  output: null,
  isList: false,
};

/** Reads the words of one line. */
export class WordReader {
  readonly #text: TextCursor;
  readonly #variables: LineVariables;
  readonly #line: () => Pipe | null;
  /** The last substitution lists names of files. */
  #isList = false;

  /** `line` reads one in parentheses, up to their end: the pipe, when there is one and nothing else. */
  constructor(text: TextCursor, variables: LineVariables, line: () => Pipe | null) {
    this.#text = text;
    this.#variables = variables;
    this.#line = line;
  }

  /** `isValue`: it is what a variable is set to, and is not split. */
  word(isValue = false): GrammarWord {
    const text = this.#text;
    const plainWord = text.take(TOKEN.plainWord)?.[0];
    if (plainWord !== undefined) return { ...PLAIN_WORD, literal: plainWord };
    const start = text.position;
    const pieces: (string | null)[] = [];
    const outputs: (PlainOutput | null)[] = [];
    const unquoted: string[] = [];
    let isList = false;
    let choices: readonly string[] | null = [""];
    const put = (texts: readonly string[] | null) => {
      choices = choices && texts && choices.length * texts.length <= MAX_CHOICES ? joined(choices, texts) : null;
      pieces.push(texts?.length === 1 ? texts[0]! : null);
    };
    if (text.take(TOKEN.home)) put(null);
    while (!text.peek(TOKEN.wordEnd) || text.peek(TOKEN.processSubstitution)) {
      const plain = text.take(TOKEN.plain) ?? text.take(TOKEN.plainBraces) ?? text.take(TOKEN.loneDollar);
      if (plain) put([plain[0]]);
      else if (text.peek(TOKEN.escaped)) put([text.take(TOKEN.escaped)![1]!]);
      else if (text.peek(TOKEN.ansiQuoted)) put([unescaped(text.take(TOKEN.ansiQuoted)![1]!)]);
      else if (text.peek(TOKEN.singleQuoted)) put([text.take(TOKEN.singleQuoted)![1]!]);
      else if (text.take(TOKEN.doubleQuote)) {
        const quoted = this.#doubleQuoted();
        put(quoted.literal === null ? null : [quoted.literal]);
        // In quotes the words of several lines are one.
        outputs.push(quoted.output?.isOne ? quoted.output : null);
      } else if (text.take(TOKEN.numbers)) {
        put(null);
        outputs.push({ kind: "number", isOne: false });
      } else if (text.take(TOKEN.wildcards)) put(null);
      else if (text.peek(TOKEN.braces)) put(choicesIn(text.take(TOKEN.braces)![0]));
      else if (this.#isBeforeExpansion()) {
        put(null);
        outputs.push(this.#expansion());
        isList = this.#isList;
      } else if (text.peek(TOKEN.bracket)) put([text.take(TOKEN.bracket)![0]]);
      else {
        const name = text.take(TOKEN.variable)?.slice(1).find(Boolean);
        if (name !== undefined) unquoted.push(name);
        else if (!isValue || !text.take(TOKEN.trimmed)) throw text.unexpected();
        put(null);
      }
    }
    if (text.position === start || text.peek(TOKEN.descriptorAfterNumber)) throw text.unexpected();
    const isWild = /^[\w./*?-]*[*?][\w./*?-]*$/.test(text.since(start));
    const literal = pieces.every((piece) => piece !== null) ? pieces.join("") : null;
    const isOnly = pieces.length === 1;
    const [output = null] = isOnly ? outputs : [];
    const isVariable = isOnly && unquoted.length === 1;
    const [, path] = /^(\w[\w./-]*\/)\$\{?[A-Za-z_]/.exec(text.since(start)) ?? [];
    const isPath = path !== undefined && unquoted.length === 1;
    return { literal, choices, isWild, unquoted, isVariable, isPath, output, isList: isOnly && isList };
  }

  #isBeforeExpansion(): boolean {
    return [TOKEN.number, TOKEN.length, TOKEN.arithmetic, TOKEN.substitution, TOKEN.processSubstitution].some((token) =>
      this.#text.peek(token),
    );
  }

  /** What the shell puts in for it holds no code. */
  #expansion(): PlainOutput | null {
    const text = this.#text;
    this.#isList = false;
    if (text.take(TOKEN.number) || text.take(TOKEN.length)) return { kind: "number", isOne: true };
    if (text.take(TOKEN.arithmetic)) return this.arithmetic();
    const isName = text.take(TOKEN.processSubstitution);
    if (!isName) text.take(TOKEN.substitution);
    const pipe = this.#line();
    this.#isList = pipe !== null && !isName && listsNames(pipe);
    return pipe && !isName ? plainOutput(pipe) : null;
  }

  /** Numbers, and what surely holds one, up to the brackets at the end. */
  arithmetic(): PlainOutput {
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
    if (plain !== undefined)
      this.#variables.needNumbers(plain.replace(/\d+#\w+|\b0x[\da-f]+\b/gi, "0").match(/[A-Za-z_]\w*/g) ?? []);
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
      else if (text.take(TOKEN.variable) || text.take(TOKEN.trimmed) || text.take(TOKEN.statuses)) pieces.push(null);
      else throw text.unexpected();
    }
    return { literal, output: pieces.length === 1 ? pieces[0]! : null };
  }
}

function unescaped(text: string): string {
  return text.replace(/\\([tnr])/g, (_, letter: "t" | "n" | "r") => ({ t: "\t", n: "\n", r: "\r" })[letter]);
}

/** More values than this are not looked at one by one. */
const MAX_CHOICES = 64;

function joined(heads: readonly string[], tails: readonly string[]): readonly string[] {
  return heads.flatMap((head) => tails.map((tail) => head + tail));
}

/** `{a,b}`; `null` where they hold wildcards, or count. */
function choicesIn(braces: string): readonly string[] | null {
  return /[*?]|\.\./.test(braces) ? null : braces.slice(1, -1).split(",");
}

/** The variables in words that stand without quotes. */
export function unquotedIn(words: readonly GrammarWord[]): readonly string[] {
  return words.flatMap(({ unquoted }) => unquoted);
}
