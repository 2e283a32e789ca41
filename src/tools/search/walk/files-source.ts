import { dirname, join } from "node:path";
import { isHarnessError } from "../../../contracts/errors.js";
import type { FileAccess } from "../../../contracts/workspace.js";
import { byName } from "../../../text/by-name.js";
import type { Directory, DirectoryEntry, FileTime, Listed, Pending, SearchSource } from "./search-source.js";
import { type DirectoryFacts, MAX_RULES_BYTES, SkipRules } from "./skip-rules.js";

const NOTHING: DirectoryFacts = { has: () => false, text: () => null };
const EXCLUDE = ".git/info/exclude";

/** Searches files through their `FileAccess`, wherever they are. */
export class FilesSource implements SearchSource {
  constructor(
    protected readonly files: FileAccess,
    protected readonly root: string,
  ) {}

  async rules(base: string, asked: ReadonlySet<string>): Promise<SkipRules> {
    const facts = new Map<string, DirectoryFacts>();
    for (let directory = base; !facts.has(directory); directory = dirname(directory)) {
      facts.set(directory, await this.#factsAbove(directory));
    }
    return new SkipRules(base, this.root, asked, (directory) => facts.get(directory) ?? NOTHING);
  }

  *readDirectory(directory: string): Generator<Pending, Directory> {
    let read: Directory = { ...NOTHING, entries: [] };
    yield this.#readDirectory(directory).then((found) => {
      read = found;
    });
    return read;
  }

  factsOf(directory: string, listed: Listed): Promise<DirectoryFacts> {
    // A link does not count, as in git.
    const hasRules = listed.some(({ name, kind }) => name === ".gitignore" && kind === "file");
    return this.#facts(directory, listed, hasRules ? [".gitignore"] : []);
  }

  fileTime(path: string): FileTime | Promise<FileTime> {
    return this.#fileTime(path);
  }

  async #fileTime(path: string): Promise<FileTime> {
    const stat = await orNothing(this.files.stat(path), undefined);
    return stat?.kind === "file" ? stat.mtimeMs : undefined;
  }

  async #readDirectory(directory: string): Promise<Directory> {
    const listed = await orNothing(this.files.list(directory), []);
    const entries = listed.map(({ name, kind }) => new ListedEntry(name, kind)).sort(byName);
    return { ...(await this.factsOf(directory, listed)), entries };
  }

  /** The facts of a directory that may be the top of a repository. Files outside the workspace have none. */
  async #factsAbove(directory: string): Promise<DirectoryFacts> {
    const listed = await orNothing(this.files.list(directory), []);
    const rules = await this.factsOf(directory, listed);
    if (!rules.has(".git")) return rules;
    const exclude = await this.#facts(directory, listed, [EXCLUDE]);
    return { has: rules.has, text: (path) => (path === EXCLUDE ? exclude : rules).text(path) };
  }

  async #facts(directory: string, listed: Listed, paths: readonly string[]): Promise<DirectoryFacts> {
    const names = new Set(listed.map(({ name }) => name));
    const texts = new Map<string, string | null>();
    for (const path of paths) texts.set(path, await this.#text(join(directory, path)));
    return { has: (name) => names.has(name), text: (path) => texts.get(path) ?? null };
  }

  async #text(path: string): Promise<string | null> {
    const stat = await orNothing(this.files.stat(path), undefined);
    if (stat?.kind !== "file" || stat.size > MAX_RULES_BYTES) return null;
    const bytes = await orNothing(this.files.read(path), undefined);
    return bytes ? new TextDecoder().decode(bytes) : null;
  }
}

export class ListedEntry implements DirectoryEntry {
  constructor(
    readonly name: string,
    readonly kind: Listed[number]["kind"],
  ) {}

  isFile(): boolean {
    return this.kind === "file";
  }

  isDirectory(): boolean {
    return this.kind === "directory";
  }

  isSymbolicLink(): boolean {
    return this.kind === "symlink";
  }
}

/** A place that is refused, missing or not readable is not found; another failure is reported. */
async function orNothing<T, E>(work: Promise<T>, nothing: E): Promise<T | E> {
  try {
    return await work;
  } catch (error) {
    if (isHarnessError(error)) return nothing;
    throw error;
  }
}
