import { isHarnessError, SessionError } from "../../contracts/errors.js";
import type { Runtime } from "../../contracts/runtime.js";
import type { SessionEntry, SessionRecord, SessionStore } from "../../contracts/session.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { isThenable } from "../../time/is-promise.js";
import type { Transcript } from "./transcript.js";

/**
 * Turns records into entries, applies them to the transcript at once, and brings them to the store in order.
 *
 * `commit` resolves when everything recorded before the call is kept; entries recorded while a write is under way
 * go with the next one. After a failed write nothing more is written, so the store has no gap.
 */
export class Recorder {
  turn = 0;
  /** Called once, when the store has failed. */
  onFailure: (failure: SessionError) => void = () => {};
  /** Starts to wait for the store: `giveUp` is called when that has taken too long. Returns what ends the wait. */
  patience: (giveUp: (why: string) => void) => () => void = () => () => {};
  #buffer: SessionEntry[] = [];
  #isHurried = false;
  /** Settles the write under way. */
  #resolve: ((isKept: boolean) => void) | null = null;
  #batchSize = 0;
  /** The store's answer to the newest `append`. */
  #appending: PromiseLike<unknown> | null = null;
  #givenUp: PromiseLike<unknown> | null = null;
  /** Ends the wait for the store, where it is limited. */
  #unwatch: (() => void) | null = null;
  #writing: Promise<boolean> | null = null;
  #failure: SessionError | null = null;
  #count = 0;
  /** Joined once, so that an entry's id is one piece less to keep. */
  readonly #idPrefix: string;

  constructor(
    readonly transcript: Transcript,
    private readonly store: SessionStore,
    private readonly sessionId: string,
    readonly runId: string,
    private readonly runtime: Runtime,
  ) {
    this.#idPrefix = `${runId}.`;
  }

  /** Appends one entry and returns its id. @throws SessionError `TRANSCRIPT_INVALID` */
  record(record: SessionRecord): string {
    const entry = this.#entry(record);
    this.transcript.apply(entry);
    this.#buffer.push(entry);
    return entry.id;
  }

  /** The two kinds there are most of are written out: a copy keeps what it adds in an object of its own. */
  #entry(record: SessionRecord): SessionEntry {
    const v = 1;
    const id = this.#idPrefix + ++this.#count;
    const parent = this.transcript.lastEntryId;
    const at = this.runtime.now();
    const { runId, turn } = this;
    const { type } = record;
    if (type === "message" && !record.descriptions && !record.label)
      return { v, id, parent, at, runId, turn, type, message: record.message };
    if (type === "tool-result" && record.calls === undefined) {
      const { result, label } = record;
      if (!label) return { v, id, parent, at, runId, turn, type, result };
      return { v, id, parent, at, runId, turn, type, result, label };
    }
    return { v, id, parent, at, runId, turn, ...record };
  }

  /** The reason why the store has failed, if it has. */
  get failure(): SessionError | null {
    return this.#failure;
  }

  /** A write that was given up before it had settled, if one was: it may land at any time until then. */
  get givenUp(): PromiseLike<unknown> | null {
    return this.#givenUp;
  }

  /** Nothing is written from now on: the session could not be opened. */
  refuse(failure: SessionError): void {
    this.#failure = failure;
    this.onFailure(failure);
  }

  /** Resolves with `false` when the store has failed; never rejects. */
  commit(): Promise<boolean> {
    if (this.#failure) return FAILED;
    if (this.#writing) return this.#writing.then(() => this.commit());
    if (this.#buffer.length === 0) return KEPT;
    const batch = this.#buffer;
    this.#buffer = [];
    const writing = this.#write(batch);
    if (this.#resolve) this.#writing = writing;
    return writing;
  }

  /** Writes that are under way, and all later ones, are given up when the patience with the store is at an end. */
  hurry(): void {
    this.#isHurried = true;
    if (this.#resolve) this.#watch();
  }

  #write(batch: readonly SessionEntry[]): Promise<boolean> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#batchSize = batch.length;
      if (this.#isHurried) this.#watch();
      try {
        const appending: unknown = this.store.append(this.sessionId, batch);
        if (isThenable(appending)) {
          this.#appending = appending;
          Promise.resolve(appending).then(this.#onKept, this.#onLost);
        } else this.#settle(null, true);
      } catch (cause) {
        this.#settle(cause, false);
      }
    });
  }

  readonly #onKept = (): void => this.#settle(null, true);

  readonly #onLost = (cause: unknown): void => this.#settle(cause, false);

  #watch(): void {
    this.#unwatch?.();
    this.#unwatch = this.patience((why) => {
      this.#givenUp = this.#appending;
      this.#settle(why, false);
    });
  }

  /** Nothing follows a write that was given up, so one that settles after all finds none under way. */
  #settle(cause: unknown, isKept: boolean): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    this.#resolve = null;
    this.#writing = null;
    this.#unwatch?.();
    this.#unwatch = null;
    if (!isKept) this.#fail(cause, this.#batchSize);
    resolve(isKept);
  }

  #fail(cause: unknown, entries: number): void {
    const isNamed = isHarnessError(cause, "SESSION_WRITE");
    const what = isNamed ? "" : `Session "${this.sessionId}" could not be written: `;
    this.#failure = new SessionError("SESSION_WRITE", {
      message: `${what}${messageOf(cause)}. What was committed before is intact.`,
      details: { entries },
      retryable: isNamed && cause.retryable,
      cause,
    });
    this.onFailure(this.#failure);
  }
}

const KEPT = Promise.resolve(true);
const FAILED = Promise.resolve(false);

function messageOf(error: unknown): string {
  return describeThrown(error).replace(/\.$/, "");
}
