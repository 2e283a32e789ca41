// One word of a line: what stands in it, and what the shell puts in for that.
import { mayEndEarly } from "./older-shells.js";
import { TOKEN } from "./tokens.js";

/** A command line holds something that the grammar does not know. */
export class OutsideGrammar extends Error {}

/** The piece to name of a text that is not understood: an expansion, or up to the next space. */
const PIECE = /^(?:\$\{[^}\n]*\}|\$\w+|`[^`\n]*`|["']|[^\s"']+|[ \t]+)/;
const NAMES: Readonly<Record<string, string>> = { '"': "a double quote", "'": "a quote" };

/** A text, and how far it has been read. */
export class TextCursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get position(): number {
    return this.#at;
  }

  /** The text read from a position on. */
  since(position: number): string {
    return this.#text.slice(position, this.#at);
  }

  /** The text that has not been read. */
  get rest(): string {
    return this.#text.slice(this.#at);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  get next(): string {
    return this.#text[this.#at] ?? "";
  }

  isBefore(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  /** The match of a sticky pattern here; nothing is taken. */
  peek(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  /** Takes what a sticky pattern matches here, if it may be. */
  take(pattern: RegExp, mayBe: (found: RegExpExecArray) => boolean = () => true): RegExpExecArray | null {
    const found = this.peek(pattern);
    if (!found || !mayBe(found)) return null;
    this.#at += found[0].length;
    return found;
  }

  /** The rest of a line, and the line end after it; `null` at the end of the text. */
  takeLine(): string | null {
    if (this.isAtEnd) return null;
    const end = this.#text.indexOf("\n", this.#at);
    const line = this.#text.slice(this.#at, end === -1 ? undefined : end);
    this.#at = end === -1 ? this.#text.length : end + 1;
    return line;
  }

  /** For what stands here, and should not. */
  unexpected(): OutsideGrammar {
    const piece = PIECE.exec(this.#text.slice(this.#at, this.#at + 24))?.[0] ?? "a line end";
    return new OutsideGrammar(this.isAtEnd ? "it ends too early" : `${NAMES[piece] ?? `"${piece}"`} is not plain`);
  }
}

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

interface HereDocument {
  readonly end: string;
  readonly isQuoted: boolean;
  readonly isIndented: boolean;
}

// ── here-documents: named where a command is, and what they hold begins with the next line ───────────────────────────

const UNCLEAR = "where a here-document begins is not plain";

/** Reads those of one line. */
export class HereDocuments {
  readonly #text: TextCursor;
  /** Named, and not read yet. */
  #named: HereDocument[] = [];
  #isWithin = false;

  constructor(text: TextCursor) {
    this.#text = text;
  }

  /** Takes the redirection that names one, if it is next. */
  begin(): boolean {
    const taken = this.#text.take(TOKEN.hereDocument);
    if (!taken) return false;
    const [, dash, single, double, bare] = taken;
    this.#named.push({ end: single ?? double ?? bare!, isQuoted: bare === undefined, isIndented: dash === "-" });
    return true;
  }

  /** Takes what all that are named hold: a line of text begins. */
  read(): void {
    for (const each of this.#named.splice(0)) this.#take(each);
  }

  /** Reads what is in parentheses, whose here-documents are its own. */
  within<T>(read: () => T): T {
    const [outer, isWithin] = [this.#named, this.#isWithin];
    this.#named = [];
    this.#isWithin = true;
    const start = this.#text.position;
    const result = read();
    const isSplit = outer.length > 0 && this.#text.since(start).includes("\n");
    if (this.#named.length > 0 || isSplit) throw new OutsideGrammar(UNCLEAR);
    this.#named = outer;
    this.#isWithin = isWithin;
    return result;
  }

  /** Reads what may hold a line end only where none is named. */
  besideNone<T>(read: () => T): T {
    const start = this.#text.position;
    const result = read();
    if (this.#named.length > 0 && this.#text.since(start).includes("\n")) throw new OutsideGrammar(UNCLEAR);
    return result;
  }

  #take({ end, isQuoted, isIndented }: HereDocument): void {
    const lines: string[] = [];
    for (let line = this.#text.takeLine(); ; line = this.#text.takeLine()) {
      if (line === null) throw new OutsideGrammar("a here-document has no end");
      if ((isIndented ? line.replace(/^\t+/, "") : line) === end) break;
      if (!isQuoted && /[$`\\]/.test(line)) throw new OutsideGrammar("a here-document expands what is in it");
      lines.push(line);
    }
    if (!this.#isWithin || !mayEndEarly(lines.join("\n"), this.#text.rest)) return;
    throw new OutsideGrammar(
      "a here-document in parentheses holds brackets or quotes that older shells would take for their end",
    );
  }
}
