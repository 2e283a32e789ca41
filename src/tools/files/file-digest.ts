import type { FileStat } from "../../contracts/workspace.js";
import { sha256 } from "../../files/sha256.js";

/** Larger files are distinguished by their status, so that a page of a huge file does not cost reading it all. */
export const MAX_DIGESTED_BYTES = 16 * 1024 * 1024;

/** Distinguishes one state of a file from another; the same for reading, editing and writing it. */
export function fileDigest(content: Uint8Array | null, stat: FileStat): string {
  if (content === null || content.length > MAX_DIGESTED_BYTES) return `version:${stat.version}`;
  return `sha256:${sha256(content)}`;
}
