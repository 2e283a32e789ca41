// The events of a run, and the bounded queue between it and the consumer that iterates it.
import type { PendingRequest } from "../contracts/approval.js";
import type { Plan } from "./plan/plan.js";
import type { SchedulerReport } from "./report/report.js";
import type { TaskState } from "./report/report-data.js";

/** The phase of a run. It moves to the right, and back to `decomposing` when a plan has failed and there is to be another. */
export type SchedulerState =
  | "idle"
  | "loading-skill"
  | "decomposing"
  | "dispatching"
  | "verifying"
  | "merging"
  | "done"
  | "failed";

/** The fields of each event beside `SchedulerEventBase`, by its type. */
export interface SchedulerEventPayloads {
  state: { readonly state: SchedulerState; readonly previous: SchedulerState };
  /** The skill the plan is made with. */
  "skill-selected": { readonly name: string; readonly reasons: readonly string[] };
  /** The faults of a plan that goes back to its planner. */
  "plan-refused": { readonly issues: readonly string[] };
  /** A plan that is valid. `number` counts from 1; a later one replaces what failed. */
  plan: { readonly number: number; readonly plan: Plan };
  "plan-approved": { readonly number: number; readonly plan: Plan; readonly isChanged: boolean };
  "task-state": {
    readonly taskId: string;
    readonly status: TaskState;
    readonly attempt: number;
    readonly reason?: string | undefined;
  };
  "approval-requested": { readonly request: PendingRequest; readonly taskId: string | null };
  notice: { readonly code: "EVENTS_DROPPED"; readonly message: string };
  /** The last event. */
  report: { readonly report: SchedulerReport };
}

/** The `type` of a scheduler's event. */
export type SchedulerEventType = keyof SchedulerEventPayloads;

/** Everything an observer of a scheduler can see, discriminated by `type`. */
export type SchedulerEvent = {
  [T in SchedulerEventType]: { readonly type: T } & SchedulerEventPayloads[T] & SchedulerEventBase;
}[SchedulerEventType];

/** The fields of every event of a scheduler. */
export interface SchedulerEventBase {
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Counts the events of a run from 1. */
  readonly seq: number;
}

/** Events kept for a consumer that is slower than the run. */
const MAX_QUEUED_EVENTS = 4_096;

/** When it is full, the oldest events go, and one notice in their place counts them. Pushing never waits. */
export class SchedulerEvents {
  #queue: SchedulerEvent[] = [];
  #head = 0;
  #dropped = 0;
  #seq = 0;
  #isOver = false;
  #error: unknown;
  #waiting: { resolve: (step: IteratorResult<SchedulerEvent>) => void; reject: (error: unknown) => void }[] = [];

  constructor(
    private readonly sessionId: string,
    private readonly now: () => number,
  ) {}

  emit<T extends SchedulerEventType>(type: T, payload: SchedulerEventPayloads[T]): void {
    if (this.#isOver) return;
    const base: SchedulerEventBase = { sessionId: this.sessionId, at: this.now(), seq: ++this.#seq };
    const event = Object.freeze({ type, ...payload, ...base }) as unknown as SchedulerEvent;
    const waiting = this.#waiting.shift();
    if (waiting) {
      waiting.resolve({ value: event, done: false });
      return;
    }
    if (this.#queue.length - this.#head >= MAX_QUEUED_EVENTS) {
      this.#queue = this.#queue.slice(this.#head + MAX_QUEUED_EVENTS / 8);
      this.#head = 0;
      this.#dropped += MAX_QUEUED_EVENTS / 8;
    }
    this.#queue.push(event);
  }

  /** Ends the iteration after what is queued; with an error, the iteration throws it. */
  close(error?: unknown): void {
    this.#isOver = true;
    this.#error = error;
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if (error === undefined) resolve({ value: undefined, done: true });
      else reject(error);
    }
  }

  next(): Promise<IteratorResult<SchedulerEvent>> {
    if (this.#dropped > 0) return Promise.resolve({ value: this.#takeNotice(), done: false });
    if (this.#head < this.#queue.length) return Promise.resolve({ value: this.#take(), done: false });
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#isOver) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Forgets what is queued: nobody will read it. */
  discard(): void {
    this.#queue = [];
    this.#head = 0;
    this.#dropped = 0;
    this.close();
  }

  #take(): SchedulerEvent {
    const event = this.#queue[this.#head++]!;
    if (this.#head === this.#queue.length) {
      this.#queue.length = 0;
      this.#head = 0;
    }
    return event;
  }

  #takeNotice(): SchedulerEvent {
    const message = `${this.#dropped} events were dropped because they were not read in time. The session has everything.`;
    this.#dropped = 0;
    const { at, seq } = this.#queue[this.#head]!;
    // It takes the place, and the number, of the last one that was dropped.
    return { type: "notice", code: "EVENTS_DROPPED", message, sessionId: this.sessionId, at, seq: seq - 1 };
  }
}
