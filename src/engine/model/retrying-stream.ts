// One model response, asked for again when it fails, as one stream of events.
import { ProviderError } from "../../contracts/errors.js";
import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../contracts/provider.js";
import { describeValue } from "../../text/describe-value.js";
import { breathe } from "../../time/breathe.js";
import type { Deadline, Deadlines } from "../../time/deadlines.js";
import { ignoreFailure, isThenable } from "../../time/is-promise.js";
import { sizeOf } from "./message-builder.js";
import { type AttemptRequest, followRequest, type Linked, type LinkedControllers } from "./model-request.js";
import { brokenStream, responseTooLarge } from "./provider-failure.js";
import type { RetrySettings } from "./retry.js";
import { delayBefore, explained } from "./retry-delay.js";

type Step = IteratorResult<ProviderEvent>;

/** The time between two looks for silence. Unit: of the silence that is allowed between two events. */
const LOOK_SHARE = 1 / 4;

/** The time in which a server may send signs of life instead of its message. Unit: of the silence that is allowed. */
const MAX_QUIET_SHARE = 10;

/** The events that are read between two looks at the clock, and the time without a breath. Unit: milliseconds. */
const READS_PER_LOOK = 128;
const BREATH_MS = 15;

const NOTHING = (): void => {};

type OnStep = (step: Step) => void;
type OnFailure = (error: unknown) => void;

/** An iterator that can also be read without a promise for each event. */
export interface PullIterator extends AsyncIterator<ProviderEvent> {
  /** Like `next()`: calls exactly one of the two, once; at once for what is there already. */
  pullEvent(onStep: OnStep, onFailure: OnFailure): void;
}

/** One attempt: what it is read from, and where its events go. */
interface Attempt {
  readonly inner: AsyncIterator<ProviderEvent>;
  readonly linked: Linked;
  readonly onStep: OnStep;
  readonly onFailure: OnFailure;
}

/** One response as its consumer sees it. Written as an iterator by hand: a generator would add a yield to each event. */
export class RetryingStream implements PullIterator {
  #attempt: Attempt | undefined;
  /** The deadline of the allowed silence, or of the wait before the next attempt. */
  #deadline: Deadline | undefined;
  /** Since when nothing has come; `null`: something has, since that was last looked at. An event costs no look at the clock. */
  #silentSince: number | null = null;
  #heard = false;
  /** Whether the message has begun: what waits before that waits for its turn on our side. */
  #hasBegun = false;
  /** Since when there are only signs of life; `undefined`: the last event was a part of the message. */
  #quietSince: number | undefined;
  #bytes = 0;
  #reads = 0;
  #breathedAt = performance.now();
  #retries = 0;
  #delayMs = 0;
  #finished = false;
  #endWait = NOTHING;
  #resolve: OnStep | undefined;
  #reject: OnFailure | undefined;

  constructor(
    private readonly provider: ProviderAdapter,
    private readonly request: AttemptRequest,
    private readonly options: RetrySettings,
    private readonly controllers: LinkedControllers,
    private readonly deadlines: Deadlines,
  ) {}

  next(): Promise<Step> {
    return new Promise((resolve, reject) => this.pullEvent(resolve, reject));
  }

  pullEvent(onStep: OnStep, onFailure: OnFailure): void {
    if (this.#finished) {
      this.#abandonAttempt(); // A consumer that reads to the end does not call return().
      onStep({ value: undefined, done: true });
      return;
    }
    this.#resolve = onStep;
    this.#reject = onFailure;
    this.#silentSince = null;
    if (this.#delayMs > 0) this.#wait();
    else this.#read();
  }

  /** Settles when the provider has cleaned up. */
  return(): Promise<Step> {
    this.#finished = true;
    const inner = this.#attempt?.inner;
    this.#closeAttempt();
    this.#endWait();
    this.#resolve?.({ value: undefined, done: true });
    this.#resolve = undefined;
    return inner?.return?.() ?? Promise.resolve({ value: undefined, done: true });
  }

  /** A provider that never waits would let nothing else happen: no abort, no deadline, no timer of the host. */
  #read(): void {
    if (++this.#reads % READS_PER_LOOK > 0 || performance.now() - this.#breathedAt < BREATH_MS) {
      this.#pull();
      return;
    }
    void breathe().then(() => {
      this.#breathedAt = performance.now();
      if (!this.#finished && this.#resolve) this.#pull();
    });
  }

  #pull(): void {
    try {
      this.#attempt ??= this.#open();
      const { inner, onStep, onFailure } = this.#attempt;
      if ("pullEvent" in inner) (inner as PullIterator).pullEvent(onStep, onFailure);
      else inner.next().then(onStep, onFailure);
    } catch (error) {
      this.#fail(error);
    }
  }

  #open(): Attempt {
    const linked = this.controllers.take(this.request);
    this.#heard = false;
    this.#hasBegun = false;
    this.#quietSince = undefined;
    this.#silentSince = performance.now();
    this.#bytes = 0;
    this.#watchSilence(this.options.firstTokenTimeoutMs);
    const inner = openStream(this.provider, linked.own);
    // An attempt that was given up may still send events; they are ignored.
    const attempt: Attempt = {
      inner,
      linked,
      onStep: (step) => {
        if (attempt !== this.#attempt) return;
        try {
          this.#take(step);
        } catch (error) {
          this.#fail(error); // An event that throws when it is looked at.
        }
      },
      onFailure: (error) => {
        if (attempt === this.#attempt) this.#fail(error);
      },
    };
    return attempt;
  }

  #take(step: Step): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    if (step.done) {
      this.#fail(brokenStream(this.provider.id));
      return;
    }
    if (step.value?.type === "waiting") {
      if (!this.#isQuietForTooLong(step.value.isServer)) this.#silentSince = null;
      this.#read();
      return;
    }
    this.#quietSince = undefined;
    if (step.value?.type === "message-start") this.#hasBegun = true;
    else if (step.value?.type !== "notice") this.#heard = true;
    this.#bytes += sizeOf(step.value);
    if (this.#bytes > this.options.maxResponseBytes) {
      this.#fail(responseTooLarge(this.provider.id, this.options.maxResponseBytes));
      return;
    }
    if (step.value?.type === "message-end") {
      this.#finished = true;
      this.#stopWatching();
    }
    this.#resolve = undefined;
    resolve(step);
  }

  #fail(error: unknown): void {
    const reject = this.#reject;
    const resolve = this.#resolve;
    if (!resolve || !reject) return;
    this.#resolve = undefined;
    this.#abandonAttempt(error);
    const delayMs = delayBefore(error, this.#retries, this.options);
    if (delayMs === null) {
      this.#finished = true;
      reject(explained(error, this.options, this.request.tools?.length ?? 0));
      return;
    }
    this.#retries++;
    this.#delayMs = Math.max(1, delayMs);
    resolve({
      value: { type: "restart", attempt: this.#retries, delayMs, error: error as ProviderError },
      done: false,
    });
  }

  #wait(): void {
    const delayMs = this.#delayMs;
    this.#delayMs = 0;
    const leave = followRequest(this.request, (reason) => {
      this.#endWait();
      this.#finished = true;
      const reject = this.#reject;
      this.#resolve = undefined;
      reject?.(reason);
    });
    if (this.#finished) return;
    this.#endWait = () => {
      this.#stopWatching();
      leave();
    };
    // Through a promise: the timer is shared, and the attempt belongs to the async context that has asked for it.
    const waited = new Promise<void>((resolve) => {
      this.#deadline = this.deadlines.add(delayMs, resolve);
    });
    waited.then(() => {
      this.#endWait();
      if (!this.#finished) this.#read();
    });
  }

  /**
   * One deadline for each attempt: it looks at the clock when it expires and is set again for the silence that is left. It
   * looks often enough that a silence is noticed a quarter of the time that is allowed after it should be, at most.
   */
  #watchSilence(forMs: number): void {
    this.#deadline = this.deadlines.add(Math.min(forMs, this.options.idleTimeoutMs * LOOK_SHARE), this.#onSilence);
  }

  readonly #onSilence = (): void => {
    const limit = this.#heard ? "idleTimeoutMs" : "firstTokenTimeoutMs";
    const limitMs = this.options[limit];
    const now = performance.now();
    // A slow consumer is not a silent provider: only an open request counts.
    if (!this.#resolve) this.#silentSince = null;
    this.#silentSince ??= now;
    const leftMs = limitMs - (now - this.#silentSince);
    if (leftMs > 0) {
      this.#watchSilence(leftMs);
      return;
    }
    const kind = this.#heard ? "sent nothing" : "did not start to reply";
    const message = `Provider "${this.provider.id}" ${kind} for ${limitMs} ms. Raise limits.${limit} if it may need longer.`;
    this.#fail(new ProviderError("TIMEOUT", { message, retryable: true }));
  };

  #isQuietForTooLong(isServer = false): boolean {
    if (!this.#hasBegun && !isServer) return false;
    const now = performance.now();
    this.#quietSince ??= now;
    const { idleTimeoutMs, firstTokenTimeoutMs } = this.options;
    return now - this.#quietSince > MAX_QUIET_SHARE * (this.#hasBegun ? idleTimeoutMs : firstTokenTimeoutMs);
  }

  #abandonAttempt(reason?: unknown): void {
    const inner = this.#attempt?.inner;
    this.#closeAttempt(reason);
    try {
      inner?.return?.()?.then(undefined, () => {});
    } catch {
      // The attempt is over either way.
    }
  }

  #closeAttempt(reason?: unknown): void {
    this.#stopWatching();
    const linked = this.#attempt?.linked;
    this.#attempt = undefined;
    if (!linked) return;
    if (reason !== undefined) linked.controller.abort(reason);
    this.controllers.giveBack(linked);
  }

  #stopWatching(): void {
    if (this.#deadline) this.deadlines.remove(this.#deadline);
    this.#deadline = undefined;
  }
}

/** @throws ProviderError `PROVIDER_FAILED` when the provider does not return a stream */
export function openStream(provider: ProviderAdapter, request: ProviderRequest): AsyncIterator<ProviderEvent> {
  const stream: unknown = provider.stream(request);
  if (typeof stream === "object" && stream !== null && Symbol.asyncIterator in stream) {
    return (stream as AsyncIterable<ProviderEvent>)[Symbol.asyncIterator]();
  }
  ignoreFailure(stream);
  const what = isThenable(stream) ? "a promise (remove `async`, or write `async *stream()`)" : describeValue(stream);
  throw new ProviderError("PROVIDER_FAILED", {
    message: `stream() of provider "${provider.id}" must return an async iterable of events; it returned ${what}.`,
  });
}
