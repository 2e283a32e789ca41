import { trimmedRange } from "./line-text.js";
import type { TextLines } from "./text-lines.js";

/** Below this share of common character triples nothing is called alike. */
const MIN_LIKENESS = 0.5;
const TRIPLES = 1 << 16;

/**
 * The run of `count` lines whose characters are most like `wanted`, as its first line from 0; `null` when none is alike.
 *
 * Compares sets of character triples, without regard to case and indentation. Linear in the text.
 */
export function closestRegion(text: string, lines: TextLines, wanted: readonly string[]): number | null {
  const known = new Uint8Array(TRIPLES);
  let wantedTriples = 0;
  for (const line of wanted) {
    const { from, to } = trimmedRange(line, 0, line.length);
    for (let at = from; at + 2 < to; at++, wantedTriples++) known[tripleAt(line, at)] = 1;
  }
  if (wantedTriples === 0) return null;

  const matched = new Int32Array(lines.count + 1);
  const total = new Int32Array(lines.count + 1);
  for (let index = 0; index < lines.count; index++) {
    const { from, to } = trimmedRange(text, lines.starts[index]!, lines.ends[index]!);
    let common = 0;
    for (let at = from; at + 2 < to; at++) common += known[tripleAt(text, at)]!;
    matched[index + 1] = matched[index]! + common;
    total[index + 1] = total[index]! + Math.max(0, to - from - 2);
  }

  let best: number | null = null;
  let likeness = MIN_LIKENESS;
  for (let first = 0; first < lines.count; first++) {
    const end = Math.min(lines.count, first + wanted.length);
    const common = matched[end]! - matched[first]!;
    const score = (2 * common) / (total[end]! - total[first]! + wantedTriples);
    if (score <= likeness) continue;
    likeness = score;
    best = first;
  }
  return best;
}

function tripleAt(text: string, at: number): number {
  const a = lower(text.charCodeAt(at));
  const b = lower(text.charCodeAt(at + 1));
  const c = lower(text.charCodeAt(at + 2));
  return (a * 961 + b * 31 + c) & (TRIPLES - 1);
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
