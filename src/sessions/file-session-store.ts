import { dirname, join, resolve } from "node:path";
import pLimit from "p-limit";
import type { Release, SessionEntry, SessionInfo, SessionStore } from "../contracts/session.js";
import { isListed } from "../engine/transcript/child-id.js";
import { readListFilter } from "../engine/transcript/list-filter.js";
import { releaseOnce, sessionInUse } from "../engine/transcript/memory-session-store.js";
import { byDefault, checkOptions, type OptionTable, oneOf, PATH, required } from "../json/check-options.js";
import { dropLock, type LockOwner, newLockOwner, takeLock } from "../processes/process-lock.js";
import { ignoreMissing } from "./checkpoints/checkpoint-content.js";
import { entryJson } from "./entry-line.js";
import { fileNameOf, sessionIdOf } from "./file-name.js";
import { codeOf, type FileSystem, nodeFiles, sessionFailure, syncDirectory } from "./file-system.js";
import { type ListedSession, readSessionFile, type SessionPlace, sessionInfo } from "./session-file-reader.js";
import { type Durability, SessionWriter } from "./session-file-writer.js";

/** Options of `createFileSessionStore()`. */
export interface FileSessionStoreOptions {
  /** The directory of the sessions: one file each. Made, with its parents, when it is first written to. */
  readonly dir: string;
  /**
   * The moment at which an append is kept. `"power"`: once it is on the disk, so that a loss of power takes nothing back.
   * `"process"`: once the operating system has it, so that the end of this process, `kill -9` too, takes nothing back;
   * appends are then many times faster. Default: `"power"`.
   */
  readonly durability?: Durability | undefined;
}

/** Sessions whose files `list` has open at once. */
const LISTED_AT_ONCE = 16;

/**
 * Keeps sessions as files: one line of JSON for each entry, only ever appended to, versioned and checksummed.
 *
 * - One writer at a time, across processes of this machine: `lock` takes a lock file, `append` without it takes it for as
 *   long as the append takes; `SESSION_BUSY` when another process has it. The lock of a process that died is taken over.
 * - An append is kept whole or not at all. What is left of one that was cut off is passed over by readers and removed
 *   before the next append. Any other damage is reported as `SESSION_CORRUPT` and never changed.
 * - Reading takes no lock and little memory, however large the session is.
 * - Session ids of any characters are kept apart. Ids whose file name would have more than 160 bytes are refused with
 *   `OPTION_INVALID`; a character other than `a-z 0-9 - _` takes 3 bytes, outside Latin-1 5 or 10.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a `dir` that is not a path, or another `durability`
 */
export function createFileSessionStore(options: FileSessionStoreOptions): SessionStore {
  return fileSessionStoreOn(nodeFiles, options);
}

/** The store over given file operations. */
export function fileSessionStoreOn(files: FileSystem, options: FileSessionStoreOptions): SessionStore {
  return new FileSessionStore(files, readOptions(options));
}

const OPTIONS = {
  dir: required(PATH),
  durability: byDefault("power", oneOf("power", "process")),
} satisfies OptionTable<FileSessionStoreOptions>;

function readOptions(options: FileSessionStoreOptions): FileSessionStoreSettings {
  const { dir, durability } = checkOptions("createFileSessionStore()", options, OPTIONS);
  return { dir: resolve(dir), durability };
}

interface FileSessionStoreSettings {
  /** Absolute. */
  readonly dir: string;
  readonly durability: Durability;
}

/** A session this store is changing, or has locked. */
interface SessionInUse {
  readonly place: SessionPlace;
  readonly lockPath: string;
  /** The last change asked for: changes of a session wait for each other. */
  changed: Promise<unknown>;
  changes: number;
  isLocked: boolean;
  writer: SessionWriter | null;
}

class FileSessionStore implements SessionStore {
  readonly #inUse = new Map<string, SessionInUse>();
  #owner: Promise<LockOwner> | undefined;

  constructor(
    private readonly files: FileSystem,
    private readonly options: FileSessionStoreSettings,
  ) {}

  async append(id: string, entries: readonly SessionEntry[]): Promise<void> {
    const session = this.#sessionOf(id);
    if (entries.length === 0) return;
    // Now, so that later changes of the array or its entries change nothing.
    const jsons = entries.map(entryJson);
    await this.#inTurn(session, `Session "${id}" could not be written`, async () => {
      if (session.isLocked) return this.#writerOf(session).append(jsons);
      await this.#underLock(session, { makeDirectory: true }, () => this.#writerOf(session).append(jsons));
    });
  }

  read(id: string): AsyncIterable<SessionEntry> {
    return readSessionFile(this.files, this.#sessionOf(id).place);
  }

  async lock(id: string): Promise<Release> {
    const session = this.#sessionOf(id);
    if (session.isLocked) throw sessionInUse(id, "is in use by another run of this process");
    session.isLocked = true;
    this.#inUse.set(id, session);
    try {
      await this.#inTurn(session, `Session "${id}" could not be locked`, async () => {
        await this.#makeDirectory();
        await this.#takeLock(session);
      });
    } catch (error) {
      session.isLocked = false;
      this.#forget(session);
      throw error;
    }
    return releaseOnce(() => this.#release(session));
  }

  async *list(filter?: { readonly prefix?: string; readonly limit?: number }): AsyncGenerator<SessionInfo> {
    const { prefix, limit } = readListFilter(filter);
    const places = (await this.#places()).filter(({ id }) => isListed(id, prefix));
    const atMost = pLimit(LISTED_AT_ONCE);
    const listed = await Promise.all(places.map((place) => atMost(() => this.#infoOf(place))));
    const found = listed.filter((session) => session !== null);
    found.sort((a, b) => b.info.updatedAt - a.info.updatedAt || b.changedAt - a.changedAt);
    for (const { info } of found.slice(0, limit)) yield info;
  }

  async delete(id: string): Promise<void> {
    const session = this.#sessionOf(id);
    if (session.isLocked) throw sessionInUse(id, "cannot be deleted while a run of this process uses it");
    await this.#inTurn(session, `Session "${id}" could not be deleted`, async () => {
      if (session.isLocked) throw sessionInUse(id, "cannot be deleted while a run of this process uses it");
      await this.#underLock(session, { makeDirectory: false }, () => this.#remove(session)).catch(ignoreMissing);
    });
  }

  async #remove({ place }: SessionInUse): Promise<void> {
    await this.files.unlink(place.path);
    if (this.options.durability === "power") await syncDirectory(this.files, this.options.dir);
  }

  async #release(session: SessionInUse): Promise<void> {
    const what = `Session "${session.place.id}" could not be unlocked`;
    try {
      await this.#inTurn(session, what, async () => {
        session.isLocked = false;
        await this.#letGo(session);
      });
    } finally {
      this.#forget(session);
    }
  }

  #sessionOf(id: string): SessionInUse {
    const path = join(this.options.dir, fileNameOf(id));
    return (
      this.#inUse.get(id) ?? {
        place: { id, path },
        lockPath: `${path.slice(0, -".jsonl".length)}.lock`,
        changed: Promise.resolve(),
        changes: 0,
        isLocked: false,
        writer: null,
      }
    );
  }

  /** Does the work once every earlier change of the session is done. */
  async #inTurn(session: SessionInUse, failure: string, work: () => Promise<void>): Promise<void> {
    this.#inUse.set(session.place.id, session);
    session.changes++;
    const turn = session.changed.then(work);
    session.changed = turn.catch(() => {});
    try {
      await turn;
    } catch (cause) {
      throw sessionFailure("SESSION_WRITE", failure, cause);
    } finally {
      session.changes--;
      this.#forget(session);
    }
  }

  #forget(session: SessionInUse): void {
    if (session.changes === 0 && !session.isLocked) this.#inUse.delete(session.place.id);
  }

  async #underLock(session: SessionInUse, { makeDirectory }: { makeDirectory: boolean }, work: () => Promise<void>) {
    if (makeDirectory) await this.#makeDirectory();
    await this.#takeLock(session);
    try {
      await work();
    } finally {
      // A lock that could not be removed is still this store's, and is taken again next time.
      await this.#letGo(session).catch(() => {});
    }
  }

  async #takeLock({ place, lockPath }: SessionInUse): Promise<void> {
    this.#owner ??= newLockOwner();
    const owner = await takeLock(this.files, lockPath, await this.#owner);
    if (owner) throw sessionInUse(place.id, `is in use by process ${owner.pid} on "${owner.host}" (see "${lockPath}")`);
  }

  async #letGo(session: SessionInUse): Promise<void> {
    const { writer, lockPath } = session;
    session.writer = null;
    try {
      await writer?.close();
    } finally {
      await dropLock(this.files, lockPath, await this.#owner!);
    }
  }

  #writerOf(session: SessionInUse): SessionWriter {
    session.writer ??= new SessionWriter(this.files, session.place, this.options.durability);
    return session.writer;
  }

  /** Makes the directory if it is not there. */
  async #makeDirectory(): Promise<void> {
    const { dir, durability } = this.options;
    const made = await this.files.mkdir(dir, { recursive: true, mode: 0o700 });
    if (made === undefined || durability === "process") return;
    for (let directory = dir; directory.length >= made.length; directory = dirname(directory)) {
      await syncDirectory(this.files, dirname(directory));
    }
  }

  async #places(): Promise<SessionPlace[]> {
    const { dir } = this.options;
    try {
      const names = await this.files.readdir(dir);
      return names.flatMap((name) => {
        const id = sessionIdOf(name);
        return id === null ? [] : { id, path: join(dir, name) };
      });
    } catch (cause) {
      if (codeOf(cause) === "ENOENT") return [];
      throw sessionFailure("SESSION_READ", `The sessions in "${dir}" could not be listed`, cause);
    }
  }

  async #infoOf(place: SessionPlace): Promise<ListedSession | null> {
    try {
      return await sessionInfo(this.files, place);
    } catch (cause) {
      throw sessionFailure("SESSION_READ", `Session "${place.id}" could not be listed`, cause);
    }
  }
}
