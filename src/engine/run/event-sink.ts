import { EventEmitter } from "eventemitter3";
import type { EngineEvent, EventType } from "../../contracts/event.js";
import type { ProviderRequest } from "../../contracts/provider.js";
import { checkOptions, FUNCTION, required } from "../../json/check-options.js";
import type { EventQueue } from "./event-queue.js";

/** An engine's listeners. The error of one is shown to the host and stops neither the run nor other listeners. */
export class Listeners {
  /** The functions that observers put around calls. */
  readonly observers = new CallObservers();
  readonly #emitter = new EventEmitter<{ [T in EventType]: (event: unknown) => void }>();
  /** The guarded form of each listener, as the emitter has it. */
  readonly #guarded = new WeakMap<object, (event: unknown) => void>();
  /** Whether there are any, or have been. */
  exist = false;

  add(type: EventType, listener: (event: never) => unknown, { once = false } = {}): void {
    this.exist = true;
    if (once) this.#emitter.once(type, this.#guard(listener));
    else this.#emitter.on(type, this.#guard(listener));
  }

  remove(type: EventType, listener: (event: never) => unknown): void {
    this.#emitter.off(type, this.#guard(listener));
  }

  has(type: EventType): boolean {
    return this.exist && this.#emitter.listenerCount(type) > 0;
  }

  send(event: EngineEvent): void {
    if (this.exist) this.#emitter.emit(event.type, event);
  }

  #guard(listener: (event: never) => unknown): (event: unknown) => void {
    checkOptions("engine.on()", { listener }, { listener: required(FUNCTION) });
    const guarded = this.#guarded.get(listener) ?? guardedListener(listener as (event: unknown) => unknown);
    this.#guarded.set(listener, guarded);
    return guarded;
  }
}

/** The number of events a consumer gets at once before it is waited for. */
const MANY_UNREAD_EVENTS = 64;

/** The receivers of a run's events: the engine's listeners, and the consumer of `stream()` if there is one. */
export class EventSink {
  #seq = 0;

  constructor(
    private readonly listeners: Listeners,
    private queue: EventQueue | null,
  ) {}

  get observers(): CallObservers {
    return this.listeners.observers;
  }

  /** Whether anybody listens to this type of event. */
  hasListeners(type: EventType): boolean {
    return this.queue !== null || (this.listeners.exist && this.listeners.has(type));
  }

  /** Whether the consumer of `stream()` has much left to read. */
  get isBehind(): boolean {
    return this.queue !== null && this.queue.length >= MANY_UNREAD_EVENTS;
  }

  /** The number of the next event of the root run. */
  nextSeq(): number {
    return ++this.#seq;
  }

  send(event: EngineEvent): void {
    this.queue?.push(event);
    this.listeners.send(event);
  }

  /** Ends the consumer's iteration, by throwing if the run was refused; listeners go on. */
  closeQueue(refusal?: unknown): void {
    this.queue?.close(refusal);
    this.queue = null;
  }
}

function guardedListener(listener: (event: unknown) => unknown): (event: unknown) => void {
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

/** The functions that one observer puts around calls. Each calls `work` once, at once, and returns what that returns. */
export interface CallObserver {
  /** Around a tool's function, and around each step of one that is a generator. */
  aroundTool<T>(runId: string, toolCallId: string, work: () => T): T;
  /** Around the start of a model's stream, and each time its next event is asked for. */
  aroundModel<T>(runId: string, request: ProviderRequest, work: () => T): T;
  /** A model's stream has sent something. */
  onChunk(runId: string): void;
}

/** The observers of an engine's calls. */
export class CallObservers {
  #all: readonly CallObserver[] = [];

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** Returns what removes it again. */
  add(observer: CallObserver): () => void {
    this.#all = [...this.#all, observer];
    return () => {
      this.#all = this.#all.filter((other) => other !== observer);
    };
  }

  aroundTool<T>(runId: string, toolCallId: string, work: () => T): T {
    return this.#all.reduceRight((inner, observer) => () => observer.aroundTool(runId, toolCallId, inner), work)();
  }

  aroundModel<T>(runId: string, request: ProviderRequest, work: () => T): T {
    return this.#all.reduceRight((inner, observer) => () => observer.aroundModel(runId, request, inner), work)();
  }

  onChunk(runId: string): void {
    for (const observer of this.#all) observer.onChunk(runId);
  }
}
