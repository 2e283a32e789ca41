// One subscriber's way through a log. It reads at its own pace; if what it needs is no longer kept, it gets `reset` and the
// session, and goes on from where the session ends.
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { withToolCalls } from "../../engine/transcript/stored-calls.js";
import type {
  NestedEntry,
  ResetEvent,
  RunSource,
  RunStreamEvent,
  SessionSnapshotEvent,
  SteeredEvent,
} from "../run-source.js";
import type { RunLog } from "./run-log.js";

/** A subscription to a run. Leaving it never ends the run; it can be iterated several times, each time from `from`. */
export interface RunSubscription extends RunSource {
  readonly id: string;
  readonly sessionId: string;
  readonly isShared: true;
  [Symbol.asyncIterator](): AsyncIterator<RunStreamEvent, undefined>;
}

const END: IteratorReturnResult<undefined> = { value: undefined, done: true };

export class LogReader implements AsyncIterator<RunStreamEvent, undefined> {
  /** Its position; `null` while the position is gone. */
  #ordinal: number | null;
  /** The snapshot that follows a reset. */
  #isResetting = false;
  #wasReset = false;
  #hasLeft = false;
  #leave: (() => void) | undefined;
  /** Reads come one after the other, also when several are asked for at once. */
  #last: Promise<unknown> = Promise.resolve();

  /** `mayEndAt`: the first ordinal at which it ends because the user has said something else. */
  constructor(
    private readonly log: RunLog,
    private readonly from: number,
    private readonly sessions: SessionStore,
    private readonly mayEndAt = Number.POSITIVE_INFINITY,
  ) {
    this.#ordinal = log.has(from) ? log.after(from) : null;
  }

  next(): Promise<IteratorResult<RunStreamEvent, undefined>> {
    const step = this.#last.then(() => this.#next());
    this.#last = step.catch(() => {});
    return step;
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#hasLeft = true;
    this.#leave?.();
    return END;
  }

  async #next(): Promise<IteratorResult<RunStreamEvent, undefined>> {
    const { log } = this;
    for (;;) {
      if (this.#hasLeft) return END;
      if (this.#ordinal !== null && log.steeredAt(this.mayEndAt) === this.#ordinal) {
        this.#hasLeft = true;
        return { value: this.#steered(), done: false };
      }
      if (this.#isResetting) return { value: await this.#snapshot(), done: false };
      if (this.#ordinal === null || this.#ordinal < log.first) return { value: this.#reset(), done: false };
      if (this.#ordinal < log.end) {
        const event = log.at(this.#ordinal++);
        // The client may be ahead of a run that has just begun.
        if (event.seq > this.from || this.#wasReset) return { value: event, done: false };
        continue;
      }
      if (log.error !== undefined) throw log.error;
      if (log.hasEnded) return END;
      await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const withdraw = this.log.onChange(() => {
        this.#leave = undefined;
        resolve();
      });
      this.#leave = () => {
        withdraw();
        resolve();
      };
    });
  }

  #steered(): SteeredEvent {
    const { runId, sessionId } = this.log;
    return { type: "steered", runId, sessionId, seq: this.log.at(this.#ordinal!).seq - 1 };
  }

  #reset(): ResetEvent {
    const { runId, sessionId } = this.log;
    this.#isResetting = true;
    this.#wasReset = true;
    const message = `Events of run "${runId}" after this position are no longer kept. The session follows, then the run.`;
    return { type: "reset", code: "EVENTS_GONE", message, runId, sessionId };
  }

  async #snapshot(): Promise<SessionSnapshotEvent> {
    const { runId, sessionId } = this.log;
    const entries: SessionEntry[] = [];
    for await (const entry of this.sessions.read(sessionId)) entries.push(entry);
    this.#ordinal = this.#afterEntries(entries);
    this.#isResetting = false;
    const isAtFirst = this.#ordinal === this.log.first;
    const seq = isAtFirst ? this.log.droppedSeq : this.log.at(this.#ordinal - 1).seq;
    const nested = await this.#nested(entries);
    return { type: "session", runId, sessionId, seq, entries, ...(nested.length > 0 && { nested }) };
  }

  async #nested(entries: readonly SessionEntry[]): Promise<readonly NestedEntry[]> {
    const nested: NestedEntry[] = [];
    let after = "";
    for (const { entry, within } of await withToolCalls(branchOf(entries), this.sessions, this.log.sessionId)) {
      if (within === undefined) after = entry.id;
      else nested.push({ entry, within, after });
    }
    return nested;
  }

  /**
   * The end of the entries in the log: behind the model call of the turn under way if its message is among them, at the
   * turn's beginning if it is not.
   */
  #afterEntries(entries: readonly SessionEntry[]): number {
    const { log } = this;
    const isOver = log.findLast("run-end");
    if (isOver !== undefined) return isOver;
    const start = log.findLast("turn-start");
    const called = log.findLast("model-call-end");
    const message = entries.findLast(({ type, runId }) => type === "message" && runId === log.runId);
    const isWritten = message?.type === "message" && message.message.role === "assistant";
    const turn = start === undefined ? undefined : log.at(start).turn;
    const isOfTurn = isWritten && (turn === undefined || message.turn === turn);
    if (isOfTurn) return called === undefined || called < (start ?? 0) ? log.end : called + 1;
    return start ?? log.first;
  }
}
