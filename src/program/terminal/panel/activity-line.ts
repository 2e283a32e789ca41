import type { Component } from "@earendil-works/pi-tui";
import type { Theme } from "../screen/theme.js";
import { inSeconds, inThousands } from "../transcript/quantities.js";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** About so many characters are one token; only for the count that runs along while the model writes. */
const CHARACTERS_PER_TOKEN = 4;

/** One line that says what is going on, how long already, and how many tokens it has taken. */
export class ActivityLine implements Component {
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #pausedMs = 0;
  #pausedAt: number | undefined;
  #activity = "";
  #inputTokens = 0;
  #outputTokens = 0;
  #streamedCharacters = 0;

  constructor(
    private readonly theme: Theme,
    private readonly draw: () => void,
  ) {}

  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    this.stop();
    this.#startedAt = Date.now();
    this.#pausedMs = 0;
    this.#pausedAt = undefined;
    this.#inputTokens = 0;
    this.#outputTokens = 0;
    this.#streamedCharacters = 0;
    this.#activity = "Working";
    this.#timer = setInterval(this.draw, FRAME_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  set activity(text: string) {
    this.#activity = text;
  }

  /** Nothing moves while the person is asked, and the time does not count. */
  set isPaused(isPaused: boolean) {
    if (isPaused) this.#pausedAt ??= Date.now();
    else if (this.#pausedAt !== undefined) {
      this.#pausedMs += Date.now() - this.#pausedAt;
      this.#pausedAt = undefined;
    }
  }

  get elapsedMs(): number {
    return (this.#pausedAt ?? Date.now()) - this.#startedAt - this.#pausedMs;
  }

  /** Characters that have just arrived from the model. */
  streamed(characters: number): void {
    this.#streamedCharacters += characters;
  }

  /** The tokens that the provider has counted, for the whole run. */
  counted(inputTokens: number, outputTokens: number): void {
    this.#inputTokens = inputTokens;
    this.#outputTokens = outputTokens;
    this.#streamedCharacters = 0;
  }

  render(): string[] {
    if (!this.#timer || this.#pausedAt !== undefined) return [];
    const { dim, magenta } = this.theme;
    const elapsed = this.elapsedMs;
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length]!;
    const written = this.#outputTokens + Math.round(this.#streamedCharacters / CHARACTERS_PER_TOKEN);
    const tokens =
      written + this.#inputTokens > 0 ? ` · ↑ ${inThousands(this.#inputTokens)} ↓ ${inThousands(written)}` : "";
    const time = elapsed < 1_000 ? "0 s" : inSeconds(Math.floor(elapsed / 1_000) * 1_000).replace(".0 ", " ");
    return [`  ${magenta(frame)} ${this.#activity}${dim(` · ${time}${tokens} · esc to interrupt`)}`];
  }

  invalidate(): void {}
}
