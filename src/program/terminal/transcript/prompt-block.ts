import { safeText } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { indented, TranscriptBlock } from "./block.js";

/** A pasted file is not shown in full. */
const SHOWN_LINES = 30;

/** A prompt of the person. */
export class PromptBlock extends TranscriptBlock {
  #note = "";

  constructor(
    private readonly theme: Theme,
    private readonly text: string,
  ) {
    super();
  }

  /** A word on it, such as that the model will read it later. */
  set note(note: string) {
    this.#note = note;
    this.invalidate();
  }

  protected draw(width: number): string[] {
    const { bold, cyan, dim } = this.theme;
    const all = safeText(this.text).split("\n");
    const shown = all.slice(0, SHOWN_LINES).map((line) => (line === "" ? "" : bold(line)));
    if (all.length > SHOWN_LINES) shown.push(dim(`… ${all.length - SHOWN_LINES} more lines`));
    if (this.#note !== "") shown.push(dim(this.#note));
    return indented(shown.join("\n"), width, "  ", cyan("❯ "));
  }
}
