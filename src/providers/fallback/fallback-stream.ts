import { isHarnessError, type ProviderError } from "../../contracts/errors.js";
import type { ProviderEvent, ProviderRequest } from "../../contracts/provider.js";
import type { ProviderRota } from "./provider-rota.js";

type Step = IteratorResult<ProviderEvent>;

const DONE: Step = { value: undefined, done: true };

/** One response, from whichever provider gives it. Written as an iterator by hand: closing it must not wait for a step. */
export class FallbackStream implements AsyncIterableIterator<ProviderEvent> {
  readonly #tried = new Set<number>();
  #at: number;
  #inner: AsyncIterator<ProviderEvent> | undefined;
  #isOver = false;

  constructor(
    private readonly rota: ProviderRota,
    private readonly request: ProviderRequest,
    private readonly goesOn: (error: unknown) => boolean,
  ) {
    this.#at = rota.next(this.#tried)!;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    if (this.#isOver) return Promise.resolve(DONE);
    try {
      this.#inner ??= this.rota.providers[this.#at]!.stream(this.request)[Symbol.asyncIterator]();
      return this.#inner.next().then(this.#onStep, this.#onFailure);
    } catch (error) {
      return Promise.resolve(error).then(this.#onFailure);
    }
  }

  return(): Promise<Step> {
    if (!this.#isOver) this.#noteGivenUp();
    this.#isOver = true;
    return this.#inner?.return?.() ?? Promise.resolve(DONE);
  }

  readonly #onStep = (step: Step): Step => {
    if (this.#isOver || step.done) return step;
    if (step.value.type === "message-end") this.rota.hasAnswered(this.#at);
    return step.value.type === "message-start" && this.#at > 0
      ? { value: this.#signed(step.value), done: false }
      : step;
  };

  readonly #onFailure = (error: unknown): Step => {
    if (this.#isOver) return DONE;
    const next = this.request.signal.aborted || !this.goesOn(error) ? undefined : this.#nextAfter(error);
    if (next === undefined) {
      this.#isOver = true;
      throw error;
    }
    this.#at = next;
    this.#inner = undefined;
    const restart = { type: "restart", attempt: this.#tried.size, delayMs: 0, error: error as ProviderError } as const;
    return { value: restart, done: false };
  };

  /** A provider has also failed when the retries around this gave up its silence or its half a message. */
  #noteGivenUp(): void {
    const { aborted, reason } = this.request.signal;
    if (aborted && isHarnessError(reason) && reason.retryable && this.goesOn(reason)) this.#noteFailure(reason);
  }

  #noteFailure(error: unknown): void {
    const { retryAfterMs } = error as { retryAfterMs?: unknown };
    this.rota.hasFailed(this.#at, typeof retryAfterMs === "number" ? retryAfterMs : 0);
  }

  #nextAfter(error: unknown): number | undefined {
    this.#noteFailure(error);
    this.#tried.add(this.#at);
    this.#inner?.return?.().then(undefined, () => {});
    return this.rota.next(this.#tried);
  }

  /** The message is that of the provider that writes it, so that its reasoning goes back to it and its price counts. */
  #signed(start: Extract<ProviderEvent, { readonly type: "message-start" }>): ProviderEvent {
    const { id, model } = this.rota.providers[this.#at]!;
    return { ...start, by: start.by ?? { id, model } };
  }
}
