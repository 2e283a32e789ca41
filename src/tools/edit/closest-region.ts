import { trimmedRange } from "./line-text.js";
import type { TextLines } from "./text-lines.js";

/** Below this share of common character triples nothing is called alike. */
const MIN_LIKENESS = 0.5;
/** A single line may be a part of a longer one; then so much of it has to be there. */
const MIN_SHARE = 0.7;
/** Runs that score this much of the best are looked at line by line. */
const NEARLY = 0.8;
/** So many of them, and of each so many lines, that looking costs little beside the rest. */
const MAX_PLACED = 2_000;
const MAX_PLACED_LINES = 100;
const TRIPLES = 1 << 15;

/**
 * The run of lines most like `wanted`, line for line, as its first line from 0; `null` when none is alike.
 *
 * Compares sets of character triples, without regard to case and indentation; among runs that are nearly as like, the
 * one with most of the wanted lines in their places is best. Linear in the text.
 */
export function closestRegion(text: string, lines: TextLines, wanted: readonly string[]): number | null {
  const { known, count: wantedTriples, distinct } = triplesOf(wanted);
  if (wantedTriples === 0) return null;

  const common = new Int32Array(lines.count + 1);
  const total = new Int32Array(lines.count + 1);
  const share = new Float32Array(lines.count);
  const lastSeenIn = new Int32Array(TRIPLES).fill(-1);
  for (let index = 0; index < lines.count; index++) {
    const { from, to } = trimmedRange(text, lines.starts[index]!, lines.ends[index]!);
    let [found, different, triple] = [0, 0, 0];
    for (let at = from; at < to; at++) {
      triple = nextTriple(triple, text.charCodeAt(at));
      if (at < from + 2 || known[triple] === 0) continue;
      found++;
      if (lastSeenIn[triple] !== index) different++;
      lastSeenIn[triple] = index;
    }
    common[index + 1] = common[index]! + found;
    total[index + 1] = total[index]! + Math.max(0, to - from - 2);
    share[index] = different / distinct;
  }

  const scores = new Float32Array(lines.count);
  let most = 0;
  for (let first = 0; first < lines.count; first++) {
    const end = Math.min(lines.count, first + wanted.length);
    const likeness = (2 * (common[end]! - common[first]!)) / (total[end]! - total[first]! + wantedTriples);
    const isPart = wanted.length === 1 && share[first]! >= MIN_SHARE;
    if (likeness < MIN_LIKENESS && !isPart) continue;
    scores[first] = isPart ? Math.max(likeness, share[first]!) : likeness;
    most = Math.max(most, scores[first]!);
  }
  return most === 0 ? null : bestPlaced(scores, most * NEARLY, (first) => placedShare(text, lines, wanted, first));
}

/** The first line with the highest score and share together, of those that score at least `least`. */
function bestPlaced(scores: Float32Array, least: number, shareOf: (first: number) => number): number {
  let best = -1;
  let bestScore = 0;
  let looked = 0;
  for (let first = 0; first < scores.length; first++) {
    if (scores[first]! < least) continue;
    const score = scores[first]! + (looked++ < MAX_PLACED ? shareOf(first) : 0);
    if (score <= bestScore) continue;
    bestScore = score;
    best = first;
  }
  return best;
}

/** The share of the wanted lines that stand in the text where they should. */
function placedShare(text: string, lines: TextLines, wanted: readonly string[], first: number): number {
  const compared = Math.min(wanted.length, lines.count - first, MAX_PLACED_LINES);
  let placed = 0;
  for (let index = 0; index < compared; index++) {
    const { from, to } = trimmedRange(text, lines.starts[first + index]!, lines.ends[first + index]!);
    const line = wanted[index]!;
    const own = trimmedRange(line, 0, line.length);
    if (to - from === own.to - own.from && text.startsWith(line.slice(own.from, own.to), from)) placed++;
  }
  return placed / wanted.length;
}

function triplesOf(lines: readonly string[]) {
  const known = new Uint8Array(TRIPLES);
  let [count, distinct] = [0, 0];
  for (const line of lines) {
    const { from, to } = trimmedRange(line, 0, line.length);
    let triple = 0;
    for (let at = from; at < to; at++) {
      triple = nextTriple(triple, line.charCodeAt(at));
      if (at < from + 2) continue;
      if (known[triple] === 0) distinct++;
      known[triple] = 1;
      count++;
    }
  }
  return { known, count, distinct };
}

/** The last three characters as one number: what came before is shifted out. */
function nextTriple(triple: number, code: number): number {
  return ((triple << 5) ^ folded(code)) & (TRIPLES - 1);
}

/** ASCII letters in lower case, no-break spaces as spaces. */
function folded(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  return code === 0xa0 ? 32 : code;
}
