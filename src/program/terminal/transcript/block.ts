// One piece of the conversation on the screen: a prompt, an answer, a call. Invariant: `render` returns the same array until
// the block or the width changes, so that a long conversation costs nothing to draw again.
import { type Component, wrapTextWithAnsi } from "@earendil-works/pi-tui";

export abstract class TranscriptBlock implements Component {
  #lines: string[] | undefined;
  #width = 0;

  /** Blocks of one kind in a row stand without a blank line between them. */
  readonly kind: "text" | "call" = "text";

  render(width: number): string[] {
    if (!this.#lines || this.#width !== width) {
      this.#width = width;
      this.#lines = this.draw(width);
    }
    return this.#lines;
  }

  invalidate(): void {
    this.#lines = undefined;
  }

  protected abstract draw(width: number): string[];
}

/** Text that is styled already, wrapped behind an indentation. */
export class TextBlock extends TranscriptBlock {
  constructor(
    private readonly text: string,
    private readonly indent = "  ",
    private readonly first = indent,
  ) {
    super();
  }

  protected draw(width: number): string[] {
    return indented(this.text, width, this.indent, this.first);
  }
}

/** Lines that fill themselves to the width, such as tables and bars. */
export class DrawnBlock extends TranscriptBlock {
  constructor(private readonly drawing: (width: number) => string[]) {
    super();
  }

  protected draw(width: number): string[] {
    return this.drawing(width);
  }
}

/** Wraps each line of a styled text; `first` stands before the very first line, `indent` before the others. */
export function indented(text: string, width: number, indent: string, first = indent): string[] {
  const room = Math.max(8, width - indent.length);
  const lines = text.split("\n").flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, room)));
  return lines.map((line, index) => (index === 0 ? first : line === "" ? "" : indent) + line);
}
