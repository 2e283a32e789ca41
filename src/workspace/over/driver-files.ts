import { ToolError } from "../../contracts/errors.js";
import type { Walk } from "../../contracts/many-files.js";
import type { FileAccess, FileStat, OpenFile, PathAccess } from "../../contracts/workspace.js";
import { failureCode } from "../../files/file-failure.js";
import { joinedBytes } from "../../text/joined-bytes.js";
import { quoteName } from "../../text/quote-name.js";
import { notADirectory, notAFile, notFound, readable, swapped } from "../file-errors.js";
import type { PathLocks } from "../path-locks.js";
import type { DriverSandbox } from "./driver-sandbox.js";
import type { FileDriver } from "./file-driver.js";

/** A path that is exchanged again and again between check and use is an attack, not a rename. */
const MAX_ATTEMPTS = 3;
/** The content of an open file that is kept here; more is read piece by piece. Unit: bytes. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** Unit: bytes. */
const PIECE_BYTES = 1024 * 1024;

/** The kind of what a driver was asked to use, where it is known beforehand. */
type Kind = Walk["kind"] | undefined;

/** The state that all users of one workspace's files share. */
export class SharedFiles {
  /** The number of times each file was written through here: where a clock is slow, two writes may look alike. */
  readonly writes = new Map<string, number>();
  /** Locks are taken in the order of the calls, although a path takes time to follow. */
  lastLock: Promise<unknown> = Promise.resolve();

  constructor(
    readonly locks: PathLocks,
    /** Goes before each path in `locks`. */
    readonly name: string,
  ) {}
}

/** Files of a driver, through the sandbox. */
export function createDriverFiles(driver: FileDriver, sandbox: DriverSandbox, shared: SharedFiles): FileAccess {
  const nameOf = (path: string) => sandbox.rules.nameOf(path);
  const { writes, locks, name } = shared;

  /** Checks the path and uses it; checks again when it turns out to have been exchanged in between. */
  async function use<T>(path: string, access: PathAccess, work: (real: string, kind: Kind) => Promise<T>): Promise<T> {
    const unproven = sandbox.unproven(path, access);
    if (unproven !== null) {
      try {
        return await work(unproven, undefined);
      } catch (error) {
        if (failureCode(error) === undefined) throw error;
        sandbox.forget(path);
      }
    }
    for (let attempt = 1; ; attempt++) {
      const { path: real, kind } = await sandbox.check(path, access);
      try {
        return await work(real, kind);
      } catch (error) {
        if (failureCode(error) !== "ESTALE") throw readable(error, nameOf(path));
        if (attempt === MAX_ATTEMPTS) throw swapped(nameOf(path));
        sandbox.forget(path);
      }
    }
  }

  const versioned = (real: string, stat: FileStat): FileStat => {
    const count = writes.get(real);
    return count === undefined ? stat : { ...stat, version: `${stat.version}:${count}` };
  };

  const open = (path: string) =>
    use(path, "read", async (real, kind): Promise<OpenFile> => {
      if (kind === "directory") throw notAFile(nameOf(path));
      if (kind === null) throw notFound(nameOf(path));
      const first = await driver.read(real, 0, KEPT_BYTES);
      const stat = versioned(real, first.stat);
      const isWhole = first.bytes.length < KEPT_BYTES;
      const pieces = isWhole ? async () => first.bytes : createPieces(driver, { ...first, real, name: nameOf(path) });
      return openFile(real, stat, pieces, isWhole);
    });

  return {
    resolve: async (path, access) => (await sandbox.check(path, access)).path,
    stat: (path) =>
      use(path, "read", async (real, kind) => {
        if (kind === null) throw notFound(nameOf(path));
        return versioned(real, await driver.stat(real));
      }),
    open,
    async read(path) {
      const file = await open(path);
      const pieces: Uint8Array[] = [];
      for (let at = 0; ; at += pieces.at(-1)!.length) {
        const piece = new Uint8Array(Math.max(1, Math.min(file.stat.size - at, PIECE_BYTES)));
        const count = await file.read(piece, at);
        if (count === 0) return joinedBytes(pieces);
        pieces.push(piece.subarray(0, count));
      }
    },
    write: (path, content, options) => {
      const own = content.slice();
      return use(path, "write", async (real, kind) => {
        if (kind === "directory") throw notAFile(nameOf(path));
        const stat = await driver.write(real, own, options?.mode);
        writes.set(real, (writes.get(real) ?? 0) + 1);
        return versioned(real, stat);
      });
    },
    remove: (path) =>
      use(path, "write", async (real, kind) => {
        if (kind === null) throw notFound(nameOf(path));
        await driver.remove(real);
      }),
    makeDirectory: (path) =>
      use(path, "write", async (real, kind) => {
        if (kind === "file") throw notADirectory(nameOf(path));
        await driver.makeDirectory(real);
      }),
    list: (path) =>
      use(path, "read", async (real, kind) => {
        if (kind === "file") throw notADirectory(nameOf(path));
        if (kind === null) throw notFound(nameOf(path));
        return driver.list(real);
      }),
    async withLock(path, access, work) {
      const before = shared.lastLock;
      const resolved = sandbox.check(path, access);
      const turn = resolved.then(({ path: real }) =>
        before.then(() => ({ run: locks.run(`${name}${real}`, access, work) })),
      );
      shared.lastLock = turn.then(() => before, () => before); // biome-ignore format: one line
      return (await turn).run;
    },
  };
}

function openFile(
  path: string,
  stat: FileStat,
  piece: (position: number) => Promise<Uint8Array>,
  isWhole: boolean,
): OpenFile {
  return {
    path,
    stat,
    async read(target, position) {
      const start = isWhole ? 0 : position - (position % PIECE_BYTES);
      const bytes = (await piece(start)).subarray(position - start, position - start + target.length);
      target.set(bytes);
      return bytes.length;
    },
    close: async () => {},
  };
}

/** Reads a large file piece by piece, and keeps the last one. Each has to be of the file as it was when it was opened. */
function createPieces(
  driver: FileDriver,
  {
    real,
    bytes,
    stat,
    name,
  }: Awaited<ReturnType<FileDriver["read"]>> & { readonly real: string; readonly name: string },
): (position: number) => Promise<Uint8Array> {
  let kept = { position: 0, bytes };
  return async (position) => {
    const within = position - kept.position;
    if (within >= 0 && within + Math.min(PIECE_BYTES, kept.bytes.length) <= kept.bytes.length)
      return kept.bytes.subarray(within, within + PIECE_BYTES);
    const piece = await driver.read(real, position, PIECE_BYTES).catch((error) => {
      throw readable(error, name);
    });
    if (piece.stat.version !== stat.version) throw changed(name);
    kept = { position, bytes: piece.bytes };
    return piece.bytes;
  };
}

function changed(path: string): ToolError {
  return new ToolError("TOOL_FAILED", {
    message: `${quoteName(path)} was changed while it was read. Read it again.`,
    details: { path },
    retryable: true,
  });
}
