import * as crypto from "node:crypto";

/** Hashes a string at once where Node can (from 20.12): three times as fast as an object that takes pieces. */
const hashAtOnce = (crypto as { readonly hash?: (algorithm: string, text: string, encoding: "hex") => string }).hash;

/** SHA-256 of a string's UTF-8, in hexadecimal. */
export function sha256(text: string): string {
  return hashAtOnce ? hashAtOnce("sha256", text, "hex") : crypto.createHash("sha256").update(text).digest("hex");
}
