import * as crypto from "node:crypto";

/** Hashes at once where Node can (from 20.12): three times as fast as an object that takes pieces. */
const hashAtOnce = (
  crypto as { readonly hash?: (algorithm: string, content: string | Uint8Array, encoding: "hex") => string }
).hash;

/** SHA-256 of bytes, or of a string's UTF-8, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return hashAtOnce ? hashAtOnce("sha256", content, "hex") : crypto.createHash("sha256").update(content).digest("hex");
}
