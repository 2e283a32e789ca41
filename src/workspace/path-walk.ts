import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, parse, sep } from "node:path";

/** As many links as Linux follows before it calls a path a loop. */
const MAX_LINKS = 40;

/** Where a path leads. `trouble` says why it could not be followed to its end. */
export interface Walk {
  /** The real path, or as far as it was followed. What does not exist is appended as written. */
  readonly path: string;
  /** What is there; `undefined` when nothing is. Never a symbolic link. */
  readonly stats: Stats | undefined;
  /** Every symbolic link passed through, by its own real path. */
  readonly links: readonly string[];
  readonly trouble?: "loop" | "not-a-folder" | "too-long" | "unreadable";
}

/**
 * Follows an absolute path as the kernel would, also where it does not exist: `..` leaves the folder a link led to, and
 * a dangling link leads to where its target would be.
 *
 * `from` is a folder known to be real that `path` starts with; its own components are not looked at again.
 * Synchronous on purpose: between checking a path and opening it nothing else of this process runs.
 */
export function walkPath(path: string, from = parse(path).root): Walk {
  const links: string[] = [];
  const pending = components(path.slice(from.length)).reverse();
  let at = from;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    try {
      if (!lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink()) {
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
  try {
    return { path: at, stats: lstatSync(at, { throwIfNoEntry: false }), links };
  } catch (error) {
    return { path: at, stats: undefined, links, trouble: troubleOf(error) };
  }
}

function components(path: string): string[] {
  const names = path.split(sep === "\\" ? /[\\/]/ : "/");
  return names.filter((name) => name !== "" && name !== ".");
}

function troubleOf(error: unknown): Walk["trouble"] {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOTDIR") return "not-a-folder";
  if (code === "ENAMETOOLONG") return "too-long";
  return code === "ELOOP" ? "loop" : "unreadable";
}
