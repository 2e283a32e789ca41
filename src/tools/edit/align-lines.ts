/*
 * The lines of a new text that are lines of the old one, and those that replace lines of it.
 *
 * Lines that begin and end both texts are paired first, then the longest common sequence of what lies between. Where
 * that would take a table of more than a million cells, lines that occur once in both are paired, in the longest
 * ascending sequence, and what lies between those is looked at in the same way. Near-linear for any input.
 */
import { isBlank, trimmedRange } from "./line-text.js";

export interface LineAlignment {
  /** For each new line, the index of the old line that it repeats but for whitespace around it; -1 without one. */
  readonly kept: Int32Array;
  /**
   * For each new line that repeats none, the old lines that it replaces, from `replacedFrom` up to `replacedTo`: one where
   * as many lines came as went, several where fewer came, none where more came. Whitespace lines do not count.
   */
  readonly replacedFrom: Int32Array;
  readonly replacedTo: Int32Array;
}

const MAX_CELLS = 1 << 20;

export function alignLines(old: readonly string[], added: readonly string[]): LineAlignment {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]) =>
    Int32Array.from(lines, (line) => {
      const { from, to } = trimmedRange(line, 0, line.length);
      const text = line.slice(from, to);
      if (!numbers.has(text)) numbers.set(text, numbers.size);
      return numbers.get(text)!;
    });
  const kept = new Int32Array(added.length).fill(-1);
  pairRange({ old: numbered(old), added: numbered(added), kept }, [0, old.length, 0, added.length]);
  return { kept, ...replacements(old, added, kept) };
}

interface Pairing {
  readonly old: Int32Array;
  readonly added: Int32Array;
  readonly kept: Int32Array;
}

type Range = readonly [oldFrom: number, oldTo: number, addedFrom: number, addedTo: number];

function pairRange(pairing: Pairing, range: Range): void {
  const ranges: Range[] = [range];
  for (let next = ranges.pop(); next; next = ranges.pop()) {
    let [oldFrom, oldTo, addedFrom, addedTo] = next;
    const { old, added, kept } = pairing;
    while (oldFrom < oldTo && addedFrom < addedTo && old[oldFrom] === added[addedFrom]) kept[addedFrom++] = oldFrom++;
    while (oldFrom < oldTo && addedFrom < addedTo && old[oldTo - 1] === added[addedTo - 1]) kept[--addedTo] = --oldTo;
    const [olds, news] = [oldTo - oldFrom, addedTo - addedFrom];
    if (olds === 0 || news === 0) continue;
    const between: Range = [oldFrom, oldTo, addedFrom, addedTo];
    if ((olds + 1) * (news + 1) <= MAX_CELLS) pairCommon(pairing, between);
    else ranges.push(...betweenAnchors(pairing, between));
  }
}

/** Pairs the longest common sequence. */
function pairCommon({ old, added, kept }: Pairing, [oldFrom, oldTo, addedFrom, addedTo]: Range): void {
  const width = addedTo - addedFrom + 1;
  const lengths = new Uint16Array((oldTo - oldFrom + 1) * width);
  for (let o = oldTo - 1; o >= oldFrom; o--) {
    for (let n = addedTo - 1; n >= addedFrom; n--) {
      const at = (o - oldFrom) * width + n - addedFrom;
      const skipped = Math.max(lengths[at + width]!, lengths[at + 1]!);
      lengths[at] = old[o] === added[n] ? lengths[at + width + 1]! + 1 : skipped;
    }
  }
  for (let o = oldFrom, n = addedFrom; o < oldTo && n < addedTo; ) {
    const at = (o - oldFrom) * width + n - addedFrom;
    if (old[o] === added[n]) kept[n++] = o++;
    else if (lengths[at + width]! >= lengths[at + 1]!) o++;
    else n++;
  }
}

/** Pairs lines that occur once on both sides, and returns what lies between them; nothing without such lines. */
function betweenAnchors({ old, added, kept }: Pairing, [oldFrom, oldTo, addedFrom, addedTo]: Range): Range[] {
  const places = new Map<number, { old: number; olds: number; added: number; news: number }>();
  for (let o = oldFrom; o < oldTo; o++) {
    const place = places.get(old[o]!) ?? { old: o, olds: 0, added: 0, news: 0 };
    place.olds++;
    places.set(old[o]!, place);
  }
  for (let n = addedFrom; n < addedTo; n++) {
    const place = places.get(added[n]!);
    if (!place) continue;
    place.added = n;
    place.news++;
  }
  const unique = [...places.values()].filter(({ olds, news }) => olds === 1 && news === 1);
  const anchors = longestAscending(unique.map((place) => place.added)).map((index) => unique[index]!);
  const ranges: Range[] = [];
  let [o, n] = [oldFrom, addedFrom];
  for (const anchor of anchors) {
    kept[anchor.added] = anchor.old;
    ranges.push([o, anchor.old, n, anchor.added]);
    [o, n] = [anchor.old + 1, anchor.added + 1];
  }
  if (anchors.length > 0) ranges.push([o, oldTo, n, addedTo]);
  return ranges;
}

/** The indexes of the longest ascending sequence of distinct numbers. */
function longestAscending(numbers: readonly number[]): number[] {
  const ends: number[] = [];
  const before = new Int32Array(numbers.length).fill(-1);
  for (const [index, number] of numbers.entries()) {
    let [from, to] = [0, ends.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (numbers[ends[middle]!]! < number) from = middle + 1;
      else to = middle;
    }
    before[index] = ends[from - 1] ?? -1;
    ends[from] = index;
  }
  const sequence: number[] = [];
  for (let at = ends.at(-1) ?? -1; at !== -1; at = before[at]!) sequence.push(at);
  return sequence.reverse();
}

/** The lines that are not kept, hunk by hunk. */
function replacements(old: readonly string[], added: readonly string[], kept: Int32Array) {
  const replacedFrom = new Int32Array(added.length);
  const replacedTo = new Int32Array(added.length);
  let [o, n] = [0, 0];
  while (n < added.length) {
    if (kept[n] !== -1) {
      o = kept[n++]! + 1;
      continue;
    }
    const start = n;
    while (n < added.length && kept[n] === -1) n++;
    const end = n < added.length ? kept[n]! : old.length;
    const olds: number[] = [];
    for (let at = o; at < end; at++) if (!isBlank(old[at]!)) olds.push(at);
    const news: number[] = [];
    for (let at = start; at < n; at++) if (!isBlank(added[at]!)) news.push(at);
    for (const [index, at] of news.entries()) {
      if (olds.length < news.length) continue;
      const isPaired = olds.length === news.length;
      replacedFrom[at] = isPaired ? olds[index]! : olds[0]!;
      replacedTo[at] = isPaired ? olds[index]! + 1 : olds.at(-1)! + 1;
    }
    o = end;
  }
  return { replacedFrom, replacedTo };
}
