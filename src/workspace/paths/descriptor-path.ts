// The path of a descriptor, from Linux; some containers hide it, and other systems do not have it.
import { closeSync, constants, existsSync, openSync, readlinkSync } from "node:fs";

const DESCRIPTORS = "/proc/self/fd";
export const HAS_DESCRIPTORS = process.platform === "linux" && existsSync(DESCRIPTORS);
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Opens the name, not what it names, so it needs no right to read. Node does not name this flag of Linux. */
export const PATH_ONLY = 0o10000000;

/** The path of a descriptor as a name to open: entries below it are where the descriptor is, wherever its path leads. */
export function descriptorName(descriptor: number): string {
  return `${DESCRIPTORS}/${descriptor}`;
}

/** The present path of the file that a descriptor holds. */
export function descriptorPath(descriptor: number): string {
  return readlinkSync(descriptorName(descriptor));
}

/** Whether the path names a directory and no part of it is a symbolic link. Takes one walk of the kernel. */
export function isRealDirectory(path: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, PATH_ONLY | NO_FOLLOW | constants.O_DIRECTORY);
  } catch {
    return false;
  }
  try {
    return descriptorPath(descriptor) === path;
  } finally {
    closeSync(descriptor);
  }
}
