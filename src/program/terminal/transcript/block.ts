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
  const lines = text.split("\n").flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(parted(line, room), room)));
  return lines.map((line, index) => (index === 0 ? first : line === "" ? "" : indent) + line);
}

/** A colour, or a word that is too long for any line; wider characters are few. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const COLOR_OR_ENDLESS = /\x1b\[[0-9;]*m|[!-~]{500,}/g;

/** A piece of an endless line, up to the next word. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const PIECE = /[^\x1b\n]{4000}[^ \x1b\n]{0,100} ?/gu;

/** A line in pieces, and its endless words in pieces that fit: to part them is what takes the drawing library long. */
function parted(line: string, room: number): string {
  if (line.length < 500) return line;
  const words = line.replace(COLOR_OR_ENDLESS, (found, at: number) => {
    if (found.startsWith("\x1b")) return found;
    const pieces = Array.from({ length: Math.ceil(found.length / room) }, (_, index) =>
      found.slice(index * room, (index + 1) * room),
    );
    return `${at === 0 ? "" : "\n"}${pieces.join("\n")}`;
  });
  return words.replace(PIECE, "$&\n");
}
