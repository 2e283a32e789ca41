import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import { safeLine } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";

/** The prompts that were typed while the agent works and that the model has not read yet. */
export class QueuedPrompts implements Component {
  constructor(
    private readonly theme: Theme,
    private readonly queued: () => readonly string[],
  ) {}

  render(width: number): string[] {
    const { dim } = this.theme;
    const queued = this.queued();
    return queued.map((text, index) => {
      const note = index === queued.length - 1 ? "read at the next step · ↑ to edit" : "read at the next step";
      return dim(`${truncateToWidth(`  ❯ ${safeLine(text)}`, width - note.length - 3, "…")}  ${note}`);
    });
  }

  invalidate(): void {}
}
