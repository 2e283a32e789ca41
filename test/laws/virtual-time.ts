import { AsyncLocalStorage } from "node:async_hooks";
import { loadLoop } from "../../src/engine/load-loop.js";

/** Who set a timer: the code under test through the global functions, or the world it runs in. */
type Owner = "engine" | "world";

interface Timer {
  readonly at: number;
  readonly fire: () => void;
  readonly owner: Owner;
}

/** Whose time code runs in. What an earlier file of tests left in this process runs in none: it goes on in real time. */
const current = new AsyncLocalStorage<VirtualTime>();
const realSetImmediate = globalThis.setImmediate;

/**
 * Time that stands still until it is asked to go on: runs take no time, repeat exactly, and every timer that is left
 * can be counted. Unit: milliseconds since the test began.
 */
export class VirtualTime {
  now = 0;
  readonly #timers = new Set<Timer>();

  /** Takes the place of the global timers and clock while `work` runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    await loadLoop(); // Reading a file takes real time, which is none of the run's.
    const { setTimeout, clearTimeout } = globalThis;
    const realNow = performance.now.bind(performance);
    const isInside = () => current.getStore() === this;
    globalThis.setTimeout = ((fire: () => void, ms = 0, ...rest: unknown[]) =>
      isInside() ? this.#add(ms, fire, "engine") : setTimeout(fire, ms, ...rest)) as never;
    globalThis.clearTimeout = ((timer: Timer) => {
      if (!this.#timers.delete(timer)) clearTimeout(timer as never);
    }) as never;
    Object.defineProperty(performance, "now", { value: () => (isInside() ? this.now : realNow()), configurable: true });
    try {
      return await current.run(this, work);
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
      Reflect.deleteProperty(performance, "now");
    }
  }

  /** A wait of the world: of a tool, a model, a host. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#add(ms, resolve, "world"));
  }

  /** How many timers the code under test has left. */
  get engineTimers(): number {
    return [...this.#timers].filter(({ owner }) => owner === "engine").length;
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    await new Promise<void>((resolve) => realSetImmediate(resolve));
  }

  /** Goes on to the earliest timer and what follows from it. `false`: there is not one. */
  async advance(): Promise<boolean> {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (!next || timer.at < next.at) next = timer;
    if (!next) return false;
    this.#timers.delete(next);
    this.now = Math.max(this.now, next.at);
    next.fire();
    await this.settle();
    return true;
  }

  #add(ms: number, fire: () => void, owner: Owner): Timer {
    const timer = { at: this.now + Math.max(1, ms), fire, owner };
    this.#timers.add(timer);
    return timer;
  }
}
