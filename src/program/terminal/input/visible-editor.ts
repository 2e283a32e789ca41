// Typed and pasted text is sent as it is and shown as all other text: nothing in it hides, reorders or controls.
import { CURSOR_MARKER, Editor, Input, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { revealedText } from "../screen/safe-text.js";

/** The editor of the prompt. */
export class VisibleEditor extends Editor {
  override render(width: number): string[] {
    // In less room the library's editor never ends with a wide character.
    const lines = revealedLines(Math.max(width, NARROWEST), (room) => super.render(room));
    return width < NARROWEST ? lines.map((line) => truncateToWidth(line, width, "")) : lines;
  }
}

/** A column on each side of a wide character. Unit: columns. */
const NARROWEST = 4;

/** A line to fill in. */
export class VisibleInput extends Input {
  override render(width: number): string[] {
    return revealedLines(width, (room) => super.render(room));
  }
}

/** Narrower than this no text is laid out. Unit: columns. */
const LEAST_WIDTH = 8;

/** Lines that are laid out in as much room as leaves place for what is shown of hidden characters. */
function revealedLines(width: number, render: (room: number) => string[]): string[] {
  for (let room = width; ; ) {
    const lines = render(room);
    const revealed = lines.map(revealedLine);
    if (revealed.every((line, at) => line === lines[at])) return lines;
    const excess = Math.max(...revealed.map(visibleWidth)) - width;
    if (excess <= 0) return revealed;
    if (room <= LEAST_WIDTH) return revealed.map((line) => truncateToWidth(line, width, ""));
    room = Math.max(LEAST_WIDTH, room - Math.ceil(excess / 6));
  }
}

/** The control sequences of the library: styles, and the mark of its cursor. */
const DRAWN = new RegExp(`(\\x1b\\[[0-9;]*m|${CURSOR_MARKER})`);

function revealedLine(line: string): string {
  const parts = line.split(DRAWN);
  return parts.map((part, at) => (at % 2 === 1 ? part : revealedText(part))).join("");
}
