import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DiskView } from "./disk-view.js";

/** This machine's disk: the only place in this module that reads it. */
export const LOCAL_DISK: DiskView = {
  entriesOf(directory) {
    try {
      return readdirSync(directory, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "directory" : "file",
      }));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === "ENOENT" || code === "ENOTDIR" ? [] : null;
    }
  },
  realPathOf(path) {
    // The real path of the deepest ancestor that exists, and the rest as written.
    const rest: string[] = [];
    for (let at = path; ; at = dirname(at)) {
      try {
        // To ask first costs a tenth of an error: a path may have a thousand names that are not there.
        if (statSync(at, { throwIfNoEntry: false })) return join(realpathSync.native(at), ...rest);
      } catch {}
      if (dirname(at) === at) return path;
      rest.unshift(basename(at));
    }
  },
  kindOf(path) {
    try {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? null : stat.isDirectory() ? "directory" : "file";
    } catch {
      // A path this process may not look at is closed to others, too.
      return null;
    }
  },
  isLink(path) {
    try {
      return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    } catch {
      return false;
    }
  },
  contentOf(path, maxBytes) {
    try {
      const stat = statSync(path);
      return stat.isFile() && stat.size <= maxBytes ? readFileSync(path) : null;
    } catch {
      return null;
    }
  },
};
