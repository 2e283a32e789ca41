import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../files/sha256.js";
import { codeOf, type FileSystem, syncDirectory } from "../file-system.js";
import type { Durability } from "../session-file-writer.js";

interface ContentOptions {
  /** The directory of one session's contents. Made when the first comes. */
  readonly dir: string;
  readonly durability: Durability;
  /** Unit: bytes, of all contents together. */
  readonly maxBytes: number;
}

/** Keeps what files held, each content once, named by its digest; `trim` forgets the oldest beyond a limit. */
export class KeptContents {
  /** Bytes by digest, oldest first. */
  #kept: Promise<Map<string, number>> | undefined;
  #bytes = 0;

  constructor(
    private readonly files: FileSystem,
    private readonly options: ContentOptions,
  ) {}

  /** Resolves with the digest, also of content that alone is over the limit and therefore not kept. */
  async keep(content: Uint8Array): Promise<string> {
    const { dir, durability, maxBytes } = this.options;
    const digest = sha256(content);
    const kept = await this.#known();
    if (kept.has(digest) || content.length > maxBytes) return digest;
    await this.files.mkdir(dir, { recursive: true, mode: 0o700 });
    await writeWhole(this.files, join(dir, digest), content, durability);
    if (durability === "power") await syncDirectory(this.files, dir);
    if (!kept.has(digest)) this.#bytes += content.length;
    kept.set(digest, content.length);
    return digest;
  }

  async holds(digest: string): Promise<boolean> {
    return (await this.#known()).has(digest);
  }

  /** The content, or `null` when it is not kept (any more) or was damaged. */
  async find(digest: string): Promise<Uint8Array | null> {
    try {
      const content = await this.files.readFile(join(this.options.dir, digest));
      return sha256(content) === digest ? content : null;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    }
  }

  /** Removes the oldest contents beyond the limit, but not this one. */
  async trim(digest: string | undefined): Promise<void> {
    const kept = await this.#known();
    for (const [oldest, size] of kept) {
      if (this.#bytes <= this.options.maxBytes) return;
      if (oldest === digest) continue;
      kept.delete(oldest);
      this.#bytes -= size;
      await this.files.unlink(join(this.options.dir, oldest)).catch(ignoreMissing);
    }
  }

  async clear(): Promise<void> {
    for (const name of await fileNamesIn(this.files, this.options.dir)) {
      await this.files.unlink(join(this.options.dir, name)).catch(ignoreMissing);
    }
    this.#kept = undefined;
  }

  #known(): Promise<Map<string, number>> {
    this.#kept ??= this.#look().catch((error: unknown) => {
      this.#kept = undefined;
      throw error;
    });
    return this.#kept;
  }

  async #look(): Promise<Map<string, number>> {
    const { dir } = this.options;
    const found: { readonly name: string; readonly size: number; readonly mtimeMs: number }[] = [];
    for (const name of await fileNamesIn(this.files, dir)) {
      // The rest of a write that a crash cut off.
      if (name.endsWith(".tmp")) await this.files.unlink(join(dir, name)).catch(ignoreMissing);
      else found.push({ name, ...(await statusOf(this.files, join(dir, name))) });
    }
    found.sort((a, b) => a.mtimeMs - b.mtimeMs);
    this.#bytes = found.reduce((sum, { size }) => sum + size, 0);
    return new Map(found.map(({ name, size }) => [name, size]));
  }
}

/** Puts a file in place in one step, so that it is there whole or not at all. */
export async function writeWhole(files: FileSystem, path: string, content: Uint8Array, durability: Durability) {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = await files.open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
      if (durability === "power") await file.datasync();
    } finally {
      await file.close();
    }
    await files.rename(temporary, path);
  } catch (error) {
    await files.unlink(temporary).catch(() => {});
    throw error;
  }
}

/** The names in a directory; none when it does not exist. */
export async function fileNamesIn(files: FileSystem, directory: string): Promise<readonly string[]> {
  try {
    return await files.readdir(directory);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

export function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== "ENOENT") throw error;
}

async function statusOf(files: FileSystem, path: string): Promise<{ readonly size: number; readonly mtimeMs: number }> {
  const file = await files.open(path, constants.O_RDONLY);
  try {
    const { size, mtimeMs } = await file.stat();
    return { size, mtimeMs };
  } finally {
    await file.close();
  }
}
