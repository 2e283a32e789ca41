import { posix } from "node:path";
import type { FileStat } from "../../contracts/workspace.js";
import type { FileDriver } from "../../workspace/over/file-driver.js";

/** `content` of a directory is `null`. */
interface Entry {
  readonly content: Uint8Array | null;
  readonly stat: FileStat;
}

const MODES = { file: 0o644, directory: 0o755 };

/** Files in memory. There are no links. */
export class MemoryFiles implements FileDriver {
  readonly entries = new Map<string, Entry>();
  #writes = 0;

  async walk(path: string) {
    const real = posix.resolve(path);
    const kind = real === "/" ? "directory" : (this.entries.get(real)?.stat.kind ?? null);
    const walk = { path: real, kind, links: [] } as const;
    for (let parent = posix.dirname(real); parent !== "/"; parent = posix.dirname(parent)) {
      if (this.entries.get(parent)?.content) return { ...walk, trouble: "not-a-directory" as const };
    }
    return walk;
  }

  stat = async (path: string) => this.#get(path).stat;

  async read(path: string, position: number, length: number) {
    const { content, stat } = this.#get(path);
    if (content === null) throw failure("EISDIR");
    return { bytes: content.slice(position, position + length), stat };
  }

  async write(path: string, content: Uint8Array, mode = this.entries.get(path)?.stat.mode ?? MODES.file) {
    await this.makeDirectory(posix.dirname(path));
    return this.#put(path, content, { kind: "file", mode, size: content.length });
  }

  async remove(path: string) {
    if (this.#get(path).content === null && (await this.list(path)).length > 0) throw failure("ENOTEMPTY");
    this.entries.delete(path);
  }

  async makeDirectory(path: string) {
    if (path !== "/") await this.makeDirectory(posix.dirname(path));
    if (!this.entries.has(path)) this.#put(path, null, { kind: "directory", mode: MODES.directory, size: 0 });
  }

  async list(path: string) {
    if (this.#get(path).content) throw failure("ENOTDIR");
    const inside = [...this.entries].filter(([each]) => posix.dirname(each) === path && each !== path);
    return inside.map(([each, { stat }]) => ({ name: posix.basename(each), kind: stat.kind }));
  }

  #get(path: string): Entry {
    const entry = this.entries.get(path);
    if (!entry) throw failure("ENOENT");
    return entry;
  }

  #put(path: string, content: Uint8Array | null, about: Pick<FileStat, "kind" | "mode" | "size">): FileStat {
    const stat = { ...about, mtimeMs: Date.now(), version: String(++this.#writes) };
    this.entries.set(path, { content, stat });
    return stat;
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
