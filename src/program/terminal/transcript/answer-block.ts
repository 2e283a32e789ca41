// The model's answer, as it comes. Idea: paragraphs that are complete are drawn once and kept; only the last one is read
// as Markdown again when it grows. So streaming costs what is new, and nothing above the screen changes any more.
import { Markdown } from "@earendil-works/pi-tui";
import { loadCodeColors } from "../screen/code-colors.js";
import { textToRead } from "../screen/safe-text.js";
import { FENCE, type Theme } from "../screen/theme.js";
import { alignTables } from "./align-tables.js";
import { indented, TranscriptBlock } from "./block.js";
import { isTangled } from "./tangled-text.js";

const FENCE_MARK = /^ {0,3}(```+|~~~+)/;
const FENCED = new RegExp(FENCE_MARK, "m");
/** Longer lines are hard to read. Unit: columns. */
const MAX_WIDTH = 110;
/** On both sides. */
const MARGIN = "  ";

export class AnswerBlock extends TranscriptBlock {
  readonly #done: string[] = [];
  /** Settled lines of the width they were drawn for. */
  #settled: { readonly width: number; readonly lines: string[] } = { width: 0, lines: [] };
  #settledCount = 0;
  #rest = "";
  #hasCode = false;

  constructor(
    private readonly theme: Theme,
    text = "",
  ) {
    super();
    if (text !== "") this.push(text);
  }

  get isEmpty(): boolean {
    return this.#done.length === 0 && this.#rest.trim() === "";
  }

  /** Adds what has just arrived. */
  push(text: string): void {
    this.#rest += text;
    if (!this.#hasCode && FENCED.test(this.#rest)) this.#colorCode();
    const end = endOfSettled(this.#rest);
    if (end > 0) {
      this.#done.push(this.#rest.slice(0, end).trimEnd());
      this.#rest = this.#rest.slice(end).replace(/^\n+/, "");
    }
    this.invalidate();
  }

  protected draw(width: number): string[] {
    const inner = Math.min(width, MAX_WIDTH);
    if (this.#settled.width !== inner) {
      this.#settled = { width: inner, lines: [] };
      this.#settledCount = 0;
    }
    const { lines } = this.#settled;
    for (const part of this.#done.slice(this.#settledCount)) {
      if (lines.length > 0) lines.push("");
      for (const line of this.#linesOf(part, inner)) lines.push(line);
    }
    this.#settledCount = this.#done.length;
    if (this.#rest.trim() === "") return [...lines];
    const last = this.#linesOf(this.#rest, inner);
    return lines.length > 0 ? [...lines, "", ...last] : last;
  }

  /** Draws code again that was drawn before its colours were loaded. */
  #colorCode(): void {
    this.#hasCode = true;
    void loadCodeColors().then(() => {
      this.#settled = { width: 0, lines: [] };
      this.invalidate();
    });
  }

  #linesOf(markdown: string, width: number): string[] {
    const source = textToRead(markdown);
    if (isTangled(source)) return indented(source, width, MARGIN);
    const drawn = new Markdown(source, MARGIN.length, 0, this.theme.markdown).render(width);
    return alignTables(
      drawn.filter((line) => !line.includes(FENCE)).map((line) => line.trimEnd()),
      source,
    );
  }
}

/**
 * The end of the part that later text cannot change: behind the last blank line that is not inside a code fence and that
 * neither a list nor an indented line continues. 0: there is no such part yet.
 */
export function endOfSettled(text: string): number {
  let fence: string | undefined;
  let end = 0;
  let at = 0;
  let isBlank = false;
  let inList = false;
  // The form of the last line is not known before it ends.
  for (const line of text.split("\n").slice(0, -1)) {
    const start = at;
    at += line.length + 1;
    const mark = FENCE_MARK.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      continue;
    }
    if (line.trim() === "") {
      isBlank = true;
      continue;
    }
    const isItem = /^\s*(?:[-*+]|\d+[.)])\s/.test(line);
    const continues = inList && (isItem || /^\s/.test(line));
    if (isBlank && !continues) {
      end = start;
      inList = false;
    }
    if (isItem) inList = true;
    isBlank = false;
    if (mark) fence = mark;
  }
  return end;
}
