// Most servers send what is new. A few send all of the text so far with each piece, and some repeat all of it in a last
// piece. Which it is shows in the pieces themselves: no text begins three times with all that was said before.

/** Shorter text may well come twice. Unit: characters. */
const MIN_REPEATED_CHARS = 40;

/** So much text at the beginning of the second piece, which is the last, is not said twice. Unit: characters. */
const MIN_CERTAIN_CHARS = 16;

/** The text of one message while it arrives. Tells what is new in each piece; a piece that may be a repetition waits for the next. */
export class RepeatedText {
  /** All so far. */
  #said = "";
  #pieces = 0;
  #held = "";
  #mode: "undecided" | "growing" | "plain" = "undecided";

  /** What is to be passed on of the next piece, and of the one that has waited. */
  take(piece: string): string {
    if (this.#mode === "plain" && this.#held === "" && piece.length !== this.#said.length) {
      this.#said += piece;
      return piece;
    }
    if (this.#mode === "growing") return this.#grow(piece);
    const held = this.#held;
    if (held !== "") return this.#decide(held, piece);
    const mayGrow = this.#mode === "undecided" && this.#pieces === 1 && isBeginning(this.#said, piece);
    if (mayGrow || this.#isWhole(piece)) {
      this.#held = piece;
      return "";
    }
    if (this.#pieces > 0) this.#mode = "plain";
    return this.#keep(piece);
  }

  /** The text is over: what has waited is a repetition, or not. */
  finish(): string {
    const held = this.#held;
    this.#held = "";
    if (held === "" || this.#isWhole(held)) return "";
    return this.#keep(this.#said.length >= MIN_CERTAIN_CHARS ? held.slice(this.#said.length) : held);
  }

  #decide(held: string, piece: string): string {
    this.#held = "";
    if (this.#mode === "undecided" && piece.length > held.length && piece.startsWith(held)) {
      this.#mode = "growing";
      return this.#grow(piece);
    }
    this.#mode = "plain";
    return this.#keep(held) + this.take(piece);
  }

  #grow(piece: string): string {
    const said = this.#said;
    if (said.startsWith(piece)) return "";
    return this.#keep(piece.startsWith(said) ? piece.slice(said.length) : piece);
  }

  #isWhole(piece: string): boolean {
    return piece.length >= MIN_REPEATED_CHARS && piece === this.#said;
  }

  #keep(piece: string): string {
    this.#pieces++;
    this.#said += piece;
    return piece;
  }
}

/** Whether the second piece begins with all of the first. A row of the same character may grow by itself. */
function isBeginning(first: string, second: string): boolean {
  return second.length > first.length && second.startsWith(first) && new Set(second).size > 1;
}
