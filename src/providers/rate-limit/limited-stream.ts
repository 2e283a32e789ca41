import { isHarnessError, type ProviderError } from "../../contracts/errors.js";
import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../contracts/provider.js";
import { estimateRequestTokens } from "../../engine/run/usage-meter.js";
import type { Permit, RateQueue } from "./rate-queue.js";

/** The interval at which a waiting request says so: short at first, then longer. Unit: milliseconds. */
const FIRST_TICK_MS = 25;
const TICK_GROWTH = 1.2;
const LONGEST_TICK_MS = 1_000;

/**
 * Longest time that a refusal holds up the requests after it. Beyond it, as for the quota of a day, each gets its own
 * refusal, as soon as the one before, instead of waiting for hours. Unit: milliseconds.
 */
const MAX_PAUSE_MS = 120_000;

type Step = IteratorResult<ProviderEvent>;

const NOTHING = (): void => {};

const DONE: Step = { value: undefined, done: true };

/** One response that waits for its turn before it is asked for. */
export class LimitedStream implements AsyncIterableIterator<ProviderEvent> {
  #inner: AsyncIterator<ProviderEvent> | undefined;
  #entering: Promise<Permit> | undefined;
  #hasEntered = false;
  #onEntered = NOTHING;
  #tickMs = FIRST_TICK_MS;
  #permit: Permit | undefined;
  #isOver = false;
  /** Ends a wait when the stream is closed. */
  readonly #closed = new AbortController();

  constructor(
    private readonly provider: ProviderAdapter,
    private readonly request: ProviderRequest,
    private readonly queue: RateQueue,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    if (this.#isOver) return Promise.resolve(DONE);
    return this.#inner ? this.#step(this.#inner) : this.#awaitTurn();
  }

  async return(): Promise<Step> {
    this.#isOver = true;
    this.#closed.abort();
    // A turn that came between two looks at the line goes to the next one.
    if (!this.#permit) this.#entering?.then((permit) => permit.release(0), NOTHING);
    try {
      return (await this.#inner?.return?.()) ?? DONE;
    } finally {
      this.#permit?.release(undefined);
    }
  }

  async #awaitTurn(): Promise<Step> {
    try {
      const permit = await this.#turnOrTick();
      if (!permit) return { value: { type: "waiting" }, done: false };
      this.#permit = permit;
    } catch (reason) {
      if (this.#isOver) return DONE;
      this.#isOver = true;
      throw reason;
    }
    if (this.#isOver) {
      this.#permit.release(0);
      return DONE;
    }
    try {
      this.#inner = this.provider.stream(this.request)[Symbol.asyncIterator]();
      return await this.#step(this.#inner);
    } catch (error) {
      return this.#onFailure(error); // A call that throws before it returns a promise has ended, too.
    }
  }

  /** The permit, or nothing when it is not there after a while. */
  #turnOrTick(): Promise<Permit | undefined> {
    const entering = this.#entering ?? this.#enter();
    if (this.#hasEntered) return entering;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), this.#tickMs);
      this.#tickMs = Math.min(LONGEST_TICK_MS, this.#tickMs * TICK_GROWTH);
      this.#onEntered = () => {
        clearTimeout(timer);
        resolve(entering);
      };
    });
  }

  #enter(): Promise<Permit> {
    const signal = AbortSignal.any([this.request.signal, this.#closed.signal]);
    this.#entering = this.queue.enter(estimateRequestTokens(this.request), signal);
    const onEntered = () => {
      this.#hasEntered = true;
      this.#onEntered();
    };
    this.#entering.then(onEntered, onEntered);
    return this.#entering;
  }

  #step(inner: AsyncIterator<ProviderEvent>): Promise<Step> {
    return inner.next().then(this.#onStep, this.#onFailure);
  }

  readonly #onStep = (step: Step): Step => {
    if (step.done) this.#permit?.release(undefined);
    else if (step.value.type === "message-end") {
      const { usage } = step.value;
      this.#permit?.release(usage && usage.inputTokens + usage.outputTokens);
    }
    return step;
  };

  readonly #onFailure = (error: unknown): never => {
    if (isHarnessError(error, "RATE_LIMITED") && error.retryable) {
      const { retryAfterMs = 0 } = error as ProviderError;
      if (retryAfterMs <= MAX_PAUSE_MS) this.queue.pause(retryAfterMs);
    }
    this.#permit?.release(undefined);
    this.#isOver = true;
    throw error;
  };
}
