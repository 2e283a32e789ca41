import { constants } from "node:fs";
import { SessionError } from "../contracts/errors.js";
import type { SessionEntry, SessionInfo } from "../contracts/session.js";
import { findCommittedEnd } from "./committed-end.js";
import { readEntry, readHeader } from "./entry-line.js";
import { linesBetween } from "./file-lines.js";
import { codeOf, type FileSystem, type StoreFile, sessionFailure } from "./file-system.js";

/** The place of a session. */
export interface SessionPlace {
  readonly id: string;
  readonly path: string;
}

/**
 * The committed entries of a session file, oldest first; none where there is no file. A torn end is passed over.
 *
 * @throws SessionError `SESSION_CORRUPT` (after the entries before the damage), `SESSION_VERSION`, `SESSION_READ`
 */
export async function* readSessionFile(files: FileSystem, place: SessionPlace): AsyncGenerator<SessionEntry> {
  const file = await openToRead(files, place);
  if (file === null) return;
  try {
    const { size } = await file.stat();
    const end = await findCommittedEnd(file, size);
    yield* entriesOf(file, end.isDamaged || end.isNewer ? size : end.size, place);
  } catch (cause) {
    throw sessionFailure("SESSION_READ", `Session "${place.id}" could not be read`, cause);
  } finally {
    await file.close();
  }
}

async function openToRead(files: FileSystem, { id, path }: SessionPlace): Promise<StoreFile | null> {
  try {
    return await files.open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return null;
    throw sessionFailure("SESSION_READ", `Session "${id}" could not be read`, cause);
  }
}

async function* entriesOf(file: StoreFile, to: number, place: SessionPlace): AsyncGenerator<SessionEntry> {
  let number = 0;
  let batchEnd = 0;
  let lastId: string | null = null;
  for await (const lines of linesBetween(file, 0, to)) {
    for (const { bytes } of lines) {
      number++;
      const header = readHeader(bytes);
      const entry = header === null || header === "newer" ? header : readEntry(bytes, header);
      if (entry === "newer") throw newer(place, number);
      const { n, first, last } = (header ?? {}) as { n?: number; first?: number; last?: number };
      const isNext = n === number && (batchEnd < number ? first === number : last === batchEnd);
      if (entry === null || !isNext) throw await corrupt(file, place, number, lastId);
      batchEnd = last!;
      lastId = entry.id;
      yield entry;
    }
  }
}

export interface ListedSession {
  readonly info: SessionInfo;
  /** Orders sessions whose newest entries are of the same millisecond. */
  readonly changedAt: number;
}

/** The entry of `list` for a session; `null` for one without entries. Never fails for what a file holds. */
export async function sessionInfo(files: FileSystem, place: SessionPlace): Promise<ListedSession | null> {
  const file = await openToRead(files, place);
  if (file === null) return null;
  try {
    const status = await file.stat();
    const end = await findCommittedEnd(file, status.size);
    if (end.entries === 0 && !end.isDamaged && !end.isNewer) return null;
    const oldest = await firstEntry(file, end.size);
    const newest = await lastEntry(file, end.size);
    const { birthtimeMs, mtimeMs } = status;
    const times = { createdAt: oldest?.at ?? birthtimeMs, updatedAt: newest?.at ?? mtimeMs };
    return { info: { id: place.id, ...times, entries: end.entries }, changedAt: mtimeMs };
  } finally {
    await file.close();
  }
}

async function firstEntry(file: StoreFile, end: number): Promise<SessionEntry | null> {
  for await (const [line] of linesBetween(file, 0, end)) return intactEntry(line!.bytes);
  return null;
}

/** Looks backwards for the last newline but one, in steps that grow. */
async function lastEntry(file: StoreFile, end: number): Promise<SessionEntry | null> {
  for (let window = 16 * 1024; ; window *= 8) {
    const from = Math.max(0, end - window);
    let line: Buffer | null = null;
    let count = 0;
    for await (const lines of linesBetween(file, from, end)) {
      count += lines.length;
      line = Buffer.from(lines.at(-1)!.bytes);
    }
    if (count > 1 || from === 0) return line && intactEntry(line);
  }
}

function intactEntry(line: Buffer): SessionEntry | null {
  const header = readHeader(line);
  if (header === null || header === "newer") return null;
  const entry = readEntry(line, header);
  return entry === "newer" ? null : entry;
}

/** The error for a damaged line, with what can still be read. */
async function corrupt(file: StoreFile, place: SessionPlace, line: number, lastIntactEntry: string | null) {
  const { size } = await file.stat();
  let number = 0;
  let entriesAfter = 0;
  for await (const lines of linesBetween(file, 0, size)) {
    for (const { bytes } of lines) if (++number > line && intactEntry(bytes)) entriesAfter++;
  }
  const rest = lastIntactEntry
    ? `The ${line - 1} entries before it are intact, and ${entriesAfter} after it; forkSession() at entry "${lastIntactEntry}" continues from there.`
    : `${entriesAfter} entries after it are intact.`;
  return new SessionError("SESSION_CORRUPT", {
    message: `Session "${place.id}" is damaged in line ${line} of "${place.path}". Nothing was changed. ${rest} Restore the file from a backup if you have one.`,
    details: { file: place.path, line, lastIntactEntry, entriesBefore: line - 1, entriesAfter },
  });
}

export function newer({ id, path }: SessionPlace, line?: number): SessionError {
  const where = line === undefined ? `"${path}"` : `line ${line} of "${path}"`;
  return new SessionError("SESSION_VERSION", {
    message: `Session "${id}" was written by a newer version of loopwright (${where}). Update the package to go on with it.`,
    details: { file: path, ...(line !== undefined && { line }) },
  });
}
