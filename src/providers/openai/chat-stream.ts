import type { ProviderEvent } from "../../contracts/provider.js";
import type { ChunkReader } from "./chunk-reader.js";
import { isRecord } from "./wire.js";

/** How long usage may take to come after the model has ended, when the server does not close. Unit: milliseconds. */
const TRAILER_GRACE_MS = 2_000;

/** What a stream needs of its adapter. */
export interface StreamParts {
  readonly reader: ChunkReader;
  /** The host's signal: created when first read. */
  readonly request: { readonly signal: AbortSignal };
  /** Sends the request; aborting the signal closes the connection. */
  open(signal: AbortSignal): Promise<AsyncIterable<unknown>>;
  /** The error for what was thrown. */
  failure(thrown: unknown): Error;
  /** The error for an error object that came as a chunk. */
  refusal(error: unknown): Error;
  /** The error for a stream that ended before its message did. */
  cutOff(): Error;
}

type Step = IteratorResult<ProviderEvent, undefined>;

const DONE: Step = { value: undefined, done: true };

/** One response as events. Written as an iterator by hand: a generator would add a yield to each event. */
export class ChatStream implements AsyncIterableIterator<ProviderEvent, undefined> {
  readonly #controller = new AbortController();
  #source: AsyncIterator<unknown> | undefined;
  #signal: AbortSignal | undefined;
  #taken = 0;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  #pending: Promise<Step> | undefined;
  #resolve: (step: Step) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #grace: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: StreamParts) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    if (this.#pending) return this.#pending.then(this.#again, this.#again);
    const event = this.#shift();
    if (event) return Promise.resolve({ value: event, done: false });
    if (this.#failure) return this.#throwFailure(this.#failure);
    if (this.#isOver) return Promise.resolve(DONE);
    const pending = new Promise<Step>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#pending = pending;
    if (this.#source) this.#pull(this.#source);
    else this.#open();
    return pending;
  }

  /** Closes the connection. What was not taken is dropped. */
  async return(): Promise<Step> {
    const source = this.#source;
    if (!this.#isOver) this.#controller.abort();
    this.#close();
    this.#drop();
    this.#failure = undefined;
    this.#settle(DONE);
    try {
      await source?.return?.();
    } catch {
      // The response is not wanted any more, and neither is its failure.
    }
    return DONE;
  }

  readonly #again = (): Promise<Step> => this.next();

  #open(): void {
    const { signal } = this.parts.request;
    if (signal.aborted) {
      this.#fail(signal.reason);
      return;
    }
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
    this.parts.open(this.#controller.signal).then((stream) => {
      if (this.#isOver) return;
      this.#source = stream[Symbol.asyncIterator]();
      this.#pull(this.#source);
    }, this.#onThrown);
  }

  #pull(source: AsyncIterator<unknown>): void {
    if (this.parts.reader.hasFinished) this.#grace ??= setTimeout(this.#onEnd, TRAILER_GRACE_MS);
    source.next().then(this.#onStep, this.#onThrown);
  }

  readonly #onStep = (step: IteratorResult<unknown>): void => {
    if (this.#isOver) return;
    if (step.done) {
      this.#onEnd();
      return;
    }
    try {
      const chunk: unknown = step.value;
      if (isRecord(chunk) && chunk.error) throw this.parts.refusal(chunk.error);
      this.parts.reader.read(chunk);
    } catch (error) {
      this.#controller.abort();
      this.#fail(error);
      return;
    }
    const event = this.#shift();
    if (event) this.#settle({ value: event, done: false });
    else this.#pull(this.#source!);
  };

  /** Also called when the server has said all and yet does not close. */
  readonly #onEnd = (): void => {
    const { reader } = this.parts;
    if (!reader.hasFinished) {
      this.#fail(this.parts.cutOff());
      return;
    }
    reader.finish();
    if (this.#grace !== undefined) this.#controller.abort();
    this.#close();
    this.#settle({ value: this.#shift()!, done: false });
  };

  readonly #onThrown = (thrown: unknown): void => {
    if (this.#isOver) return;
    const error = this.parts.failure(thrown);
    const isTransport = Reflect.get(error, "code") === "STREAM_BROKEN";
    // A connection that is lost after the model has ended takes nothing with it but the usage.
    if (isTransport && this.parts.reader.hasFinished) this.#onEnd();
    else this.#fail(error);
  };

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#controller.abort(reason);
    this.#fail(reason);
  };

  #fail(error: unknown): void {
    this.#close();
    this.#drop();
    if (!this.#pending) {
      this.#failure = { error };
      return;
    }
    this.#pending = undefined;
    this.#reject(error);
  }

  #settle(step: Step): void {
    if (!this.#pending) return;
    this.#pending = undefined;
    this.#resolve(step);
  }

  #throwFailure({ error }: { readonly error: unknown }): Promise<never> {
    this.#failure = undefined;
    return Promise.reject(error);
  }

  #shift(): ProviderEvent | undefined {
    const { events } = this.parts.reader;
    if (this.#taken === events.length) return undefined;
    const event = events[this.#taken++];
    if (this.#taken === events.length) this.#drop();
    return event;
  }

  #drop(): void {
    this.parts.reader.events.length = 0;
    this.#taken = 0;
  }

  #close(): void {
    this.#isOver = true;
    clearTimeout(this.#grace);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}
