// The events of a run, for subscribers that come, go and come back. An event has an ordinal, its place in the whole run; the
// log keeps those from `first` to `end`, at most `maxEvents`. Adding never waits for a subscriber.
import type { EngineEvent } from "../../contracts/event.js";
import { isOfRoot } from "../run-source.js";

export class RunLog {
  #events: EngineEvent[] = [];
  /** The number of events, from the beginning, that are no longer kept. */
  #head = 0;
  #first = 0;
  #waiting = new Set<() => void>();
  /** The number of the last event that is no longer kept. */
  droppedSeq = 0;
  lastSeq = 0;
  hasEnded = false;
  error: unknown;

  constructor(
    readonly runId: string,
    readonly sessionId: string,
    private readonly maxEvents: number,
  ) {}

  /** The ordinal of the oldest event kept. */
  get first(): number {
    return this.#first;
  }

  /** The ordinal of the event to come. */
  get end(): number {
    return this.#first + this.#events.length - this.#head;
  }

  at(ordinal: number): EngineEvent {
    return this.#events[ordinal - this.#first + this.#head]!;
  }

  add(event: EngineEvent): void {
    this.#events.push(event);
    this.lastSeq = event.seq;
    if (this.end - this.#first > this.maxEvents) this.#drop();
    this.#wake();
  }

  /** Nothing will come any more; with an error, because the run was refused. */
  close(error?: unknown): void {
    this.hasEnded = true;
    this.error = error;
    this.#wake();
  }

  /** Whether every event after this number is still kept. */
  has(seq: number): boolean {
    return seq >= this.droppedSeq;
  }

  /** The ordinal of the first event after this number. */
  after(seq: number): number {
    let [low, high] = [this.#first, this.end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle).seq > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The ordinal of the newest event of the main agent that is of this type, if it is kept. */
  findLast(type: EngineEvent["type"]): number | undefined {
    for (let ordinal = this.end - 1; ordinal >= this.#first; ordinal--) {
      const event = this.at(ordinal);
      if (event.type === type && isOfRoot(event)) return ordinal;
    }
    return undefined;
  }

  /** Calls `wake` once, at the next change. Returns what withdraws it. */
  onChange(wake: () => void): () => void {
    this.#waiting.add(wake);
    return () => this.#waiting.delete(wake);
  }

  #drop(): void {
    this.droppedSeq = this.#events[this.#head]!.seq;
    this.#head++;
    this.#first++;
    if (this.#head <= this.maxEvents) return;
    this.#events = this.#events.slice(this.#head);
    this.#head = 0;
  }

  #wake(): void {
    const waiting = this.#waiting;
    if (waiting.size === 0) return;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  }
}
