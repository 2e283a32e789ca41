import type { ProviderEvent } from "../../../contracts/provider.js";
import type { EventReader } from "./response-stream.js";

/** A reader around another one: each event of that one goes through `take`, which pushes what is to come of it. */
export abstract class PassingReader implements EventReader {
  readonly events: ProviderEvent[] = [];

  constructor(protected readonly inner: EventReader) {}

  get hasStarted(): boolean {
    return this.inner.hasStarted;
  }

  get hasFinished(): boolean {
    return this.inner.hasFinished;
  }

  get mayEnd(): boolean {
    return this.inner.mayEnd === true;
  }

  get isInside(): boolean {
    return this.inner.isInside === true;
  }

  errorIn(data: unknown): unknown {
    return this.inner.errorIn(data);
  }

  read(data: unknown): void {
    this.inner.read(data);
    this.#pass();
  }

  finish(): void {
    this.inner.finish();
    this.#pass();
  }

  protected abstract take(event: ProviderEvent): void;

  #pass(): void {
    for (const event of this.inner.events) this.take(event);
    this.inner.events.length = 0;
  }
}
