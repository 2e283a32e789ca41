import type { Paint } from "./paint.js";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;

/** A line at the bottom of a terminal that says what is going on; gone before anything else is written. */
export class StatusLine {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly paint: Paint,
  ) {}

  /** Shows `text`, which has to fit into one line. Does nothing where there is no terminal. */
  show(text: string): void {
    this.clear();
    if (!this.stream.isTTY || process.env.TERM === "dumb") return;
    let frame = 0;
    const draw = () => {
      this.stream.write(`\r    ${this.paint("dim", `${FRAMES[frame++ % FRAMES.length]} ${text}`)}`);
    };
    draw();
    this.#timer = setInterval(draw, FRAME_MS);
  }

  clear(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.stream.write("\r\x1b[2K");
  }
}
