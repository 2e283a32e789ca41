import type { SeenPart, UnseenPlace } from "../contracts/workspace.js";

/** A file whose lines were shown in more pieces than this counts as seen in part. */
const MAX_RANGES = 2_000;

/** The lines of a file that were shown, page by page; long lines also piece by piece. */
export class SeenLines {
  /** First and last line each, from 1, ascending and apart. */
  #ranges: (readonly [from: number, to: number])[] = [];
  /** The number of characters, from the first on, that were shown of lines that were cut. */
  readonly #columns = new Map<number, number>();
  #lastLine: number | undefined;

  add({ from, to, isLast, cut }: Exclude<SeenPart, string>): void {
    if (isLast) this.#lastLine = to;
    let next = from;
    for (const piece of cut) {
      this.#addRange(next, piece.line - 1);
      next = piece.line + 1;
      const shown = this.#columns.get(piece.line) ?? 0;
      if (piece.fromColumn > shown + 1) continue;
      if (piece.isEnd) this.#addRange(piece.line, piece.line);
      else if (this.#columns.size < MAX_RANGES) this.#columns.set(piece.line, Math.max(shown, piece.toColumn));
    }
    this.#addRange(next, to);
  }

  /** The first place that was not shown; `null` when all of the file was. */
  get unseen(): UnseenPlace | null {
    const [first] = this.#ranges;
    const line = first?.[0] === 1 ? first[1] + 1 : 1;
    if (line > (this.#lastLine ?? Number.POSITIVE_INFINITY)) return null;
    return { line, column: (this.#columns.get(line) ?? 0) + 1 };
  }

  #addRange(from: number, to: number): void {
    if (from > to || this.#ranges.length >= MAX_RANGES) return;
    const touching = this.#ranges.filter((range) => range[0] <= to + 1 && range[1] >= from - 1);
    const apart = this.#ranges.filter((range) => !touching.includes(range));
    const joined: readonly [number, number] = [
      Math.min(from, ...touching.map((range) => range[0])),
      Math.max(to, ...touching.map((range) => range[1])),
    ];
    this.#ranges = [...apart, joined].sort((a, b) => a[0] - b[0]);
  }
}
