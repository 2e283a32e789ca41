// Serves: DashScope (Qwen), Baidu Qianfan. Behind `compat.cumulativeText`.
// They may send, with each piece, all of the text so far. Even there some models send what is new, so the pieces have to
// show it: each begins with the one before, and two of them go on. Pieces wait until that is so, until one begins otherwise,
// or until the text is over.

/** The length at which a beginning that comes again, and goes on, is a repetition whatever it says. Unit: characters. */
const MIN_CERTAIN_CHARS = 16;

/** The text of one message while it arrives. Says what is new in each piece. */
export class RepeatedText {
  /** All so far. */
  #said = "";
  /** The pieces that wait, each beginning with the one before. */
  #held: string[] = [];
  /** How many of them have gone on. */
  #growths = 0;
  /** Whether something else has come behind the text: a piece does not wait for the next one then. */
  #isOver = false;
  #mode: "undecided" | "growing" | "plain" = "undecided";

  /** The new text in the next piece, and in those that have waited. */
  take(piece: string): string {
    if (this.#mode === "plain") return piece;
    if (this.#mode === "growing" || this.#said === "") return this.#grow(piece);
    const last = this.#held.at(-1) ?? this.#said;
    // A row of the same character may grow by itself.
    if (!piece.startsWith(last) || new Set(piece).size === 1) return this.#decide("plain") + piece;
    this.#held.push(piece);
    if (piece.length > last.length) this.#growths++;
    if (this.#growths > 1) return this.#decide("growing");
    return this.#isOver ? this.finish() : "";
  }

  /** The text is over: the pieces that have waited are repetitions, or not. */
  finish(): string {
    this.#isOver = true;
    if (this.#held.length === 0) return "";
    return this.#decide(isToldAgain(this.#said, this.#held.at(-1)!) ? "growing" : "plain");
  }

  #decide(mode: "growing" | "plain"): string {
    this.#mode = mode;
    const held = this.#held.splice(0);
    return mode === "growing" ? this.#grow(held.at(-1)!) : held.join("");
  }

  #grow(piece: string): string {
    const said = this.#said;
    if (said.startsWith(piece)) return "";
    const added = piece.startsWith(said) ? piece.slice(said.length) : piece;
    this.#said += added;
    return added;
  }
}

/** Whether a last piece that begins with all of the text goes on from it. Numbers and signs, and syllables, may come twice. */
function isToldAgain(said: string, piece: string): boolean {
  const added = piece.slice(said.length);
  return added !== "" && !added.startsWith(said) && (said.length >= MIN_CERTAIN_CHARS || /\p{L}{2}/u.test(said));
}
