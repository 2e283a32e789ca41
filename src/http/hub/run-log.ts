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
  /** The turns whose messages a page was answered with on their own, by the ordinals of their beginnings. */
  #steeredAt: number[] = [];
  /** The turn under way when the user said something that is not delivered yet, by its number. */
  #steeredIn: number | null = null;
  /** The number of the last event that is no longer kept. */
  droppedSeq = 0;
  lastSeq = 0;
  hasEnded = false;
  /** Whether the run goes on with what another one has left. */
  isResumed = false;
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
    if (event.type === "run-start" && isOfRoot(event)) this.isResumed = event.resumed;
    if (this.#steeredIn !== null && event.type === "turn-start" && isOfRoot(event) && event.turn > this.#steeredIn) {
      this.#steeredAt.push(this.end);
      this.#steeredIn = null;
    }
    this.#events.push(event);
    this.lastSeq = event.seq;
    if (this.end - this.#first > this.maxEvents) this.#drop();
    this.#wake();
  }

  /** The user says something in this turn: the next one begins with it. `false`: something else waits for that turn. */
  steer(turn: number): boolean {
    if (this.#steeredIn !== null) return false;
    this.#steeredIn = turn;
    return true;
  }

  /** The first turn behind this ordinal that began with what the user said. */
  steeredAt(ordinal: number): number | undefined {
    return this.#steeredAt.find((at) => at >= ordinal);
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

  /** The same once there is one; `undefined` when the run ends without it. */
  async whenSteered(ordinal: number): Promise<number | undefined> {
    for (;;) {
      const at = this.steeredAt(ordinal);
      if (at !== undefined || this.hasEnded) return at;
      await new Promise<void>((resolve) => this.onChange(resolve));
    }
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
