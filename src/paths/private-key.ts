import { closeSync, constants, openSync, readSync } from "node:fs";
import { extname } from "node:path";
import { foldPath } from "./fold.js";

const KEY_EXTENSIONS = new Set([".pem", ".key"]);
const SNIFFED_BYTES = 4096;

/**
 * Whether a file is a private key by its ending and its first bytes: certificates and public keys share the endings.
 *
 * What cannot be read, or is missing, is `ifUnreadable`. Never throws.
 */
export function isPrivateKeyFile(path: string, ifUnreadable: boolean): boolean {
  if (!KEY_EXTENSIONS.has(extname(foldPath(path)))) return false;
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return ifUnreadable;
  }
  try {
    const start = Buffer.alloc(SNIFFED_BYTES);
    const text = start.toString("latin1", 0, readSync(file, start, 0, SNIFFED_BYTES, 0));
    return !/-----BEGIN (TRUSTED )?CERTIFICATE|PUBLIC KEY-----/.test(text) || text.includes("PRIVATE KEY");
  } catch {
    return ifUnreadable;
  } finally {
    closeSync(file);
  }
}
