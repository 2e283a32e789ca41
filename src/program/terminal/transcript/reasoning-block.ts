// The model's reasoning, dimmed: its last lines while it arrives, afterwards one line, or all of it.
import { lastCharacters } from "../../../text/cut.js";
import { textToRead } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { indented, TranscriptBlock } from "./block.js";
import { counted, inSeconds } from "./quantities.js";

/** The amount of reasoning that is shown: none, its last lines while it comes and then one line, all of it. */
export const REASONING_LEVELS = ["hidden", "short", "whole"] as const;
export type ReasoningLevel = (typeof REASONING_LEVELS)[number];

/** The level after this one. */
export function nextLevel(level: ReasoningLevel): ReasoningLevel {
  return REASONING_LEVELS[(REASONING_LEVELS.indexOf(level) + 1) % REASONING_LEVELS.length]!;
}

/** Lines shown while the model thinks. */
const SHOWN_LINES = 3;
/** Enough for those lines. Unit: characters. */
const SHOWN_CHARS = 4_000;
/** Shorter thoughts say nothing about their time. Unit: milliseconds. */
const WORTH_TIMING_MS = 1_000;

export class ReasoningBlock extends TranscriptBlock {
  #text: string;
  #endedMs: number | undefined;
  readonly #startedAt = performance.now();

  /** With a text, one that has ended earlier. */
  constructor(
    private readonly theme: Theme,
    private readonly level: ReasoningLevel,
    text?: string,
  ) {
    super();
    this.#text = text ?? "";
    if (text !== undefined) this.#endedMs = 0;
  }

  /** Its line and all of its text, to be shown below everything else. */
  get whole(): string {
    const { dim } = this.theme;
    return [dim(`∴ ${this.#title(0)}`), ...textToRead(this.#text).trim().split("\n").map(dim)].join("\n");
  }

  push(text: string): void {
    this.#text += text;
    this.invalidate();
  }

  /** The model has begun with something else. */
  end(): void {
    this.#endedMs ??= performance.now() - this.#startedAt;
    this.invalidate();
  }

  protected draw(width: number): string[] {
    const { dim } = this.theme;
    const isTail = this.level !== "whole" && this.#endedMs === undefined;
    const text = textToRead(isTail ? lastCharacters(this.#text, SHOWN_CHARS) : this.#text).trim();
    const lines = text === "" ? [] : indented(text, width, "    ").map((line) => (line === "" ? "" : dim(line)));
    const isWhole = this.level === "whole";
    const shown = isWhole ? lines : this.#endedMs === undefined ? lines.slice(-SHOWN_LINES) : [];
    return [`  ${dim(`∴ ${this.#title(isWhole ? 0 : lines.length)}`)}`, ...shown];
  }

  #title(folded: number): string {
    if (this.#endedMs === undefined) return "Thinking";
    const time = this.#endedMs >= WORTH_TIMING_MS ? ` for ${inSeconds(this.#endedMs)}` : "";
    return `Thought${time}${folded === 0 ? "" : ` · ${counted(folded, "line")}`}`;
  }
}
