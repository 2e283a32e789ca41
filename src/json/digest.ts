import { canonicalJson } from "./copy.js";

interface Constants {
  readonly rounds: Uint32Array;
  readonly initial: Uint32Array;
}

let known: Constants | undefined;

/**
 * The first 64 primes' cube roots, and the first 8 primes' square roots: the first 32 bits of their fractional parts (FIPS
 * 180-4, sections 4.2.2 and 5.3.3). Worked out for the first digest.
 */
function constants(): Constants {
  if (known) return known;
  const rounds = new Uint32Array(64);
  const initial = new Uint32Array(8);
  let prime = 2;
  for (let found = 0; found < 64; prime++) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= prime; factor++) if (prime % factor === 0) isPrime = false;
    if (!isPrime) continue;
    if (found < 8) initial[found] = fraction(Math.sqrt(prime));
    rounds[found++] = fraction(Math.cbrt(prime));
  }
  known = { rounds, initial };
  return known;
}

function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) >>> 0;
}

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/**
 * SHA-256 of a JSON value's canonical text, in hexadecimal (FIPS 180-4).
 *
 * Written out because the core runs where there is not synchronous crypto; it binds an answer to the question it belongs to.
 */
export function strongDigest(value: unknown): string {
  const text = new TextEncoder().encode(canonicalJson(value));
  const padded = new Uint8Array(((text.length + 72) >> 6) << 6);
  padded.set(text);
  padded[text.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(text.length / 2 ** 29));
  words.setUint32(padded.length - 4, text.length << 3);
  const { rounds, initial } = constants();
  const hash = new Uint32Array(initial);
  for (let block = 0; block < padded.length; block += 64) absorb(hash, words, block, rounds);
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}

function absorb(hash: Uint32Array, words: DataView, block: number, rounds: Uint32Array): void {
  const schedule = new Uint32Array(64);
  for (let i = 0; i < 16; i++) schedule[i] = words.getUint32(block + i * 4);
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15]!;
    const late = schedule[i - 2]!;
    const mixEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const mixLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[i] = schedule[i - 16]! + mixEarly + schedule[i - 7]! + mixLate;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const sumE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + sumE + ((e & f) ^ (~e & g)) + rounds[i]! + schedule[i]!) | 0;
    const sumA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (sumA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = hash[i]! + word;
}

/**
 * A short, fast fingerprint of a JSON value (two 32-bit FNV-1a lanes over its text). For distinguishing inputs in a
 * record, not for security.
 */
export function quickDigest(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return (low >>> 0).toString(16).padStart(8, "0") + (high >>> 0).toString(16).padStart(8, "0");
}
