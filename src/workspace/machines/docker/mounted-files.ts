// The files in directories of this machine that a container is given: links and sockets that lead out of it, and files that are run or trusted here.
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { isInside } from "../../../paths/inside.js";
import { askedReason, gitsOwnReason } from "../../../paths/sensitive-paths.js";
import type { Mount } from "./docker-walls.js";

/** The dangerous content of a mounted directory or file. */
export interface MountedFiles {
  /** The reason why it lets through more than files, or that is not known; a sentence, or `null`. */
  readonly breach: string | null;
  /** Files and directories that are run or trusted on this machine. Installed packages are left out. Absolute, here. */
  readonly trusted: readonly string[];
}

/** More are not looked at. */
const MAX_ENTRIES = 500_000;

/** All mounts of a container, whose first process is `pid`: of the trusted files those that can be written there. Never throws. */
export async function lookAtMounts(mounts: readonly Mount[], pid: number): Promise<MountedFiles> {
  const trusted: string[] = [];
  if (mounts.length === 0) return { breach: null, trusted };
  const points = await mountPoints(pid).catch(() => []);
  const readOnly = mounts.filter(({ writable }) => !writable);
  for (const { source, at, writable } of mounts) {
    // A file that is saved here in one step takes its mount there away.
    const isMounted = points.some(({ point, options }) => point === at && (writable || options.includes("ro")));
    if (!isMounted) return { breach: `"${source}" is not mounted at "${at}" any more, or that is not known.`, trusted };
    const found = await lookAtMount(source);
    if (found.breach) return found;
    if (!writable) continue;
    const isOpen = (file: string) =>
      !readOnly.some((mount) => isInside(join(at, relative(source, file)), mount.at) && isInside(mount.at, at));
    trusted.push(...found.trusted.filter(isOpen));
  }
  return { breach: null, trusted };
}

/** All files below a path; links are not followed. Never throws. */
export async function lookAtMount(source: string): Promise<MountedFiles> {
  const trusted: string[] = [];
  const breach = (why: string) => ({ breach: `The mount of "${source}" ${why}.`, trusted });
  try {
    const real = await realpath(source);
    const inner = (await mountPoints("self")).find(({ point }) => point !== real && isInside(point, real));
    if (inner) return breach(`holds the mount "${inner.point}"`);
    const about = await lstat(real);
    if (!about.isDirectory() && !about.isFile()) return breach("is no file and no directory");
    if (isTrusted(real, dirname(real))) trusted.push(source);
    let left = MAX_ENTRIES;
    const directories = about.isDirectory() ? [{ at: "", isPassed: trusted.length > 0 }] : [];
    for (let next = directories.pop(); next; next = directories.pop()) {
      for (const entry of await readdir(join(real, next.at), { withFileTypes: true })) {
        const at = join(next.at, entry.name);
        if (left-- === 0) return breach(`holds more than ${MAX_ENTRIES} files`);
        if (!entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink())
          return breach(`holds "${at}", which is a socket, a pipe or a device`);
        const isPackages = entry.name === "node_modules";
        const isFound = !next.isPassed && !isPackages && isTrusted(join(real, at), real);
        if (isFound) trusted.push(join(source, at));
        if (entry.isDirectory()) directories.push({ at, isPassed: next.isPassed || isPackages || isFound });
      }
    }
    return { breach: null, trusted };
  } catch (error) {
    return breach(`cannot be looked at from here: ${(error as Error).message}`);
  }
}

function isTrusted(path: string, root: string): boolean {
  return gitsOwnReason(path) !== null || askedReason(path, root, "write") !== null;
}

/** The mounts that a process has. @throws where this system does not say them */
async function mountPoints(pid: number | "self") {
  const text = await readFile(`/proc/${pid}/mountinfo`, "utf8");
  const plain = (path: string) =>
    path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
  return text.split("\n").flatMap((line) => {
    const [, , , , point, options = ""] = line.split(" ");
    return point === undefined ? [] : [{ point: plain(point), options: options.split(",") }];
  });
}
