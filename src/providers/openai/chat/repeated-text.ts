// Serves: DashScope (Qwen), Baidu Qianfan. Behind `compat.cumulativeText`.
// They may send, with each piece, all of the text so far. Even there some models send what is new, so the pieces have to
// show it: the third begins with the second, and the second with the first.

/** The length at which a second and last piece that begins with the first repeats it for certain. Unit: characters. */
const MIN_CERTAIN_CHARS = 16;

/** The text of one message while it arrives. Says what is new in each piece; a second piece that has grown waits for the third. */
export class RepeatedText {
  /** All so far. */
  #said = "";
  #pieces = 0;
  #held = "";
  #mode: "undecided" | "growing" | "plain" = "undecided";

  /** The new text in the next piece, and in the one that has waited. */
  take(piece: string): string {
    if (this.#mode === "plain") return piece;
    if (this.#mode === "growing") return this.#grow(piece);
    const held = this.#held;
    if (held !== "") return this.#decide(held, piece);
    if (this.#pieces === 1 && isBeginning(this.#said, piece)) {
      this.#held = piece;
      return "";
    }
    if (this.#pieces > 0) this.#mode = "plain";
    return this.#keep(piece);
  }

  /** The text is over: the piece that has waited is a repetition, or not. */
  finish(): string {
    const held = this.#held;
    this.#held = "";
    if (held === "") return "";
    return this.#keep(this.#said.length >= MIN_CERTAIN_CHARS ? held.slice(this.#said.length) : held);
  }

  #decide(held: string, piece: string): string {
    this.#held = "";
    if (piece.length > held.length && piece.startsWith(held)) {
      this.#mode = "growing";
      return this.#grow(piece);
    }
    this.#mode = "plain";
    return held + piece;
  }

  #grow(piece: string): string {
    const said = this.#said;
    if (said.startsWith(piece)) return "";
    return this.#keep(piece.startsWith(said) ? piece.slice(said.length) : piece);
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
