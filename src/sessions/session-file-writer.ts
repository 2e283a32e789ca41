import { constants } from "node:fs";
import { dirname } from "node:path";
import { SessionError } from "../contracts/errors.js";
import { findCommittedEnd } from "./committed-end.js";
import { encodeBatch } from "./entry-line.js";
import { type FileSystem, type StoreFile, syncDirectory } from "./file-system.js";
import { newer, type SessionPlace } from "./session-file-reader.js";

/** The moment at which an append counts as kept: on disk, or in the hands of the operating system. */
export type Durability = "power" | "process";

/**
 * Appends to one session file. Whoever uses it holds the session's lock and waits for each append.
 *
 * Invariant: what stands before `#end` is committed and is never written again. What an earlier append left behind it is
 * cut off before the next one writes there.
 */
export class SessionWriter {
  #file: StoreFile | null = null;
  #end = 0;
  #entries = 0;
  #isTorn = false;
  #isDirectorySynced: boolean;

  constructor(
    private readonly files: FileSystem,
    private readonly place: SessionPlace,
    private readonly durability: Durability,
  ) {
    this.#isDirectorySynced = durability === "process";
  }

  /** Appends the entries' JSON, all or none. */
  async append(jsons: readonly string[]): Promise<void> {
    const file = await this.#open();
    await this.#checkUntouched(file);
    if (this.#isTorn) await this.#cut(file);
    const bytes = encodeBatch(jsons, this.#entries + 1);
    this.#isTorn = true;
    try {
      await writeAll(file, bytes, this.#end);
      if (this.durability === "power") await file.datasync();
      if (!this.#isDirectorySynced) await syncDirectory(this.files, dirname(this.place.path));
    } catch (error) {
      // Taken back now if possible, and in any case before the next append.
      await this.#cut(file).catch(() => {});
      throw error;
    }
    this.#isDirectorySynced = true;
    this.#isTorn = false;
    this.#end += bytes.length;
    this.#entries += jsons.length;
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  async #open(): Promise<StoreFile> {
    if (this.#file) return this.#file;
    const { O_RDWR, O_CREAT, O_NOFOLLOW = 0 } = constants;
    const file = await this.files.open(this.place.path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      const { size } = await file.stat();
      const end = await findCommittedEnd(file, size);
      if (end.isNewer) throw newer(this.place);
      if (end.isDamaged) throw damagedEnd(this.place, end.entries);
      this.#end = end.size;
      this.#entries = end.entries;
      this.#isTorn = size > end.size;
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#file = file;
    return file;
  }

  /** Changes of others to the file while we hold its lock would be overwritten, or written into the void. */
  async #checkUntouched(file: StoreFile): Promise<void> {
    const { nlink, size } = await file.stat();
    if (nlink === 0) throw foreignChange(this.place, "was removed");
    if (this.#isTorn ? size < this.#end : size !== this.#end) throw foreignChange(this.place, "was changed by others");
  }

  async #cut(file: StoreFile): Promise<void> {
    await file.truncate(this.#end);
    this.#isTorn = false;
  }
}

async function writeAll(file: StoreFile, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

function foreignChange({ id, path }: SessionPlace, what: string): SessionError {
  return new SessionError("SESSION_WRITE", {
    message: `The file "${path}" of session "${id}" ${what} while the session was in use. Nothing was appended; open the session again.`,
  });
}

function damagedEnd({ id, path }: SessionPlace, entries: number): SessionError {
  const line = entries + 1;
  return new SessionError("SESSION_CORRUPT", {
    message: `Session "${id}" is damaged after line ${entries} of "${path}". Nothing was appended or changed. Read it to learn what is intact, or restore the file from a backup.`,
    details: { file: path, line },
  });
}
