const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Cuts text that arrives in pieces into lines. Each may end in a way of its own. Cost: linear, however small the pieces. */
export class LineSplitter {
  #pieces: string[] = [];
  #heldChars = 0;
  #endsWithReturn = false;

  /** The length of the line that has not ended yet. Unit: UTF-16 code units. */
  get heldChars(): number {
    return this.#heldChars;
  }

  /** Hands over each line that has its end in `text`, until `take` answers that it wants no more. */
  push(text: string, take: (line: string) => boolean): void {
    if (text === "") return;
    let start = this.#endsWithReturn && text.charCodeAt(0) === NEWLINE ? 1 : 0;
    this.#endsWithReturn = text.charCodeAt(text.length - 1) === RETURN;
    const hasReturns = text.includes("\r");
    while (true) {
      const end = hasReturns ? lineEnd(text, start) : text.indexOf("\n", start);
      if (end < 0) break;
      if (!take(this.rest() + text.slice(start, end))) return;
      start = end + (text.charCodeAt(end) === RETURN && text.charCodeAt(end + 1) === NEWLINE ? 2 : 1);
    }
    if (start === text.length) return;
    this.#pieces.push(start === 0 ? text : text.slice(start));
    this.#heldChars += text.length - start;
  }

  /** Takes out what has no end. */
  rest(): string {
    if (this.#pieces.length === 0) return "";
    const rest = this.#pieces.join("");
    this.#pieces = [];
    this.#heldChars = 0;
    return rest;
  }
}

function lineEnd(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === NEWLINE || char === RETURN) return i;
  }
  return -1;
}
