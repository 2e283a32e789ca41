import { textToRead } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { indented, TranscriptBlock } from "./block.js";

/** A pasted file is not shown in full. */
const SHOWN_LINES = 30;

/** A prompt of the person. */
export class PromptBlock extends TranscriptBlock {
  constructor(
    private readonly theme: Theme,
    private readonly text: string,
  ) {
    super();
  }

  protected draw(width: number): string[] {
    const { bold, cyan, dim } = this.theme;
    const all = textToRead(this.text).split("\n");
    const shown = all.slice(0, SHOWN_LINES).map((line) => (line === "" ? "" : bold(line)));
    if (all.length > SHOWN_LINES) shown.push(dim(`… ${all.length - SHOWN_LINES} more lines`));
    return indented(shown.join("\n"), width, "  ", cyan("❯ "));
  }
}
