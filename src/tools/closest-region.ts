import { trimmedRange } from "./line-text.js";
import type { TextLines } from "./text-lines.js";

/** Below this share of common character triples nothing is called alike. */
const MIN_LIKENESS = 0.5;
/** A single line may be a part of a longer one; then so much of it has to be there. */
const MIN_SHARE = 0.7;
const TRIPLES = 1 << 16;

/**
 * The run of lines most like `wanted`, line for line, as its first line from 0; `null` when none is alike.
 *
 * Compares sets of character triples, without regard to case and indentation. Linear in the text.
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
    let [found, different] = [0, 0];
    for (let at = from; at + 2 < to; at++) {
      const triple = tripleAt(text, at);
      if (known[triple] === 0) continue;
      found++;
      if (lastSeenIn[triple] !== index) different++;
      lastSeenIn[triple] = index;
    }
    common[index + 1] = common[index]! + found;
    total[index + 1] = total[index]! + Math.max(0, to - from - 2);
    share[index] = different / distinct;
  }

  let best: number | null = null;
  let bestScore = 0;
  for (let first = 0; first < lines.count; first++) {
    const end = Math.min(lines.count, first + wanted.length);
    const likeness = (2 * (common[end]! - common[first]!)) / (total[end]! - total[first]! + wantedTriples);
    const isPart = wanted.length === 1 && share[first]! >= MIN_SHARE;
    if (likeness < MIN_LIKENESS && !isPart) continue;
    const score = isPart ? Math.max(likeness, share[first]!) : likeness;
    if (score <= bestScore) continue;
    bestScore = score;
    best = first;
  }
  return best;
}

function triplesOf(lines: readonly string[]) {
  const known = new Uint8Array(TRIPLES);
  let [count, distinct] = [0, 0];
  for (const line of lines) {
    const { from, to } = trimmedRange(line, 0, line.length);
    for (let at = from; at + 2 < to; at++, count++) {
      const triple = tripleAt(line, at);
      if (known[triple] === 0) distinct++;
      known[triple] = 1;
    }
  }
  return { known, count, distinct };
}

function tripleAt(text: string, at: number): number {
  const a = folded(text.charCodeAt(at));
  const b = folded(text.charCodeAt(at + 1));
  const c = folded(text.charCodeAt(at + 2));
  return (a * 961 + b * 31 + c) & (TRIPLES - 1);
}

/** ASCII letters in lower case, no-break spaces as spaces. */
function folded(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  return code === 0xa0 ? 32 : code;
}
