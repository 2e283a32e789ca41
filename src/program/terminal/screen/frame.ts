// The root of what is drawn: the conversation, and below it what is going on. Invariants:
// - No line is wider than the terminal, which the drawing library requires, and none holds a control sequence other than
//   colours, whatever a part has let through.
// - Lines that have left the screen at its top are in the terminal's scrollback, and do not come back: when what is below the
//   conversation becomes shorter, as after a long question, the room it leaves stays empty until the conversation needs it.
//   Drawn again they would stand in the scrollback twice.
// Cost: lines that a part returns again, as the same array, are not looked at again.
import { type Component, CURSOR_MARKER, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/** Control sequences, whole or cut off, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|.?)|[\x00-\x1f\x7f-\x9f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const COLOR = /^\x1b\[[0-9;]*m$/;
const PLAIN = /^[ -~]*$/;
/** One colour ends and begins again: rules are drawn a character at a time. */
const REPEATED = "\x1b[22m\x1b[2m";

export interface FrameParts {
  /** The conversation, from top to bottom; asked for each frame. */
  readonly above: () => Iterable<Component>;
  /** The part below it, at most as high as the screen: a higher one loses its first lines. */
  readonly below: () => Iterable<Component>;
  /** Lines of the screen. */
  readonly rows: () => number;
  /** Told before each frame how many of its lines are in the scrollback already. */
  readonly onFrame: (scrolledAway: number) => void;
}

export class Frame implements Component {
  readonly #checked = new WeakMap<readonly string[], { readonly width: number; readonly lines: readonly string[] }>();
  /** The number of first lines that are in the scrollback. */
  #scrolledAway = 0;
  #count = 0;
  #width = 0;
  #rows = 0;

  constructor(private readonly parts: FrameParts) {}

  render(width: number): string[] {
    const rows = this.parts.rows();
    const above = this.#linesOf(this.parts.above(), width);
    const below = this.#linesOf(this.parts.below(), width).slice(-rows);
    const surplus = Math.max(0, above.length + below.length - rows);
    const isResized = width !== this.#width || rows !== this.#rows;
    // In another size lines are wrapped differently, and a conversation that lost lines has others in their place: what is in the
    // scrollback is then not known, and the last screenful is drawn.
    if (isResized || above.length < this.#scrolledAway) this.#scrolledAway = Math.min(surplus, this.#count);
    this.parts.onFrame(this.#scrolledAway);
    const isFull = this.#scrolledAway > 0 && below.length > 0;
    const empty = isFull ? Math.max(0, this.#scrolledAway + rows - above.length - below.length) : 0;
    const lines = [...above, ...Array.from({ length: empty }, () => ""), ...below];
    this.#scrolledAway = Math.max(this.#scrolledAway, surplus);
    this.#count = lines.length;
    this.#width = width;
    this.#rows = rows;
    return lines;
  }

  /** The first lines of the conversation are not drawn any more. */
  forget(lines: number): void {
    this.#scrolledAway = Math.max(0, this.#scrolledAway - lines);
    this.#count = Math.max(0, this.#count - lines);
  }

  /** Another conversation is drawn from its first line on. */
  reset(): void {
    this.forget(this.#count);
  }

  invalidate(): void {
    for (const part of [...this.parts.above(), ...this.parts.below()]) part.invalidate();
  }

  #linesOf(parts: Iterable<Component>, width: number): string[] {
    const lines: string[] = [];
    for (const part of parts) {
      for (const line of this.#checkedLines(part.render(width), width)) lines.push(line);
    }
    return lines;
  }

  #checkedLines(lines: readonly string[], width: number): readonly string[] {
    const known = this.#checked.get(lines);
    if (known?.width === width) return known.lines;
    const checked = lines.map((line) => checkedLine(line, width));
    this.#checked.set(lines, { width, lines: checked });
    return checked;
  }
}

function checkedLine(line: string, width: number): string {
  if (line.length <= width && PLAIN.test(line)) return line.trimEnd();
  const clean = line.replace(SEQUENCE, (found) => (COLOR.test(found) || found === CURSOR_MARKER ? found : ""));
  const trimmed = clean.replace(/ +$/, "").replaceAll(REPEATED, "");
  return visibleWidth(trimmed) > width ? truncateToWidth(trimmed, width, "…") : trimmed;
}
