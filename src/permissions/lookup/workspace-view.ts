// A workspace that is not on this machine: its directories are listed before a line is decided that needs to know them.
import { dirname, join } from "node:path";
import type { Workspace } from "../../contracts/workspace.js";
import { isInside } from "../../paths/inside.js";
import { type DiskEntry, type DiskView, PRUNED } from "./disk-view.js";

/** More entries are not listed; what is not listed is not known. */
const MAX_ENTRIES = 5_000;

/** Nothing is known: whatever would need to look asks. */
export const UNKNOWN_DISK: DiskView = {
  entriesOf: () => null,
  realPathOf: () => null,
  kindOf: () => "unknown",
  isLink: () => false,
  contentOf: () => null,
};

/** Lists a workspace through its own files. What lies outside of it, or behind its links, is not known. */
export async function viewOf({ root, files }: Pick<Workspace, "root" | "files">): Promise<DiskView> {
  const listed = new Map<string, readonly DiskEntry[]>();
  const waiting = [root];
  let left = MAX_ENTRIES;
  for (let directory = waiting.shift(); directory !== undefined && left > 0; directory = waiting.shift()) {
    try {
      const entries = (await files.list(directory)).map(({ name, kind }) => ({ name, kind: kindOf(kind) }));
      left -= entries.length;
      listed.set(directory, entries);
      for (const { name, kind } of entries) {
        if (kind === "directory" && !PRUNED.has(name)) waiting.push(join(directory, name));
      }
    } catch {
      // A directory that cannot be listed stays unknown.
    }
  }
  return new ListedView(root, listed);
}

function kindOf(kind: string): DiskEntry["kind"] {
  return kind === "directory" ? "directory" : kind === "symlink" ? "link" : "file";
}

class ListedView implements DiskView {
  readonly #root: string;
  readonly #listed: ReadonlyMap<string, readonly DiskEntry[]>;

  constructor(root: string, listed: ReadonlyMap<string, readonly DiskEntry[]>) {
    this.#root = root;
    this.#listed = listed;
  }

  entriesOf(directory: string): readonly DiskEntry[] | null {
    const entries = this.#listed.get(directory);
    if (entries) return entries;
    const kind = this.kindOf(directory);
    return kind === null || kind === "file" ? [] : null;
  }

  realPathOf(path: string): string | null {
    if (!isInside(path, this.#root)) return null;
    for (let at = path; at !== this.#root; at = dirname(at)) if (this.isLink(at)) return null;
    return path;
  }

  kindOf(path: string): "file" | "directory" | "unknown" | null {
    if (path === this.#root) return "directory";
    if (!isInside(path, this.#root)) return "unknown";
    const parent = this.#listed.get(dirname(path));
    if (parent === undefined) return this.kindOf(dirname(path)) === null ? null : "unknown";
    const entry = parent.find(({ name }) => join(dirname(path), name) === path);
    if (entry === undefined) return null;
    return entry.kind === "link" ? "unknown" : entry.kind;
  }

  isLink(path: string): boolean {
    const entry = this.#listed.get(dirname(path))?.find(({ name }) => join(dirname(path), name) === path);
    return entry?.kind === "link";
  }

  contentOf(): null {
    return null;
  }
}
