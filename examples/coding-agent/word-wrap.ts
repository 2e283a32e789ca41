/** Breaks text that arrives in pieces into lines of words. The first line has no indent: it may follow a label. */
export class WordWrap {
  #word = "";
  #column = 0;
  #atLineStart = false;

  constructor(
    private readonly width: number,
    private readonly indent: string,
    private readonly write: (text: string) => void,
  ) {}

  /** Writes every word that is complete. */
  push(text: string): void {
    for (const piece of text.split(/([ \n])/)) {
      if (piece !== " " && piece !== "\n") this.#word += piece;
      else this.#endWord();
      if (piece === "\n") this.#newLine();
    }
  }

  /** Writes the last word and ends the line, also that of a label that nothing followed. */
  end(): void {
    this.#endWord();
    if (this.#column > 0 || !this.#atLineStart) this.#newLine();
  }

  #endWord(): void {
    const { length } = this.#word;
    if (length === 0) return;
    if (this.#column > 0 && this.#column + 1 + length > this.width) this.#newLine();
    const before = this.#column > 0 ? " " : this.#atLineStart ? this.indent : "";
    this.write(before + this.#word);
    this.#column += length + (this.#column > 0 ? 1 : 0);
    this.#word = "";
  }

  #newLine(): void {
    this.write("\n");
    this.#column = 0;
    this.#atLineStart = true;
  }
}
