// The here-documents of a line: named where a command is, and what they hold begins with the next line.
import { mayEndEarly } from "./older-shells.js";
import { OutsideGrammar, type TextCursor } from "./text-cursor.js";
import { TOKEN } from "./tokens.js";

interface HereDocument {
  readonly end: string;
  readonly isQuoted: boolean;
  readonly isIndented: boolean;
}

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
