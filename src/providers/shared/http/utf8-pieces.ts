import { joinedBytes } from "../../../text/joined-bytes.js";

/** Keeps a byte order mark: only one at the beginning of a response is not text, and its reader trims it there. */
const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

const NOTHING = new Uint8Array(0);

/** The longest character is of four bytes. */
const MAX_OPEN_BYTES = 3;

/**
 * Decodes UTF-8 that arrives in packets, cut anywhere. The first bytes of a character wait for the next packet,
 * so that each packet is decoded as a whole: a decoder that keeps state costs several times as much, and has to be made for
 * each response. Bytes that are not UTF-8 become what they become in one piece.
 */
export class Utf8Pieces {
  #held: Uint8Array = NOTHING;

  /** The text of all characters that are whole now. */
  decode(packet: Uint8Array): string {
    const bytes = this.#held.length === 0 ? packet : joinedBytes([this.#held, packet]);
    const whole = bytes.length - openBytes(bytes);
    if (whole === bytes.length) {
      this.#held = NOTHING;
      return UTF8.decode(bytes);
    }
    // A copy: the packet's memory is the sender's.
    this.#held = new Uint8Array(bytes.subarray(whole));
    return UTF8.decode(bytes.subarray(0, whole));
  }
}

/** The number of bytes at the end that begin a character and do not complete it. */
function openBytes(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= MAX_OPEN_BYTES && back <= length; back++) {
    const byte = bytes[length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthOfCharacter(byte) ? back : 0;
  }
  return 0;
}

function lengthOfCharacter(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
