import { isUtf8 } from "node:buffer";

/** The encoding of a string as bytes. */
export interface TextEncoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be";
  /** Whether a byte order mark comes first. It is not a part of the text. */
  readonly hasBom: boolean;
}

export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
}

export const UTF8: TextEncoding = { name: "utf-8", hasBom: false };

/** The encoding a byte order mark names; UTF-8 without one. */
export function encodingOf(start: Uint8Array): TextEncoding {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { name: "utf-8", hasBom: true };
  if (start[0] === 0xff && start[1] === 0xfe) return { name: "utf-16le", hasBom: true };
  if (start[0] === 0xfe && start[1] === 0xff) return { name: "utf-16be", hasBom: true };
  return UTF8;
}

/**
 * Reads UTF-8, or UTF-16 with a byte order mark, if it can be written back byte for byte.
 *
 * `null` for anything else: bytes that are not valid, and texts with NUL characters, which are binary files or other
 * encodings.
 */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const encoding = encodingOf(bytes);
  const text = encoding.name === "utf-8" ? fromUtf8(bytes, encoding.hasBom) : fromUtf16(bytes, encoding.name);
  return text === null || text.includes("\0") ? null : { text, encoding };
}

export function encodeText(text: string, { name, hasBom }: TextEncoding): Buffer {
  const whole = hasBom ? `\ufeff${text}` : text;
  if (name === "utf-8") return Buffer.from(whole, "utf8");
  const bytes = Buffer.from(whole, "utf16le");
  return name === "utf-16be" ? bytes.swap16() : bytes;
}

function fromUtf8(bytes: Uint8Array, hasBom: boolean): string | null {
  if (!isUtf8(bytes)) return null;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8", hasBom ? 3 : 0);
}

function fromUtf16(bytes: Uint8Array, name: "utf-16le" | "utf-16be"): string | null {
  if (bytes.length % 2 !== 0) return null;
  const littleEndian =
    name === "utf-16le" ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : Buffer.from(bytes).swap16();
  const text = littleEndian.toString("utf16le", 2);
  return /\p{Surrogate}/u.test(text) ? null : text;
}
