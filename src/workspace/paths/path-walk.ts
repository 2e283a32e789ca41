import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute, parse, sep } from "node:path";
import type { Walk } from "../../contracts/many-files.js";
import { HAS_DESCRIPTORS, isRealDirectory } from "./descriptor-path.js";

/** As many links as Linux follows before it calls a path a loop. */
const MAX_LINKS = 40;

/** The target of a path on this machine's disk. */
export interface DiskWalk extends Omit<Walk, "kind"> {
  /** The file or directory there; `undefined` when nothing is. Never a symbolic link. */
  readonly stats: Stats | undefined;
}

/** With more names than this it pays to ask the kernel about many of them together. */
const MANY_NAMES = 24;
/** Longer names exist on no file system, so nothing can be created there either. Unit: bytes. */
const MAX_NAME_BYTES = 255;

/**
 * Follows an absolute path as the kernel would, also where it does not exist: `..` leaves the directory a link led to,
 * and a dangling link leads to where its target would be.
 *
 * `from` is a directory known to be real that `path` starts with; its own components are not looked at again. Below the
 * first name that does not exist nothing is looked up, so a long path of missing names costs one lookup.
 * Synchronous on purpose: between checking a path and opening it nothing else of this process runs.
 */
export function walkPath(path: string, from = parse(path).root): DiskWalk {
  const links: string[] = [];
  const pending = components(path.slice(from.length)).reverse();
  let at = from;
  /** The names below `at` that do not exist. */
  const missing: string[] = [];
  while (pending.length > 0) {
    if (missing.length === 0) at = skipReal(at, pending);
    const name = pending.pop();
    if (name === undefined) break;
    if (name === "..") {
      if (missing.pop() === undefined) at = dirname(at);
      continue;
    }
    if (missing.length > 0) {
      missing.push(name);
      continue;
    }
    const next = below(at, [name]);
    try {
      const stats = lstatSync(next, { throwIfNoEntry: false });
      if (!stats) {
        missing.push(name);
        continue;
      }
      if (!stats.isSymbolicLink()) {
        at = next;
        continue;
      }
      links.push(next);
      if (links.length > MAX_LINKS) return { path: at, stats: undefined, links, trouble: "loop" };
      const target = readlinkSync(next);
      if (isAbsolute(target)) at = parse(target).root;
      pending.push(...components(target).reverse());
    } catch (error) {
      return { path: next, stats: undefined, links, trouble: troubleOf(error) };
    }
  }
  const end = below(at, missing);
  if (missing.some((name) => name.length > MAX_NAME_BYTES || Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    return { path: end, stats: undefined, links, trouble: "too-long" };
  }
  try {
    const stats = lstatSync(end, { throwIfNoEntry: false });
    return { path: end, stats: missing.length === 0 ? stats : undefined, links };
  } catch (error) {
    return { path: end, stats: undefined, links, trouble: troubleOf(error) };
  }
}

/**
 * Follows the next names as far as nothing in them is a link, and takes them off `pending`. Where the kernel says where a
 * descriptor is, a few questions do for any number of names; a lookup of each would take the square of it.
 */
function skipReal(at: string, pending: string[]): string {
  if (!HAS_DESCRIPTORS || pending.length <= MANY_NAMES) return at;
  const names = pending.slice(pending.lastIndexOf("..") + 1).reverse();
  if (names.length <= MANY_NAMES) return at;
  let [real, other] = [0, names.length + 1];
  while (other - real > 1) {
    const middle = (real + other) >> 1;
    if (isRealDirectory(below(at, names.slice(0, middle)))) real = middle;
    else other = middle;
  }
  pending.length -= real;
  return below(at, names.slice(0, real));
}

function below(at: string, names: readonly string[]): string {
  return names.length === 0 ? at : [at.endsWith(sep) ? at.slice(0, -1) : at, ...names].join(sep);
}

function components(path: string): string[] {
  const names = path.split(sep === "\\" ? /[\\/]/ : "/");
  return names.filter((name) => name !== "" && name !== ".");
}

function troubleOf(error: unknown): Walk["trouble"] {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOTDIR") return "not-a-directory";
  if (code === "ENAMETOOLONG") return "too-long";
  return code === "ELOOP" ? "loop" : "unreadable";
}
