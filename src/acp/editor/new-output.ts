/** The part of an earlier reading that is looked for in the next one. */
const OVERLAP_CHARS = 2_000;
const LOST = "\n[… output was lost here …]\n";

/** Tells what is new in a terminal's output, which comes whole each time, and without its beginning once that is too long. */
export class NewOutput {
  /** The number of characters read while it was whole. */
  #chars = 0;
  /** The end of what was read. */
  #tail = "";
  #isCut = false;

  add(output: string, isTruncated: boolean): string {
    const news = isTruncated || this.#isCut ? this.#afterTail(output) : output.slice(this.#chars);
    this.#isCut ||= isTruncated;
    this.#chars = output.length;
    this.#tail = (this.#tail + news).slice(-OVERLAP_CHARS);
    return news;
  }

  #afterTail(output: string): string {
    if (this.#tail === "") return output;
    const at = output.lastIndexOf(this.#tail);
    return at < 0 ? LOST + output : output.slice(at + this.#tail.length);
  }
}
