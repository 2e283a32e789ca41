import { isHarnessError } from "../../../contracts/errors.js";
import type { ProviderEvent } from "../../../contracts/provider.js";
import { followSignal } from "../../../time/follow-signal.js";
import type { Failures } from "../failures/failures.js";

/** The longest wait for usage after the model has ended, when the server does not close. Unit: milliseconds. */
const TRAILER_MS = 1_000;

/** The same when more than usage has come: some servers send a finish reason with every chunk. Unit: milliseconds. */
const MORE_MS = 10_000;

/** The time without an event after which other packets of the server count as signs of life. Unit: milliseconds. */
const QUIET_MS = 200;

/** Turns the parsed data of one response into events. An adapter's own. */
export interface EventReader {
  /** Events to be delivered, in order. Taken and emptied by the stream. */
  readonly events: ProviderEvent[];
  /** Whether anything came that belongs to a message. */
  readonly hasStarted: boolean;
  /** Whether the model has ended; only usage may follow. */
  readonly hasFinished: boolean;
  /** Whether the end of the response may be the end of the message, although nothing has said so. Default: `false`. */
  readonly mayEnd?: boolean;
  /** Whether a part of the message has begun and not ended: then `[DONE]` is not the end of the message. Default: `false`. */
  readonly isInside?: boolean;
  /** The error that a piece of data reports; `undefined` when it reports none. */
  errorIn(data: unknown): unknown;
  /** Takes one piece of data. */
  read(data: unknown): void;
  /** Called once, when the response is over: appends what is left, `message-end` last. */
  finish(): void;
}

/** The parts of a stream that its adapter provides. */
export interface StreamParts {
  readonly reader: EventReader;
  /** The host's signal: created when first read. */
  readonly request: { readonly signal: AbortSignal };
  readonly failures: Failures;
  /** Sends the request; aborting the signal closes the connection. Each step is a piece of data, or an array of them. */
  open(signal: AbortSignal): Promise<AsyncIterable<unknown>>;
  /** The error for what the opened source has thrown. Default: the failures' `streaming`. */
  failure?(thrown: unknown): Error;
}

/** A source that knows whether the server has said that it is done; it ends soon after that. */
interface Source extends AsyncIterator<unknown> {
  readonly hasSeenEnd?: boolean;
}

type Step = IteratorResult<ProviderEvent, undefined>;

const DONE: Step = { value: undefined, done: true };

/** One response as events. Written as an iterator by hand: a generator would add a yield to each event. */
export class ResponseStream implements AsyncIterableIterator<ProviderEvent, undefined> {
  readonly #controller = new AbortController();
  #source: Source | undefined;
  #signal: AbortSignal | undefined;
  #leaveSignal: () => void = () => {};
  /** The step that is under way: one at a time, so that steps asked for at once keep their order. */
  #current: Promise<Step> | undefined;
  #taken = 0;
  /** The failure to throw once the waiting events have been taken. */
  #fault: unknown;
  #isOver = false;
  /** Since when only pings and the like have come; `undefined`: the last step held an event. */
  #quietSince: number | undefined;
  #grace: ReturnType<typeof setTimeout> | undefined;
  #trailerMs = TRAILER_MS;

  constructor(private readonly parts: StreamParts) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    if (this.#current) return this.#current.then(this.#again, this.#again);
    if (this.#signal?.aborted) return this.#afterAbort();
    const event = this.#shift();
    if (event) return Promise.resolve({ value: event, done: false });
    if (this.#fault !== undefined) return Promise.reject(this.#failed(this.#fault));
    if (this.#isOver) return Promise.resolve(DONE);
    this.#current = this.#source
      ? this.#pull(this.#source)
      : this.#open().then((source) => (this.#isOver ? this.#settled(DONE) : this.#pull(source)), this.#onThrown);
    return this.#current;
  }

  /** Like `next()`, without a promise for what is there already: `onStep` is called at once then. */
  pullEvent(onStep: (step: Step) => void, onFailure: (error: unknown) => void): void {
    const event = this.#current || this.#signal?.aborted ? undefined : this.#shift();
    if (event) onStep({ value: event, done: false });
    else this.next().then(onStep, onFailure);
  }

  /** Closes the connection. What was not taken is dropped. */
  async return(): Promise<Step> {
    if (!this.#isOver) this.#controller.abort();
    this.#close();
    this.#drop();
    this.#fault = undefined;
    try {
      await this.#source?.return?.();
    } catch {
      // The response is not wanted any more, and neither is its failure.
    }
    return DONE;
  }

  readonly #again = (): Promise<Step> => this.next();

  async #open(): Promise<Source> {
    const { signal } = this.parts.request;
    this.#signal = signal;
    signal.throwIfAborted();
    this.#leaveSignal = followSignal(signal, () => {
      this.#controller.abort(signal.reason);
      // Node's fetch does not end a read of what it could not unpack.
      this.#source?.return?.().catch(() => {});
    });
    const stream = await this.parts.open(this.#controller.signal);
    this.#source = stream[Symbol.asyncIterator]();
    return this.#source;
  }

  #pull(source: Source): Promise<Step> {
    const step = source.next();
    // The message is whole: only its usage is waited for, whatever becomes of the source. A source that has seen the end
    // bounds its own rest.
    const mayLag = this.parts.reader.hasFinished && !source.hasSeenEnd;
    return (mayLag ? Promise.race([step, this.#endOfGrace()]) : step).then(this.#onStep, this.#onThrown);
  }

  #endOfGrace(): Promise<IteratorResult<unknown>> {
    return new Promise((resolve) => {
      const end = () => {
        this.#controller.abort();
        resolve(DONE);
      };
      // In two halves: after a time in which this process stood still, what has come meanwhile is read between them.
      const half = this.#trailerMs / 2;
      this.#grace = setTimeout(() => {
        this.#grace = setTimeout(end, half);
      }, half);
    });
  }

  readonly #onStep = (step: IteratorResult<unknown>): Step | Promise<Step> => {
    clearTimeout(this.#grace);
    if (this.#isOver) return this.#settled(DONE);
    if (step.done) return this.#end();
    try {
      if (!Array.isArray(step.value)) this.#read(step.value);
      else for (const chunk of step.value) this.#read(chunk);
    } catch (error) {
      this.#controller.abort();
      this.#fault = this.parts.failures.streaming(error);
    }
    const event = this.#shift();
    if (event) {
      this.#quietSince = undefined;
      return this.#settled({ value: event, done: false });
    }
    if (this.#fault !== undefined) throw this.#failed(this.#fault);
    return this.#onSignOfLife();
  };

  /** A packet without an event: such as a comment, a part of a large event, or a note on a search of the server's own. */
  #onSignOfLife(): Step | Promise<Step> {
    const { reader } = this.parts;
    const now = performance.now();
    this.#quietSince ??= now;
    const quietMs = now - this.#quietSince;
    if (reader.hasFinished && quietMs >= this.#trailerMs) {
      this.#controller.abort();
      return this.#end();
    }
    if (reader.hasFinished || quietMs < QUIET_MS) return this.#pull(this.#source!);
    this.#quietSince = now;
    return this.#settled({ value: { type: "waiting", isServer: true }, done: false });
  }

  #read(chunk: unknown): void {
    const { reader, failures } = this.parts;
    const error = reader.errorIn(chunk);
    if (error !== undefined) throw failures.refusal(error);
    const { hasFinished } = reader;
    const { length } = reader.events;
    reader.read(chunk);
    if (hasFinished && reader.events.length > length) this.#trailerMs = MORE_MS;
  }

  readonly #onThrown = (thrown: unknown): Step | Promise<Step> => {
    if (this.#isOver) return this.#settled(DONE);
    if (this.#signal?.aborted) return this.#afterAbort();
    const error = this.#failureOf(thrown);
    const isTransport = Reflect.get(error, "code") === "STREAM_BROKEN";
    // A connection that is lost after the model has ended takes nothing with it but the usage.
    if (isTransport && this.parts.reader.hasFinished) return this.#end();
    throw this.#failed(error);
  };

  #end(): Step | Promise<Step> {
    if (this.#signal?.aborted) return this.#afterAbort();
    const { reader, failures } = this.parts;
    // Some servers give no reason why the model ended; that they are done says enough.
    const mayEnd = reader.hasStarted && !reader.isInside && (this.#source?.hasSeenEnd || reader.mayEnd);
    const isWhole = reader.hasFinished || mayEnd;
    if (!isWhole) throw this.#failed(failures.cutOff(reader.hasStarted));
    try {
      reader.finish();
    } catch (error) {
      throw this.#failed(error);
    }
    this.#close();
    return this.#settled({ value: this.#shift()!, done: false });
  }

  #failureOf(thrown: unknown): Error {
    const { failures, failure } = this.parts;
    if (isHarnessError(thrown)) return thrown;
    if (!this.#source) return failures.unsent(thrown);
    return failure ? failure(thrown) : failures.streaming(thrown);
  }

  #settled(step: Step): Step {
    this.#current = undefined;
    return step;
  }

  /** Called once; after that the stream is over. */
  #afterAbort(): Promise<Step> {
    if (this.#isOver) return Promise.resolve(this.#settled(DONE));
    return Promise.reject(this.#failed(this.#signal?.reason));
  }

  #failed(error: unknown): unknown {
    this.#current = undefined;
    this.#fault = undefined;
    this.#close();
    this.#drop();
    return error;
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
    this.#leaveSignal();
  }
}
