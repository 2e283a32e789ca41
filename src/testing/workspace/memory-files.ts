import type { Stats } from "node:fs";
import { posix } from "node:path";
import type { FileAccess, FileStat, OpenFile, PathAccess } from "../../contracts/workspace.js";
import { notADirectory, notAFile, notEmpty, notFound } from "../../workspace/file-errors.js";
import { PathLocks } from "../../workspace/path-locks.js";
import { nameInside, PathSandbox, type PathSandboxOptions } from "../../workspace/paths/path-sandbox.js";
import type { Walk } from "../../workspace/paths/path-walk.js";

/** `content` of a directory is `null`. */
interface Entry {
  readonly content: Uint8Array | null;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly version: string;
}

const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;

/** Files in memory below `root` and further directories, refused, missing and of the wrong kind as those of a disk are. There are no links. */
export class MemoryFiles implements FileAccess {
  readonly #entries = new Map<string, Entry>();
  readonly #locks = new PathLocks();
  readonly root: string;
  readonly sandbox: PathSandbox;
  #writes = 0;

  constructor(options: Omit<PathSandboxOptions, "walk">) {
    this.root = options.root;
    this.sandbox = new PathSandbox({ ...options, walk: (path) => this.#walk(path) });
    for (const each of [options.root, ...options.readRoots, ...options.writeRoots]) this.#makeDirectories(each);
  }

  /** Puts a file where a host wants one, also where only reading is allowed. */
  seed(path: string, content: Uint8Array): void {
    const real = this.locate(path, "read");
    this.#makeDirectories(posix.dirname(real));
    this.#put(real, content, FILE_MODE);
  }

  resolve = async (path: string, access: PathAccess): Promise<string> => this.locate(path, access);

  async stat(path: string): Promise<FileStat> {
    return statOf(this.#get(path).entry);
  }

  async open(path: string): Promise<OpenFile> {
    const { content, entry, real } = this.#getFile(path);
    return {
      path: real,
      stat: statOf(entry),
      read: async (target, position) => {
        const part = content.subarray(position, position + target.length);
        target.set(part);
        return part.length;
      },
      close: async () => {},
    };
  }

  async read(path: string): Promise<Uint8Array> {
    return this.#getFile(path).content.slice();
  }

  async write(path: string, content: Uint8Array, options?: { readonly mode?: number }): Promise<FileStat> {
    const real = this.locate(path, "write");
    const existing = this.#entries.get(real);
    if (existing?.content === null) throw notAFile(this.#nameOf(path));
    this.#makeDirectories(posix.dirname(real));
    return statOf(this.#put(real, content.slice(), options?.mode ?? existing?.mode ?? FILE_MODE));
  }

  async remove(path: string): Promise<void> {
    const { entry, real } = this.#get(path);
    if (entry.content === null && (await this.list(real)).length > 0) throw notEmpty(this.#nameOf(path));
    this.#entries.delete(real);
  }

  async makeDirectory(path: string): Promise<void> {
    const real = this.locate(path, "write");
    if (this.#entries.get(real)?.content) throw notADirectory(this.#nameOf(path));
    this.#makeDirectories(real);
  }

  async list(path: string) {
    const { entry, real } = this.#get(path);
    if (entry.content) throw notADirectory(this.#nameOf(path));
    const inside = [...this.#entries].filter(([each]) => posix.dirname(each) === real && each !== real);
    return inside.map(([each, { content }]) => ({ name: posix.basename(each), kind: kindOf(content) }));
  }

  async withLock<T>(path: string, access: PathAccess, work: () => Promise<T>): Promise<T> {
    return this.#locks.run(this.locate(path, access), access, work);
  }

  /** The absolute path, also of what does not exist yet. @throws SandboxError */
  locate(path: string, access: PathAccess): string {
    return this.sandbox.resolve(path, access).path;
  }

  /** There are no links: a path leads where it says. */
  #walk(path: string): Walk {
    const real = posix.resolve(path);
    const content = this.#entries.get(real)?.content;
    const isThere = content !== undefined;
    const stats = { isFile: () => isThere && content !== null, isDirectory: () => content === null };
    const walk = { path: real, stats: isThere ? (stats as Stats) : undefined, links: [] };
    for (let parent = posix.dirname(real); parent !== "/"; parent = posix.dirname(parent)) {
      if (this.#entries.get(parent)?.content) return { ...walk, trouble: "not-a-directory" };
    }
    return walk;
  }

  /** The text of every file, by its path from the root. */
  texts(): Record<string, string> {
    const files = [...this.#entries].filter(([, { content }]) => content !== null);
    const named = files.map(([path, { content }]) => [nameInside(path, this.root), new TextDecoder().decode(content!)]);
    return Object.fromEntries(named);
  }

  #nameOf(path: string): string {
    return nameInside(path, this.root);
  }

  #get(path: string): { readonly entry: Entry; readonly real: string } {
    const real = this.locate(path, "read");
    const entry = this.#entries.get(real);
    if (!entry) throw notFound(this.#nameOf(path));
    return { entry, real };
  }

  #getFile(path: string) {
    const found = this.#get(path);
    const { content } = found.entry;
    if (content === null) throw notAFile(this.#nameOf(path));
    return { ...found, content };
  }

  #makeDirectories(directory: string): void {
    if (directory !== "/") this.#makeDirectories(posix.dirname(directory));
    if (!this.#entries.has(directory)) this.#put(directory, null, DIRECTORY_MODE);
  }

  #put(path: string, content: Uint8Array | null, mode: number): Entry {
    const entry = { content, mode, mtimeMs: Date.now(), version: String(++this.#writes) };
    this.#entries.set(path, entry);
    return entry;
  }
}

function statOf({ content, mode, mtimeMs, version }: Entry): FileStat {
  return { kind: kindOf(content), size: content?.length ?? 0, mtimeMs, mode, version };
}

function kindOf(content: Uint8Array | null): "file" | "directory" {
  return content === null ? "directory" : "file";
}
