// The root of what is drawn: parts from top to bottom. Invariant: no line is wider than the terminal, which the drawing
// library requires, and none holds a control sequence other than colours, whatever a part has let through.
// Cost: lines that a part returns again, as the same array, are not looked at again.
import { type Component, CURSOR_MARKER, truncateToWidth, visibleWidth } from "@mariozechner/pi-tui";

/** Control sequences, whole or cut off, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|.?)|[\x00-\x1f\x7f-\x9f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const COLOR = /^\x1b\[[0-9;]*m$/;
const PLAIN = /^[ -~]*$/;
/** One colour ends and begins again: rules are drawn a character at a time. */
const REPEATED = "\x1b[22m\x1b[2m";

export class Frame implements Component {
  readonly #checked = new WeakMap<readonly string[], { readonly width: number; readonly lines: readonly string[] }>();
  #count = 0;

  constructor(
    /** What there is to draw, from top to bottom; asked for each frame. */
    private readonly parts: () => Iterable<Component>,
    /** Told before each frame how many lines the last one had. */
    private readonly onFrame: (linesBefore: number) => void,
  ) {}

  render(width: number): string[] {
    this.onFrame(this.#count);
    const lines: string[] = [];
    for (const part of this.parts()) {
      for (const line of this.#checkedLines(part.render(width), width)) lines.push(line);
    }
    this.#count = lines.length;
    return lines;
  }

  invalidate(): void {
    for (const part of this.parts()) part.invalidate();
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
