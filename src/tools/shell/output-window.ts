import { firstCharacters, lastCharacters } from "../../text/cut.js";
import { terminalText } from "../../text/terminal-text.js";

/** Longer text is shown as head and tail. Unit: characters. */
export const MAX_CHARS = 15_000;
/** A capacity that is enough to show head and tail. */
export const SHOWN_BYTES = 2 * 1024 * 1024;
const HEAD_CHARS = 6_000;
const TAIL_CHARS = 3_000;
/** Up to here the text is decoded as a whole, to know its length without control sequences. */
const DECODED_BYTES = 1024 * 1024;
const FIRST_BYTES = 64 * 1024;

/** The part of an output that is left once it has ended. */
export interface EndedOutput {
  /** Written in all. */
  readonly bytes: number;
  /** All of it, when it is short enough to be shown. */
  readonly text?: string;
  /** Otherwise its first and last characters. */
  readonly head: string;
  readonly tail: string;
  /** The bytes as they were written; beyond the capacity, head and tail with a note between them. */
  readonly kept: Uint8Array;
}

/**
 * Keeps an output in bounded memory: all of it up to `capacity` bytes, beyond that its first and its last half.
 *
 * The buffer grows by fours; once it is full, its second half is a ring. Writing never decodes, so that a fast command
 * is not slowed down.
 */
export class OutputWindow {
  /** Bytes written, also those not kept. */
  bytes = 0;
  readonly #half: number;
  #buffer = Buffer.alloc(0);

  /** @param capacity in bytes; even, and at least 2 MiB when head and tail are to be shown. */
  constructor(private readonly capacity: number) {
    this.#half = capacity / 2;
  }

  write(chunk: Uint8Array): void {
    const linear = Math.max(0, Math.min(chunk.length, this.capacity - this.bytes));
    if (linear > 0) this.#append(chunk.subarray(0, linear));
    if (linear < chunk.length) this.#writeToRing(chunk.subarray(linear));
  }

  /** Ends the output. Call once, and write no more. */
  end(): EndedOutput {
    const { bytes } = this;
    const kept = this.#unrolled();
    const head = decode(kept.subarray(0, DECODED_BYTES));
    if (kept.length <= DECODED_BYTES && head.length <= MAX_CHARS) return { bytes, text: head, head, tail: "", kept };
    const tail = decode(kept.subarray(firstWholeCharacter(kept, Math.max(0, kept.length - DECODED_BYTES))));
    return {
      bytes,
      head: firstCharacters(head, HEAD_CHARS),
      tail: lastCharacters(tail, TAIL_CHARS),
      kept,
    };
  }

  #append(chunk: Uint8Array): void {
    this.#grow(this.bytes + chunk.length);
    this.#buffer.set(chunk, this.bytes);
    this.bytes += chunk.length;
  }

  #grow(size: number): void {
    if (size <= this.#buffer.length) return;
    let length = Math.max(this.#buffer.length, FIRST_BYTES);
    while (length < size) length *= 4;
    const larger = Buffer.allocUnsafeSlow(Math.min(length, this.capacity));
    larger.set(this.#buffer.subarray(0, this.bytes));
    this.#buffer = larger;
  }

  /** Byte number `n` of the output lies in the ring at `n % half`, since the head is exactly one half long. */
  #writeToRing(chunk: Uint8Array): void {
    const last = chunk.subarray(Math.max(0, chunk.length - this.#half));
    const at = (this.bytes + chunk.length - last.length) % this.#half;
    const untilEnd = Math.min(last.length, this.#half - at);
    this.#buffer.set(last.subarray(0, untilEnd), this.#half + at);
    this.#buffer.set(last.subarray(untilEnd), this.#half);
    this.bytes += chunk.length;
  }

  #unrolled(): Uint8Array {
    if (this.bytes <= this.capacity) return this.#buffer.subarray(0, this.bytes);
    rotateLeft(this.#buffer.subarray(this.#half), this.bytes % this.#half);
    const note = Buffer.from(`\n[… ${this.bytes - this.capacity} bytes of output were not kept …]\n`);
    this.#buffer.set(note, this.#half - note.length);
    return this.#buffer;
  }
}

/** In place, because a second buffer of this size would double the memory. */
function rotateLeft(bytes: Uint8Array, by: number): void {
  bytes.subarray(0, by).reverse();
  bytes.subarray(by).reverse();
  bytes.reverse();
}

/** All that is left of an output, as text. */
export function textOfWindow({ text, kept }: EndedOutput): string {
  return text ?? decode(kept);
}

function decode(bytes: Uint8Array): string {
  return terminalText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
}

/** The first position from `start` that does not continue a UTF-8 character. */
function firstWholeCharacter(bytes: Uint8Array, start: number): number {
  if (start === 0) return 0;
  let position = start;
  while (position < start + 3 && (bytes[position]! & 0xc0) === 0x80) position++;
  return position;
}
