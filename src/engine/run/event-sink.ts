import type { EventEmitter } from "eventemitter3";
import type { EngineEvent, EventType } from "../../contracts/event.js";
import type { EventQueue } from "./event-queue.js";

/** An engine's listeners. */
export interface Listeners {
  // biome-ignore lint/suspicious/noExplicitAny: listeners are typed where they are added
  readonly emitter: EventEmitter<any>;
  /** Whether there are any, or have been. */
  exist: boolean;
}

/** Where a run's events go: the engine's listeners, and the consumer of `stream()` if there is one. */
export class EventSink {
  #seq = 0;

  constructor(
    private readonly listeners: Listeners,
    private queue: EventQueue | null,
  ) {}

  /** Whether anybody listens to this type of event. */
  hasListeners(type: EventType): boolean {
    if (this.queue !== null) return true;
    return this.listeners.exist && this.listeners.emitter.listenerCount(type) > 0;
  }

  /** The number of the next event of the root run. */
  nextSeq(): number {
    return ++this.#seq;
  }

  send(event: EngineEvent): void {
    this.queue?.push(event);
    if (this.listeners.exist) this.listeners.emitter.emit(event.type, event);
  }

  /** Ends the consumer's iteration, by throwing if the run was refused; listeners go on. */
  closeQueue(refusal?: unknown): void {
    this.queue?.close(refusal);
    this.queue = null;
  }
}

/** A listener whose error is shown to the host and stops neither the run nor other listeners. */
export function guardedListener(listener: (event: unknown) => unknown): (event: unknown) => void {
  return (event) => {
    try {
      const returned = listener(event);
      if (returned instanceof Promise) returned.catch(reportFault);
    } catch (error) {
      reportFault(error);
    }
  };
}

function reportFault(error: unknown): void {
  console.error("loopwright: an event listener threw:", error);
}
