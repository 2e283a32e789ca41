/*
 * Searches files that are elsewhere by a list of all of them, which is one round trip. Directories that a search seldom enters are
 * left out of it at first, and fetched together when the ignore rules, which decide here as for a disk, do not skip them.
 */
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Look, ManyFiles, TreeFile } from "../../../contracts/many-files.js";
import type { FileAccess } from "../../../contracts/workspace.js";
import { byName } from "../../../text/by-name.js";
import { FilesSource, ListedEntry } from "./files-source.js";
import type { BulkReader, Directory, FileTime, Listed, Pending } from "./search-source.js";
import { type DirectoryFacts, SELDOM_ENTERED, SkipRules } from "./skip-rules.js";
import { walkFiles } from "./walk-files.js";

/** Directories looked at without a stop. */
const PIECE = 256;

/** Asks file by file where a list is too much. */
export class SnapshotSource extends FilesSource {
  readonly bulk: BulkReader;
  readonly #many: ManyFiles;
  readonly #files = new Map<string, TreeFile>();
  /** The names in each directory that was listed. */
  readonly #entries = new Map<string, ListedEntry[]>();
  readonly #ignoreFiles = new Map<string, string>();
  readonly #repositories = new Set<string>();
  #linksRules = false;

  constructor(files: FileAccess, many: ManyFiles, root: string) {
    super(files, root);
    this.#many = many;
    this.bulk = {
      sizeOf: (path) => this.#sizeOf(path),
      list: (directory) => this.#entries.get(directory),
      statOf: async (path) => {
        const found = this.#files.get(path);
        return found?.kind === "symlink" ? (await many.look([{ path, stat: true }]))[0] : (found as Look | undefined);
      },
      read: (paths, maxBytes) => many.readMany(paths, maxBytes),
      // Ripgrep obeys ignore files that are links, git does not.
      narrow: async (directory, options) => (this.#linksRules ? null : many.narrow(directory, options)),
    };
  }

  override async rules(base: string, asked: ReadonlySet<string>): Promise<SkipRules> {
    if (!this.#entries.has(base) && !(await this.#fetch([base], SELDOM_ENTERED))) return super.rules(base, asked);
    const rules = new SkipRules(base, this.root, asked, (directory) => this.#facts(directory));
    for (let left = await this.#notFetched(rules); left.length > 0; left = await this.#notFetched(rules)) {
      // The directories below are entered more often than not.
      if (!(await this.#fetch(left, [".git"]))) return super.rules(base, asked);
    }
    return rules;
  }

  override *readDirectory(directory: string): Generator<Pending, Directory> {
    return this.#listed(directory) ?? (yield* super.readDirectory(directory));
  }

  override async factsOf(directory: string, listed: Listed): Promise<DirectoryFacts> {
    return this.#entries.has(directory) ? this.#facts(directory) : super.factsOf(directory, listed);
  }

  override fileTime(path: string): FileTime | Promise<FileTime> {
    const found = this.#files.get(path);
    if (found && found.kind !== "symlink") return found.kind === "file" ? found.mtimeMs : undefined;
    return this.#isMissing(path) ? undefined : this.#timeBehind(path);
  }

  /** Whether it is not in a directory that was listed. */
  #isMissing(path: string): boolean {
    if (this.#files.has(path) || dirname(path) === path) return false;
    return this.#entries.has(dirname(path)) || this.#isMissing(dirname(path));
  }

  async #timeBehind(path: string): Promise<FileTime> {
    const [look] = await this.#many.look([{ path, stat: true }]);
    return look?.kind === "file" ? look.mtimeMs : undefined;
  }

  #sizeOf(path: string): number | undefined {
    const found = this.#files.get(path);
    return found?.kind === "file" ? found.size : undefined;
  }

  #listed(directory: string): Directory | undefined {
    const entries = this.#entries.get(directory);
    return entries && { ...this.#facts(directory), entries };
  }

  #facts(directory: string): DirectoryFacts {
    return {
      has: (name) =>
        this.#files.has(join(directory, name)) ||
        (name === ".git" && this.#repositories.has(directory)) ||
        this.#ignoreFiles.has(join(directory, name)),
      text: (path) => this.#ignoreFiles.get(join(directory, path)) ?? null,
    };
  }

  /** The directories that a search enters and that were not listed. */
  async #notFetched(rules: SkipRules): Promise<readonly string[]> {
    const left: string[] = [];
    const listed = { readDirectory: (directory: string) => this.#listedOrNoted(directory, left) };
    let steps = 0;
    for (const _ of walkFiles(listed, rules, () => false)) if (++steps % PIECE === 0) await nextTurn();
    return left;
  }

  *#listedOrNoted(directory: string, left: string[]): Generator<Pending, Directory> {
    const listed = this.#listed(directory);
    if (listed) return listed;
    left.push(directory);
    yield null;
    return { ...this.#facts(directory), entries: [] };
  }

  /** Whether that was not too much. What could not be listed is empty, as on a disk. */
  async #fetch(directories: readonly string[], leaveOut: readonly string[]): Promise<boolean> {
    const tree = await this.#many.tree(directories, leaveOut);
    if (!tree) return false;
    for (const directory of directories) this.#entries.set(directory, []);
    const left = new Set(leaveOut);
    for (const file of tree.files) {
      const name = file.path.slice(file.path.lastIndexOf("/") + 1);
      this.#files.set(file.path, file);
      if (name === ".gitignore" && file.kind === "symlink") this.#linksRules = true;
      if (file.kind === "directory" && !left.has(name)) this.#entries.set(file.path, []);
    }
    for (const { path, kind } of tree.files) {
      const slash = path.lastIndexOf("/");
      this.#entries.get(path.slice(0, slash) || "/")?.push(new ListedEntry(path.slice(slash + 1), kind));
    }
    for (const entries of this.#entries.values()) entries.sort(byName);
    for (const [path, text] of tree.ignoreFiles) this.#ignoreFiles.set(path, text);
    for (const directory of tree.repositories) this.#repositories.add(directory);
    return true;
  }
}
