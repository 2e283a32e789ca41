import type { Component } from "@earendil-works/pi-tui";
import type { TranscriptBlock } from "./block.js";

/** So many are kept for drawing, and at most twice as many for a while; the terminal's own scrollback has the rest. */
const KEPT_BLOCKS = 300;

const GAP: Component = { render: constantly([""]), invalidate: () => {} };

/** The conversation so far: what is in it, in order. */
export class TranscriptView {
  #blocks: TranscriptBlock[] = [];

  add(block: TranscriptBlock): void {
    this.#blocks.push(block);
  }

  remove(block: TranscriptBlock): void {
    this.#blocks = this.#blocks.filter((one) => one !== block);
  }

  clear(): void {
    this.#blocks = [];
  }

  /** Forgets what scrolled away long ago. Returns how many lines that was, of a screen of this width. */
  trim(width: number): number {
    if (this.#blocks.length < KEPT_BLOCKS * 2) return 0;
    const before = this.#height(width);
    this.#blocks = this.#blocks.slice(-KEPT_BLOCKS);
    return before - this.#height(width);
  }

  #height(width: number): number {
    let lines = 0;
    for (const part of this.parts()) lines += part.render(width).length;
    return lines;
  }

  /** The blocks with the blank lines between them. */
  *parts(): Iterable<Component> {
    let before: TranscriptBlock | undefined;
    for (const block of this.#blocks) {
      if (before && !(before.kind === "call" && block.kind === "call")) yield GAP;
      yield block;
      before = block;
    }
  }
}

function constantly(lines: string[]): () => string[] {
  return () => lines;
}
