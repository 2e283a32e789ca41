import type { Workspace } from "../../../contracts/workspace.js";
import { TimeSlices } from "../../../tools/search/cooperative-yield.js";
import { walkFiles } from "../../../tools/search/walk/walk-files.js";
import { searchSource } from "../../../tools/search/walk/workspace-source.js";

/** Nobody completes by hand among more. */
const MAX_FILES = 20_000;
/** The time a list is taken for true. Unit: milliseconds. */
const FRESH_MS = 10_000;

/** The workspace's files for completion: without what `.gitignore` ignores, listed when somebody begins to type. */
export class WorkspaceFiles {
  #files: Promise<readonly string[]> | undefined;
  #listedAt = 0;

  constructor(private readonly workspace: Workspace) {}

  /** Paths relative to the root, in path order. Directories end with a slash. Empty when they cannot be listed. */
  list(signal: AbortSignal): Promise<readonly string[]> {
    if (!this.#files || Date.now() - this.#listedAt > FRESH_MS) {
      this.#listedAt = Date.now();
      this.#files = this.#walk(signal).catch(() => {
        this.#files = undefined;
        return [];
      });
    }
    return this.#files;
  }

  async #walk(signal: AbortSignal): Promise<readonly string[]> {
    const slices = new TimeSlices(signal);
    const source = searchSource(this.workspace);
    const rules = await slices.waitFor(source.rules(this.workspace.root, new Set()));
    const found = new Set<string>();
    for (const file of walkFiles(source, rules, () => true)) {
      if (slices.due()) await slices.pause();
      if (file instanceof Promise) await slices.waitFor(file);
      if (!file || file instanceof Promise) continue;
      const slash = file.path.lastIndexOf("/");
      if (slash > 0) found.add(file.path.slice(0, slash + 1));
      found.add(file.path);
      if (found.size >= MAX_FILES) break;
    }
    return [...found];
  }
}
