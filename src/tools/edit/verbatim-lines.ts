/*
 * The part of a file that an old text probably means: the one that has most of its lines as they are.
 *
 * A window slides over the file and counts the different wanted lines in it. Lines without a letter or digit, such as a
 * brace, are everywhere and show nothing. Where no line is as wanted, likeness decides. Linear in the file.
 */
import { closestRegion } from "./closest-region.js";
import { bareLine, canonical } from "./line-text.js";
import type { TextLines } from "./text-lines.js";

/** Lines of the file, the first of which has number `first`, from 0. */
export interface Region {
  readonly first: number;
  readonly lines: readonly string[];
}

const MAX_OTHER_REGIONS = 3;
const MAX_REGION_LINES = 200;

export function regionAt(text: string, { count, starts, ends }: TextLines, first: number, length: number): Region {
  const indexes = Array.from({ length: Math.min(count - first, length) }, (_, index) => first + index);
  return { first, lines: indexes.map((index) => text.slice(starts[index], ends[index])) };
}

/** The closest part of the file, and others with wanted lines that are not in it; `null` when nothing is alike. */
export function findVerbatim(
  text: string,
  lines: TextLines,
  wanted: readonly string[],
): { closest: Region; others: readonly Region[] } | null {
  const found = new FoundLines(text, lines, wanted);
  const length = Math.max(1, wanted.length);
  const alike = closestRegion(text, lines, wanted);
  const best = found.bestWindow(length + Math.max(2, length >> 2));
  const isBetter = best !== null && (alike === null || best.count > found.countIn(alike, alike + length));
  const closest = isBetter ? best : alike === null ? null : { first: alike, end: alike + length };
  if (!closest) return null;

  found.drop(closest.first, closest.end);
  const others: Region[] = [];
  while (others.length < MAX_OTHER_REGIONS) {
    const next = found.bestWindow(length);
    if (!next) break;
    const { first, last } = found.rangeIn(next.first, next.end);
    found.drop(first, last + 1);
    others.push(regionAt(text, lines, first, Math.min(last + 1 - first, MAX_REGION_LINES)));
  }
  return {
    closest: regionAt(text, lines, closest.first, Math.min(closest.end - closest.first, MAX_REGION_LINES)),
    others,
  };
}

interface Window {
  readonly first: number;
  readonly end: number;
  readonly count: number;
}

/** The lines of a file that are wanted, by the number of the wanted line. */
class FoundLines {
  /** For each line of the file; -1 for one that is not wanted. */
  readonly #wanted: Int32Array;
  /** The first place of each wanted line in the old text, and how many characters it has. */
  readonly #places: { readonly index: number; readonly chars: number }[] = [];
  readonly #length: number;

  constructor(text: string, { count, starts, ends }: TextLines, wanted: readonly string[]) {
    const numbers = new Map<string, number>();
    for (const [index, line] of wanted.entries()) {
      const key = bareLine(canonical(line));
      if (!/[\p{L}\p{N}]/u.test(key) || numbers.has(key)) continue;
      numbers.set(key, this.#places.length);
      this.#places.push({ index, chars: key.length });
    }
    this.#length = wanted.length;
    this.#wanted = new Int32Array(count).fill(-1);
    for (let index = 0; numbers.size > 0 && index < count; index++) {
      this.#wanted[index] = numbers.get(bareLine(canonical(text.slice(starts[index], ends[index])))) ?? -1;
    }
  }

  countIn(first: number, end: number): number {
    return new Set(this.#wanted.subarray(first, end).filter((number) => number !== -1)).size;
  }

  /** The lines of a window from the first to the last wanted one. */
  rangeIn(first: number, end: number): { first: number; last: number } {
    const numbers = this.#wanted.subarray(first, end);
    const last = numbers.findLastIndex((number) => number !== -1);
    return { first: first + numbers.findIndex((number) => number !== -1), last: first + last };
  }

  /** Wants the lines of a part no more, wherever else they are. */
  drop(first: number, end: number): void {
    const done = new Set(this.#wanted.subarray(first, end));
    for (const [index, number] of this.#wanted.entries()) if (done.has(number)) this.#wanted[index] = -1;
  }

  /**
   * The window with most wanted lines, then with most characters of them, moved so that its first wanted line is where
   * the old text has it; `null` when there is not one.
   */
  bestWindow(size: number): Window | null {
    const inside = new Int32Array(this.#places.length);
    let [count, chars] = [0, 0];
    let best = { count: 0, chars: 0, end: 0 };
    for (let index = 0; index < this.#wanted.length; index++) {
      const entering = this.#wanted[index]!;
      if (entering !== -1 && inside[entering]!++ === 0) {
        count++;
        chars += this.#places[entering]!.chars;
      }
      const leaving = index >= size ? this.#wanted[index - size]! : -1;
      if (leaving !== -1 && --inside[leaving]! === 0) {
        count--;
        chars -= this.#places[leaving]!.chars;
      }
      if (count > best.count || (count === best.count && chars > best.chars)) best = { count, chars, end: index + 1 };
    }
    if (best.count === 0) return null;
    const { first, last } = this.rangeIn(Math.max(0, best.end - size), best.end);
    const before = this.#places[this.#wanted[first]!]!.index;
    const after = this.#length - 1 - this.#places[this.#wanted[last]!]!.index;
    const end = Math.min(this.#wanted.length, last + 1 + Math.max(0, after));
    return { first: Math.max(0, first - before), end, count: best.count };
  }
}
