// The process's terminal as the drawing library sees it.
//
// Idea: raw mode and every mode that is switched on are switched off again by `restore`, which may be called at any moment
// and twice, also while the process dies. Invariant: what is in the scrollback stays there; a full redraw clears the screen
// and writes what is not in the scrollback, and nothing else.
import type { ReadStream, WriteStream } from "node:tty";
import { StdinBuffer, setKittyProtocolActive, type Terminal } from "@earendil-works/pi-tui";

const CLEAR_ALL = "\x1b[2J\x1b[H\x1b[3J";
const CLEAR_SCREEN = "\x1b[2J\x1b[H";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const KITTY_REPLY = /^\x1b\[\?\d+u$/;
/** Bracketed paste; Shift+Enter told apart from Enter where the terminal can; and the question whether it is kitty's kind. */
const BEGIN = "\x1b[?2004h\x1b[>4;1m\x1b[?u";
const KITTY_ON = "\x1b[>1u";
const KITTY_OFF = "\x1b[<u";
/** Ends a synchronized update, paste and key modes, colours; shows the cursor. */
const END_UPDATE = "\x1b[?2026l";
const END = `${END_UPDATE}\x1b[?2004l\x1b[>4;0m\x1b[0m\x1b[?25h`;

export class TerminalDevice implements Terminal {
  kittyProtocolActive = false;
  /** The number of lines of the frame about to be drawn that are in the scrollback already. Set by whoever draws. */
  scrolledAway = 0;
  #buffer: StdinBuffer | undefined;
  #onResize: (() => void) | undefined;
  #isOn = false;

  constructor(
    private readonly input: ReadStream,
    private readonly output: WriteStream,
  ) {}

  get columns(): number {
    return this.output.columns || 80;
  }

  get rows(): number {
    return this.output.rows || 24;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    const buffer = new StdinBuffer({ timeout: 10 });
    buffer.on("data", (sequence) => {
      if (this.kittyProtocolActive || !KITTY_REPLY.test(sequence)) onInput(sequence);
      else this.#takeKittyKeys();
    });
    buffer.on("paste", (content) => onInput(`\x1b[200~${content}\x1b[201~`));
    this.#buffer = buffer;
    this.#onResize = onResize;
    this.#isOn = true;
    this.input.setRawMode(true);
    this.input.setEncoding("utf8");
    this.input.on("data", this.#onData);
    this.input.resume();
    this.output.on("resize", onResize);
    // A window that was closed: the signal that comes with it ends the program, and until then nothing is shown.
    for (const stream of [this.input, this.output]) stream.on("error", ignore);
    this.write(BEGIN);
  }

  stop(): void {
    this.restore();
  }

  /** Gives the terminal back as it was. */
  restore(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#buffer?.destroy();
    this.input.off("data", this.#onData);
    if (this.#onResize) this.output.off("resize", this.#onResize);
    this.#send(this.kittyProtocolActive ? KITTY_OFF + END : END);
    this.kittyProtocolActive = false;
    setKittyProtocolActive(false);
    try {
      this.input.setRawMode(false);
    } catch {
      // The terminal is gone, and its modes with it.
    }
    this.input.pause();
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    if (this.#isOn) this.#send(withoutErasing(data, this.scrolledAway));
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\x1b[${lines}B` : `\x1b[${-lines}A`);
  }

  hideCursor(): void {
    this.write("\x1b[?25l");
  }

  showCursor(): void {
    this.write("\x1b[?25h");
  }

  clearLine(): void {
    this.write("\x1b[K");
  }

  clearFromCursor(): void {
    this.write("\x1b[J");
  }

  clearScreen(): void {
    this.write(CLEAR_SCREEN);
  }

  setTitle(title: string): void {
    this.write(`\x1b]0;${title}\x07`);
  }

  /** Asks the terminal to put a text on the clipboard; some do, some ask, some never do. */
  copy(text: string): void {
    this.write(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
  }

  /** Calls for attention, with a text where the terminal shows one. */
  call(how: "bell" | "notification", text: string): void {
    this.write(how === "bell" ? "\x07" : `\x1b]9;${text}\x07`);
  }

  setProgress(): void {}

  readonly #onData = (data: string | Buffer): void => this.#buffer?.process(String(data));

  #takeKittyKeys(): void {
    this.kittyProtocolActive = true;
    setKittyProtocolActive(true);
    this.write(KITTY_ON);
  }

  #send(data: string): void {
    if (this.output.writable) this.output.write(data);
  }
}

function ignore(): void {}

/** A redraw of everything, as one of the screen. Other output is as it is. */
function withoutErasing(data: string, scrolledAway: number): string {
  const at = data.indexOf(CLEAR_ALL);
  if (at < 0) return data;
  const lines = data.slice(at + CLEAR_ALL.length).split("\r\n");
  const visible = lines.length > scrolledAway ? lines.slice(scrolledAway) : [END_UPDATE];
  return data.slice(0, at) + CLEAR_SCREEN + visible.join("\r\n");
}
