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
