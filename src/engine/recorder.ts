import { SessionError } from "../contracts/errors.js";
import type { Runtime } from "../contracts/runtime.js";
import type { SessionEntry, SessionRecord, SessionStore } from "../contracts/session.js";
import type { Transcript } from "./transcript.js";

/**
 * Turns records into entries, applies them to the transcript at once, and brings them to the store in order.
 *
 * `commit` resolves when everything recorded before the call is kept; entries recorded while a write is under way
 * go with the next one. After a failed write nothing more is written, so the store has no gap.
 */
export class Recorder {
  turn = 0;
  #buffer: SessionEntry[] = [];
  #writing: Promise<void> | null = null;
  #failure: SessionError | null = null;
  #count = 0;
  /** Joined once, so that an entry's id is one piece less to keep. */
  readonly #idPrefix: string;

  constructor(
    readonly transcript: Transcript,
    private readonly store: SessionStore,
    private readonly sessionId: string,
    private readonly runId: string,
    private readonly runtime: Runtime,
  ) {
    this.#idPrefix = `${runId}.`;
  }

  /** Appends one entry and returns its id. @throws SessionError `TRANSCRIPT_INVALID` */
  record(record: SessionRecord): string {
    const entry = {
      v: 1,
      id: this.#idPrefix + ++this.#count,
      parent: this.transcript.lastEntryId,
      at: this.runtime.now(),
      runId: this.runId,
      turn: this.turn,
      ...record,
    } as const;
    this.transcript.apply(entry);
    this.#buffer.push(entry);
    return entry.id;
  }

  /** Why the store has failed, if it has. */
  get failure(): SessionError | null {
    return this.#failure;
  }

  /** Resolves with `false` when the store has failed; never rejects. */
  async commit(): Promise<boolean> {
    while (this.#writing || (this.#buffer.length > 0 && !this.#failure)) {
      this.#writing ??= this.#write();
      await this.#writing;
    }
    return this.#failure === null;
  }

  async #write(): Promise<void> {
    const batch = this.#buffer;
    this.#buffer = [];
    try {
      await this.store.append(this.sessionId, batch);
    } catch (cause) {
      this.#failure = new SessionError("SESSION_WRITE", {
        message: `Session "${this.sessionId}" could not be written: ${messageOf(cause)}. What was committed before is intact.`,
        details: { entries: batch.length },
        cause,
      });
    } finally {
      this.#writing = null;
    }
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}
