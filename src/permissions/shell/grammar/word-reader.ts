// One word of a line: what stands in it, and what the shell puts in for that.
import type { TextCursor } from "./text-cursor.js";
import { TOKEN } from "./tokens.js";

/** Reads the words of one line. A word is its value when it is nothing but text, and `null` when it is more. */
export class WordReader {
  readonly #text: TextCursor;
  readonly #line: () => void;

  /** `line` reads one in parentheses, up to their end. */
  constructor(text: TextCursor, line: () => void) {
    this.#text = text;
    this.#line = line;
  }

  /** `isValue`: it is what a variable is set to, and is not split. */
  word(isValue = false): string | null {
    const text = this.#text;
    const plainWord = text.take(TOKEN.plainWord)?.[0];
    if (plainWord !== undefined) return plainWord;
    const start = text.position;
    let value: string | null = "";
    const put = (piece: string | null) => {
      value = value === null || piece === null ? null : value + piece;
    };
    if (text.take(TOKEN.home)) put(null);
    while (!text.peek(TOKEN.wordEnd) || text.peek(TOKEN.processSubstitution)) {
      const plain = text.take(TOKEN.plain) ?? text.take(TOKEN.plainBraces) ?? text.take(TOKEN.loneDollar);
      const quoted = plain ?? text.take(TOKEN.escaped) ?? text.take(TOKEN.singleQuoted);
      if (quoted) put(quoted[1] ?? quoted[0]);
      else if (text.peek(TOKEN.ansiQuoted)) put(unescaped(text.take(TOKEN.ansiQuoted)![1]!));
      else if (text.take(TOKEN.doubleQuote)) put(this.#doubleQuoted());
      else if (text.take(TOKEN.wildcards) || text.take(TOKEN.braces) || this.#expansion() || text.take(TOKEN.variable))
        put(null);
      else if (text.peek(TOKEN.bracket)) put(text.take(TOKEN.bracket)![0]);
      else if (isValue && text.take(TOKEN.trimmed)) put(null);
      else throw text.unexpected();
    }
    if (text.position === start || text.peek(TOKEN.descriptorAfterNumber)) throw text.unexpected();
    return value;
  }

  /** Takes what the shell puts something in for, if it is next. It holds no code. */
  #expansion(): boolean {
    const text = this.#text;
    if (text.take(TOKEN.number) || text.take(TOKEN.length)) return true;
    if (text.take(TOKEN.arithmetic)) this.arithmetic();
    else if (text.take(TOKEN.processSubstitution) || text.take(TOKEN.substitution)) this.#line();
    else return false;
    return true;
  }

  /** Numbers, and what may hold one, up to the brackets at the end. */
  arithmetic(): void {
    const text = this.#text;
    for (let open = 0; open > 0 || !text.take(TOKEN.arithmeticEnd); ) {
      if (text.take(/\((?!\()/y)) open++;
      else if (open > 0 && text.take(/\)/y)) open--;
      else if (text.take(TOKEN.arithmeticText) || text.take(TOKEN.variable)) continue;
      else if (!text.take(TOKEN.substitution)) throw text.unexpected();
      else this.#line();
    }
  }

  /** Up to the quote at the end. */
  #doubleQuoted(): string | null {
    const text = this.#text;
    let value: string | null = "";
    while (!text.take(TOKEN.doubleQuote)) {
      const plain = text.take(TOKEN.doubleQuotedText)?.[0];
      if (plain === undefined) {
        value = null;
        const isKnown =
          this.#expansion() || text.take(TOKEN.variable) || text.take(TOKEN.trimmed) || text.take(TOKEN.statuses);
        if (!isKnown) throw text.unexpected();
      } else if (value !== null) value += /^\\["\\$`]/.test(plain) ? plain.slice(1) : plain;
    }
    return value;
  }
}

function unescaped(text: string): string {
  return text.replace(/\\([tnr])/g, (_, letter: "t" | "n" | "r") => ({ t: "\t", n: "\n", r: "\r" })[letter]);
}
