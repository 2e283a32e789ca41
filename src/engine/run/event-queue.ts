import type { EngineEvent } from "../../contracts/event.js";

/** Events kept for a consumer that is slower than the run. */
export const MAX_QUEUED_EVENTS = 1_024;

interface Waiter {
  readonly resolve: (result: IteratorResult<EngineEvent>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The bounded queue between a run and the consumer of `stream()`. Pushing never waits.
 *
 * When it is full, neighbouring text and input deltas are joined; if that frees nothing, the oldest events go and
 * are counted in one `notice` that takes their place.
 */
export class EventQueue {
  #events: EngineEvent[] = [];
  #head = 0;
  #dropped = 0;
  #waiters: Waiter[] = [];
  #closed = false;
  #error: unknown;

  push(event: EngineEvent): void {
    if (this.#closed) return;
    const waiter = this.#waiters.shift();
    if (waiter) {
      waiter.resolve({ value: event, done: false });
      return;
    }
    if (this.#events.length - this.#head >= MAX_QUEUED_EVENTS) this.#makeRoom();
    this.#events.push(event);
  }

  /** The number of events that wait to be read. */
  get length(): number {
    return this.#events.length - this.#head;
  }

  /** Ends the iteration after what is queued; with an error, the iteration throws it. */
  close(error?: unknown): void {
    this.#closed = true;
    this.#error = error;
    for (const { resolve, reject } of this.#waiters) {
      if (error === undefined) resolve({ value: undefined, done: true });
      else reject(error);
    }
    this.#waiters = [];
  }

  next(): Promise<IteratorResult<EngineEvent>> {
    if (this.#dropped > 0) return Promise.resolve({ value: this.#takeNotice(), done: false });
    if (this.#head < this.#events.length) return Promise.resolve({ value: this.#take(), done: false });
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#closed) return Promise.resolve({ value: undefined, done: true });
    return this.#wait();
  }

  /** Apart from `next`, whose every call would allocate what this closure captures. */
  #wait(): Promise<IteratorResult<EngineEvent>> {
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  /** Forgets what is queued: nobody will read it. */
  discard(): void {
    this.#events = [];
    this.#head = 0;
    this.#dropped = 0;
    this.close();
  }

  #take(): EngineEvent {
    const event = this.#events[this.#head]!;
    this.#head++;
    if (this.#head === this.#events.length) {
      this.#events.length = 0;
      this.#head = 0;
    }
    return event;
  }

  #takeNotice(): EngineEvent {
    const next = this.#events[this.#head]!;
    const { runId, sessionId, turn, agentPath, at } = next;
    // It takes the place, and the number, of the last one that was dropped.
    const seq = next.seq - 1;
    const message = `${this.#dropped} events were dropped because they were not read in time. The session has everything.`;
    const details = { dropped: this.#dropped };
    this.#dropped = 0;
    return { type: "notice", code: "EVENTS_DROPPED", message, details, runId, sessionId, turn, agentPath, at, seq };
  }

  #makeRoom(): void {
    const joined: EngineEvent[] = [];
    for (let i = this.#head; i < this.#events.length; i++) {
      const event = this.#events[i]!;
      const last = joined[joined.length - 1];
      const both = last && joinDeltas(last, event);
      if (both) joined[joined.length - 1] = both;
      else joined.push(event);
    }
    // An eighth is freed at once, so that a stalled consumer costs O(1) for each event.
    const excess = Math.max(0, joined.length - (MAX_QUEUED_EVENTS - MAX_QUEUED_EVENTS / 8));
    this.#dropped += excess;
    this.#events = excess > 0 ? joined.slice(excess) : joined;
    this.#head = 0;
  }
}

function joinDeltas(first: EngineEvent, second: EngineEvent): EngineEvent | undefined {
  if (first.runId !== second.runId) return undefined;
  if (first.type === "text-delta" && second.type === "text-delta") {
    return { ...second, text: first.text + second.text };
  }
  if (first.type === "reasoning-delta" && second.type === "reasoning-delta") {
    return { ...second, text: first.text + second.text };
  }
  if (
    first.type === "tool-input-delta" &&
    second.type === "tool-input-delta" &&
    first.toolCallId === second.toolCallId
  ) {
    return { ...second, json: first.json + second.json };
  }
  return undefined;
}
