/** A multiple of three, so that the pieces have no padding between them. */
const PIECE_BYTES = 3 * 8_192;

/** Bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES))));
  }
  return pieces.join("");
}

/** Whether a text that is not empty is base64. Looked at in pieces: an expression over all of a large picture may run out of stack. */
export function isBase64(text: string): boolean {
  const end = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  for (let at = 0; at < end; at += PIECE_BYTES) {
    if (!/^[A-Za-z\d+/]+$/.test(text.slice(at, Math.min(at + PIECE_BYTES, end)))) return false;
  }
  return end > 0;
}

/** The bytes of a base64 text; `null` for what is not base64. */
export function bytesOf(base64: string): Uint8Array | null {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
