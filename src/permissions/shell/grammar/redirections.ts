import type { HereDocuments } from "./here-documents.js";
import { OutsideGrammar, type TextCursor } from "./text-cursor.js";
import { TOKEN } from "./tokens.js";
import type { GrammarWord } from "./word-reader.js";

/** Reads the redirections of a line, and counts them. */
export class Redirections {
  /** How many there were so far: of inputs, and of outputs that mix or go elsewhere. */
  inputs = 0;
  outputs = 0;
  readonly #text: TextCursor;
  readonly #hereDocuments: HereDocuments;
  readonly #word: () => GrammarWord;

  constructor(text: TextCursor, hereDocuments: HereDocuments, word: () => GrammarWord) {
    this.#text = text;
    this.#hereDocuments = hereDocuments;
    this.#word = word;
  }

  /** Takes one, if it is next. */
  take(): boolean {
    const text = this.#text;
    if (!/[\d<>&]/.test(text.next)) return false;
    if (text.take(TOKEN.descriptorRedirect)) {
      this.inputs++;
      this.outputs++;
      return true;
    }
    const operator = text.take(TOKEN.hereString) ?? text.take(TOKEN.fileRedirect);
    if (operator) {
      text.take(TOKEN.space);
      // A target that becomes several words, or none, is an error of the shell.
      const target = this.#word();
      if (operator[0].includes("<")) this.inputs++;
      else if (operator[0] !== "2>" || target.literal !== "/dev/null") this.outputs++;
      if (/^\/dev\/(?:tcp|udp)\//.test(target.literal ?? ""))
        throw new OutsideGrammar("it connects to another machine");
      return true;
    }
    if (!this.#hereDocuments.begin()) return false;
    this.inputs++;
    return true;
  }
}
