import { closeSync, constants, openSync, readSync } from "node:fs";
import { hasKeyName, holdsPrivateKey, SNIFFED_BYTES } from "./sensitive-paths.js";

/**
 * Whether a file is a private key by its ending and its first bytes: certificates and public keys share the endings.
 *
 * Returns `ifUnreadable` for a file that cannot be read or is missing. Never throws.
 */
export function isPrivateKeyFile(path: string, ifUnreadable: boolean): boolean {
  if (!hasKeyName(path)) return false;
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return ifUnreadable;
  }
  try {
    const start = Buffer.alloc(SNIFFED_BYTES);
    return holdsPrivateKey(start.subarray(0, readSync(file, start, 0, SNIFFED_BYTES, 0)));
  } catch {
    return ifUnreadable;
  } finally {
    closeSync(file);
  }
}
