// What a person types or pastes is sent as it is and shown as all other text: nothing in it hides, reorders or controls.
import { Editor, Input } from "@earendil-works/pi-tui";
import { escaped, revealedText } from "../screen/safe-text.js";

/** The part of the drawing library's components that is drawn. */
interface EditorState {
  readonly lines: readonly string[];
  readonly cursorLine: number;
  readonly cursorCol: number;
}

/** The editor of the prompt. */
export class VisibleEditor extends Editor {
  override render(width: number): string[] {
    const own = this as unknown as { state: EditorState };
    const { state } = own;
    const { lines, cursorLine, cursorCol } = state;
    own.state = { ...state, lines: lines.map(revealedText), cursorCol: columnOf(cursorCol, lines[cursorLine]!) };
    try {
      return super.render(width);
    } finally {
      own.state = state;
    }
  }
}

/** A line to fill in. */
export class VisibleInput extends Input {
  override render(width: number): string[] {
    const own = this as unknown as { value: string; cursor: number };
    const { value, cursor } = own;
    Object.assign(own, { value: revealedText(value), cursor: columnOf(cursor, value) });
    try {
      return super.render(width);
    } finally {
      Object.assign(own, { value, cursor });
    }
  }
}

/** The place of a character of a line once the line is visible. */
function columnOf(place: number, line: string): number {
  const shown = revealedText(line);
  if (shown === line) return place;
  let at = 0;
  for (const character of line.slice(0, place))
    at += shown.startsWith(character, at) ? character.length : escaped(character).length;
  return at;
}
