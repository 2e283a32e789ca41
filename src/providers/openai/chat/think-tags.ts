// Serves: Together, Ollama, vLLM, llama.cpp, LM Studio, behind `compat.thinkTags`; Google, which marks such text itself.
/** Takes text or reasoning in order. */
export interface TagSink {
  text(piece: string): void;
  reasoning(piece: string): void;
}

/** The models' names of the tags: most use `think`, gpt-oss behind Bedrock `reasoning`. */
const NAMES: readonly string[] = ["think", "thinking", "thought", "reasoning"];

/**
 * Separates reasoning from text where a server leaves the model's tags in: what is between `<think>` at the beginning and
 * `</think>` is reasoning. Pieces may be cut anywhere; what could be the beginning of a tag is held until it is one or not.
 */
export class ThinkTags {
  #state: "begin" | "thinking" | "answer" = "begin";
  #held = "";
  #close = "";
  /** Right behind a tag, where models break the line. */
  #skipsSpace = false;

  constructor(private readonly sink: TagSink) {}

  get isThinking(): boolean {
    return this.#state === "thinking";
  }

  push(piece: string): void {
    if (this.#state === "answer") this.#answer(piece);
    else {
      this.#held += piece;
      this.#read();
    }
  }

  /** No more comes: what is held is what it seems. */
  finish(): void {
    const held = this.#held;
    this.#held = "";
    if (held === "") return;
    if (this.#state === "thinking") this.sink.reasoning(held);
    else this.sink.text(held);
  }

  #read(): void {
    if (this.#state === "begin") {
      const begun = this.#held.trimStart();
      const name = NAMES.find((tag) => begun.startsWith(`<${tag}>`));
      if (name === undefined && NAMES.some((tag) => `<${tag}>`.startsWith(begun))) return;
      if (name === undefined) {
        this.#answer(this.#held);
        return;
      }
      this.#state = "thinking";
      this.#close = `</${name}>`;
      this.#held = begun.slice(name.length + 2);
      this.#skipsSpace = true;
    }
    this.#held = this.#withoutSpace(this.#held);
    const end = this.#held.indexOf(this.#close);
    if (end < 0) {
      const safe = this.#held.length - partialTagLength(this.#held, this.#close);
      if (safe > 0) this.sink.reasoning(this.#held.slice(0, safe));
      this.#held = this.#held.slice(safe);
      return;
    }
    if (end > 0) this.sink.reasoning(this.#held.slice(0, end));
    this.#skipsSpace = true;
    this.#answer(this.#held.slice(end + this.#close.length));
  }

  #answer(piece: string): void {
    this.#state = "answer";
    this.#held = "";
    const text = this.#withoutSpace(piece);
    if (text !== "") this.sink.text(text);
  }

  #withoutSpace(piece: string): string {
    const text = this.#skipsSpace ? piece.trimStart() : piece;
    if (text !== "") this.#skipsSpace = false;
    return text;
  }
}

/** The length of the end that may be the beginning of the closing tag. */
function partialTagLength(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
