// The append-only record of every decision and effect. It listens, and can change nothing.

import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import * as files from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { SessionError } from "../contracts/errors.js";
import type { EngineEvent } from "../contracts/event.js";
import type { AgentEngine } from "../engine/engine.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionTable,
  oneOf,
  optionOf,
  PATH,
  required,
  secret,
} from "../json/check-options.js";
import { dropLock, newLockOwner, takeLock } from "../processes/process-lock.js";
import { type AuditHead, chainedLine, EMPTY_HEAD, readLine } from "./audit-chain.js";
import { contentWriter } from "./audit-content.js";
import { readAuditLines } from "./audit-lines.js";
import { AUDITED, type AuditableEvent, auditRecordOf } from "./audit-record.js";

const FIRST_RECORD = '{"v":1,"seq":1,';

/** The file of an audit trail, and how it writes content. */
export interface AuditTrailOptions {
  /** The trail's file; it is created with its directory, and continued when it exists. Readable by its owner alone. */
  readonly file: string;
  /**
   * The form of inputs and outputs. `digest`: length and SHA-256 alone. `redacted`: the content itself, without what
   * looks like a secret, cut at `maxContentChars`. Default: `digest`.
   */
  readonly content?: "digest" | "redacted" | undefined;
  /** Unit: characters of JSON. Default: 10_000. */
  readonly maxContentChars?: number | undefined;
  /** Signs the chain and the digests: without it, anyone who can write the file can write a whole new chain. */
  readonly key?: string | undefined;
  /** Further shapes of secrets. */
  readonly redact?: readonly RegExp[] | undefined;
  /** Called when a record could not be written. The run goes on: the host decides what that means. Default: `console.error`. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** A trail that is being written. */
export interface AuditTrail {
  readonly file: string;
  /** The last line that was written. */
  readonly head: AuditHead;
  /** Records every run of an engine from now on, until the returned function is called. */
  watch(engine: Pick<AgentEngine, "on" | "off">): () => void;
  /** Records one event, when it is of a type that is audited. Never throws. */
  record(event: EngineEvent): void;
  /** Stops watching, syncs the file to disk and releases it. */
  close(): Promise<void>;
}

const AUDITED_TYPES: ReadonlySet<string> = new Set(AUDITED);

const OPTIONS = {
  file: required(PATH),
  content: byDefault("digest", oneOf("digest", "redacted")),
  maxContentChars: byDefault(10_000, numberFrom(0, "characters")),
  key: secret(optionOf((value) => typeof value === "string" && value !== "", "a non-empty string")),
  redact: byDefault(
    [],
    listOf(
      optionOf((value) => value instanceof RegExp, "a regular expression"),
      "regular expressions",
    ),
  ),
  onError: byDefault((error: Error) => console.error(error), FUNCTION),
} satisfies OptionTable<AuditTrailOptions>;

/**
 * Opens an audit trail: JSON Lines with a sequence and a hash chain, one line for each decision and effect.
 *
 * A record is written before the event's other listeners and the run go on, so that nothing but a line half written is
 * lost to a `kill -9`; such a line is cut off when the trail is opened again. One process writes a trail at a time.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 * @throws SessionError `SESSION_BUSY` while another process writes it, `SESSION_CORRUPT` when the file is not an audit trail
 */
export async function createAuditTrail(options: AuditTrailOptions): Promise<AuditTrail> {
  const { onError, ...settings } = checkOptions("createAuditTrail()", options, OPTIONS);
  const file = resolve(settings.file);
  await files.mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const [lock, owner] = [`${file}.lock`, await newLockOwner()];
  const rival = await takeLock(files, lock, owner);
  if (rival) throw busy(file, rival.pid);
  let head: AuditHead;
  let descriptor: number;
  let size: number;
  try {
    head = await cutToWholeLines(file);
    descriptor = openSync(file, "a", 0o600);
    size = fstatSync(descriptor).size;
  } catch (error) {
    await dropLock(files, lock, owner);
    throw error;
  }
  const content = contentWriter(settings);
  const watched = new Set<() => void>();
  let isClosed = false;

  function record(event: EngineEvent): void {
    if (isClosed || !isAudited(event)) return;
    try {
      const next = chainedLine(auditRecordOf(event, head.seq + 1, content), head, settings.key);
      size += writeWhole(descriptor, `${next.line}\n`, size);
      head = next.head;
    } catch (cause) {
      report(
        onError,
        new Error(`The audit trail "${file}" could not be written: ${(cause as Error).message}`, { cause }),
      );
    }
  }

  return {
    file,
    get head() {
      return head;
    },
    record,
    watch(engine) {
      for (const type of AUDITED) engine.on(type, record);
      const unwatch = () => {
        if (!watched.delete(unwatch)) return;
        for (const type of AUDITED) engine.off(type, record);
      };
      watched.add(unwatch);
      return unwatch;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const unwatch of [...watched]) unwatch();
      // The file that was written is synced, wherever it has been moved meanwhile.
      try {
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
        await dropLock(files, lock, owner);
      }
    },
  };
}

function isAudited(event: EngineEvent): event is AuditableEvent {
  return AUDITED_TYPES.has(event.type);
}

/** Returns how many bytes were written: all of them. What a full disk left half written is taken back. */
function writeWhole(descriptor: number, text: string, size: number): number {
  const length = Buffer.byteLength(text);
  try {
    let written = writeSync(descriptor, text);
    if (written < length) {
      const bytes = Buffer.from(text);
      while (written < length) written += writeSync(descriptor, bytes, written);
    }
    return length;
  } catch (error) {
    ftruncateSync(descriptor, size);
    throw error;
  }
}

/** The head of the trail, after a line that a crash left half written is gone. */
async function cutToWholeLines(file: string): Promise<AuditHead> {
  let head = EMPTY_HEAD;
  try {
    for await (const line of readAuditLines(file)) {
      const read = line.torn ? null : readLine(line.text);
      if (read) head = { seq: read.record.seq, hash: read.hash };
      else if (line.number === 1 && !(line.torn && isBeginOfTrail(line.text))) throw foreign(file);
      else if (line.torn) await files.truncate(file, line.offset);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT") throw error;
  }
  return head;
}

/** Whether a crash can have left this of the first record. */
function isBeginOfTrail(text: string): boolean {
  return text.startsWith(FIRST_RECORD) || FIRST_RECORD.startsWith(text);
}

function report(onError: (error: Error) => void, error: Error): void {
  try {
    onError(error);
  } catch {
    // There is nothing left to report the failure of a reporter to.
  }
}

function busy(file: string, pid: number): SessionError {
  const message = `The audit trail "${file}" is being written by process ${pid}. Give each process a file of its own.`;
  return new SessionError("SESSION_BUSY", { message, retryable: true });
}

function foreign(file: string): SessionError {
  const message = `"${file}" is not an audit trail, so nothing was written. Choose another file.`;
  return new SessionError("SESSION_CORRUPT", { message });
}
